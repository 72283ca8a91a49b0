import { requestEntityTooLarge } from '../../objects/apiErrors.ts';
import { MAX_OBJECT_BYTES } from '../../ports/ObjectStore.ts';

/**
 * The most values (objects, lists and scalars) that one body may hold. The largest object that can be stored has room for about this many when its values have
 * names. The limit keeps the work that follows (pruning, defaulting, validating) within a fraction of a second.
 */
export const MAX_VALUES = 40_000;

/** Counts what a decoder finds in one body, so that a body that could never be stored is refused before anything is built from it. */
export class DecodingBudget {
  #values = 0;
  #characters = 0;

  /** Throws ApiError RequestEntityTooLarge if the body has too many values. */
  spendValues(count: number): void {
    this.#values += count;
    if (this.#values > MAX_VALUES) throw requestEntityTooLarge(MAX_VALUES, 'values');
  }

  /** Throws ApiError RequestEntityTooLarge if the texts of the body are longer than the largest object. */
  spendCharacters(count: number): void {
    this.#characters += count;
    if (this.#characters > MAX_OBJECT_BYTES) throw requestEntityTooLarge(MAX_OBJECT_BYTES);
  }
}
