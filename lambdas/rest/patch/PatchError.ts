import { goMapText } from '../../objects/go/goMapText.ts';

/**
 * What Kubernetes answers to a malformed strategic merge patch: BadRequest for a directive in a wrong format, Invalid with a generic sentence for what it cannot
 * process, and for everything else the code 500 without a reason.
 */
type PatchRefusal = 'BadRequest' | 'Invalid' | 'Unknown';

/** The error of a malformed strategic merge patch, with apimachinery's message. decodePatch turns it into an ApiError. */
export class PatchError extends Error {
  readonly refusal: PatchRefusal;

  constructor(message: string, refusal: PatchRefusal = 'Unknown') {
    super(message);
    this.refusal = refusal;
  }
}

/** `directive` is one of `retainKeys`, `primitive list`, `setElementOrder list`. */
export function badFormat(directive: string): PatchError {
  return new PatchError(`invalid patch format of ${directive}`, 'BadRequest');
}

export function unknownDirective(directive: unknown, patch: unknown): PatchError {
  return new PatchError(`unknown patch type: ${goMapText(directive)} in map: ${goMapText(patch)}`);
}

export function noMergeKey(item: unknown, mergeKey: string): PatchError {
  return new PatchError(`map: ${goMapText(item)} does not contain declared merge key: ${mergeKey}`);
}
