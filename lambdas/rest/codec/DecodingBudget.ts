import { requestEntityTooLarge } from '../../objects/apiErrors.ts';
import { MAX_REQUEST_BYTES } from '../request/readRequestBody.ts';

/**
 * The most values (objects, lists and scalars) that one body may hold. The limit keeps the work that follows (pruning, defaulting, validating) within a fraction of a second.
 */
export const MAX_VALUES = 25_000;

/** What one body may hold. */
export interface DecodingLimits {
  readonly values: number;
  /** Of all texts and names together. */
  readonly characters: number;
}

/** The most values of a definition of custom resources, which is sent seldom. Those that people have come to 27,000. */
const MAX_DEFINITION_VALUES = 50_000;

/** The version and kind of an object. */
export interface KindOfBody {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What an object of this kind may hold. */
export function limitsOf({ apiVersion, kind }: KindOfBody): DecodingLimits {
  const defines = kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
  return defines ? { ...OBJECT_LIMITS, values: MAX_DEFINITION_VALUES } : OBJECT_LIMITS;
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
