/** A strategic merge patch that makes no sense; the message is apimachinery's. Becomes an ApiError where the patch came in. */
export class PatchError extends Error {
  /** Kubernetes answers some of these as unprocessable, with a generic sentence. */
  readonly unprocessable: boolean;

  constructor(message: string, unprocessable = false) {
    super(message);
    this.unprocessable = unprocessable;
  }
}

/** `what`: `retainKeys`, `primitive list`, `setElementOrder list`. */
export function badFormat(what: string): PatchError {
  return new PatchError(`invalid patch format of ${what}`);
}

export function unknownDirective(directive: unknown, patch: unknown): PatchError {
  return new PatchError(`unknown patch type: ${goMapText(directive)} in map: ${goMapText(patch)}`);
}

export function noMergeKey(item: unknown, mergeKey: string): PatchError {
  return new PatchError(`map: ${goMapText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** JSON as Go's `%v` prints what it decodes to: `map[spec:map[replicas:3]]`, keys sorted, `<nil>` for null. */
export function goMapText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(goMapText).join(' ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${goMapText(member)}`).join(' ')}]`;
}
