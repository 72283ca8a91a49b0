import jsonPatch, { type Operation } from 'fast-json-patch';
import { ApiError } from '../../objects/ApiError.ts';

const MAX_OPERATIONS = 10_000;
/** Operations can build on each other; what walks the result recursively must not run out of stack. */
const MAX_DEPTH = 1_000;
/** `copy` can double a document with every operation; all copies of one patch together may hold this many characters of JSON. */
const MAX_COPIED_LENGTH = 3 * 1024 * 1024;

/**
 * The result of an RFC 6902 patch. Changes `document` in place. `patch` is a list of objects, as yet unchecked. A patch that does not fit the document, a
 * failed `test` among them, is Invalid with the little that Kubernetes says of it; too long a patch is RequestEntityTooLarge.
 */
export function applyJsonPatch(document: unknown, patch: readonly unknown[]): unknown {
  if (patch.length > MAX_OPERATIONS) {
    throw new ApiError(
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    );
  }
  let result = document;
  let copied = 0;
  for (const [index, operation] of (patch as Operation[]).entries()) {
    try {
      if (operation.op === 'copy') copied += lengthAt(result, operation.from);
      if (copied > MAX_COPIED_LENGTH) throw new Error('copies too much');
      // Validates the operation, and refuses paths through prototypes.
      result = jsonPatch.applyOperation(result, operation, true, true, true, index).newDocument;
    } catch (error) {
      throw rejectedPatch(error);
    }
  }
  if (!nestsWithin(result, MAX_DEPTH)) throw rejectedPatch(new Error('nests too deep'));
  return result;
}

function nestsWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => nestsWithin(member, levels - 1));
}

/** Kubernetes answers a patch that cannot be applied with a generic sentence and keeps the reason to itself. */
export function rejectedPatch(cause: unknown): ApiError {
  return new ApiError('Invalid', 'the server rejected our request due to an error in our request', {}, { cause });
}

function lengthAt(document: unknown, pointer: unknown): number {
  if (typeof pointer !== 'string') return 0;
  return (JSON.stringify(jsonPatch.getValueByPointer(document, pointer)) ?? '').length;
}
