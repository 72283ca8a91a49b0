import { goMapText } from '../../objects/goMapText.ts';

/** The error of a malformed strategic merge patch, with apimachinery's message. decodePatch turns it into an ApiError. */
export class PatchError extends Error {
  /** True for errors that Kubernetes answers as unprocessable, with a generic sentence. */
  readonly unprocessable: boolean;

  constructor(message: string, unprocessable = false) {
    super(message);
    this.unprocessable = unprocessable;
  }
}

/** `directive` is one of `retainKeys`, `primitive list`, `setElementOrder list`. */
export function badFormat(directive: string): PatchError {
  return new PatchError(`invalid patch format of ${directive}`);
}

export function unknownDirective(directive: unknown, patch: unknown): PatchError {
  return new PatchError(`unknown patch type: ${goMapText(directive)} in map: ${goMapText(patch)}`);
}

export function noMergeKey(item: unknown, mergeKey: string): PatchError {
  return new PatchError(`map: ${goMapText(item)} does not contain declared merge key: ${mergeKey}`);
}
