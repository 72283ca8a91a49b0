import jsonPatch, { type Operation } from 'fast-json-patch';
import { ApiError } from '../../objects/ApiError.ts';

const MAX_OPERATIONS = 10_000;
/** Operations can nest values ever deeper. The limit protects recursive functions from a stack overflow. */
const MAX_DEPTH = 1_000;
/** The most characters of JSON that all `copy` operations of one patch may copy together: each of them can double the document. */
const MAX_COPIED_LENGTH = 3 * 1024 * 1024;

/**
 * Applies an RFC 6902 patch and returns the result. Changes `document` in place. `patch` is a list of objects that are not checked yet. Throws ApiError: Invalid,
 * with Kubernetes' generic message, for a patch that does not fit the document or a failed `test`; RequestEntityTooLarge for too many operations.
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
      // Validates the operation too, and refuses paths through prototypes.
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

/** The error for a patch that cannot be applied. Kubernetes answers with a generic sentence that does not name the reason. */
export function rejectedPatch(cause: unknown): ApiError {
  return new ApiError('Invalid', 'the server rejected our request due to an error in our request', {}, { cause });
}

function lengthAt(document: unknown, pointer: unknown): number {
  if (typeof pointer !== 'string') return 0;
  return (JSON.stringify(jsonPatch.getValueByPointer(document, pointer)) ?? '').length;
}
