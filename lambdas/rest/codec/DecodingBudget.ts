import { requestEntityTooLarge } from '../../objects/apiErrors.ts';
import { MAX_REQUEST_BYTES } from '../request/readRequestBody.ts';

/**
 * The most values (objects, lists and scalars) that one body may hold. The definitions of custom resources, which are the largest objects that people have, come to 9,000 in 480 kB. The limit keeps the work that follows (pruning, defaulting, validating) within a fraction of a second.
 */
export const MAX_VALUES = 25_000;

/** What one body may hold. */
export interface DecodingLimits {
  readonly values: number;
  /** Of all texts and names together. */
  readonly characters: number;
}

const OBJECT_LIMITS: DecodingLimits = { values: MAX_VALUES, characters: MAX_REQUEST_BYTES };

/** Counts what a decoder finds in one body, so that a body that holds too much is refused before anything is built from it. */
export class DecodingBudget {
  #values = 0;
  #characters = 0;
  readonly #limits: DecodingLimits;

  constructor(limits: DecodingLimits = OBJECT_LIMITS) {
    this.#limits = limits;
  }

  /** Throws ApiError RequestEntityTooLarge if the body has too many values. */
  spendValues(count: number): void {
    this.#values += count;
    if (this.#values > this.#limits.values) throw requestEntityTooLarge(this.#limits.values, 'values');
  }

  /** Throws ApiError RequestEntityTooLarge if the texts of the body are longer than the longest body: only aliases in YAML and operations of a patch can make them so. */
  spendCharacters(count: number): void {
    this.#characters += count;
    if (this.#characters > this.#limits.characters) throw requestEntityTooLarge(this.#limits.characters);
  }

  /** Counts a value that is already decoded, with all that it holds. */
  spendObject(value: unknown): void {
    this.spendValues(1);
    if (typeof value === 'string') this.spendCharacters(value.length);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.spendObject(item);
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      this.spendCharacters(name.length);
      this.spendObject(member);
    }
  }
}
