export interface PolicyStatement {
  readonly Action: string | readonly string[];
  readonly Effect: 'Allow' | 'Deny';
  readonly Resource: string | readonly string[];
}

/** IAM's decision: something must allow it, and nothing deny it. Knows no conditions. Pure. */
export function isAllowed(statements: readonly PolicyStatement[], action: string, resource: string): boolean {
  const concerning = statements.filter(
    ({ Action, Resource }) =>
      [Action].flat().some((pattern) => isLike(action.toLowerCase(), pattern.toLowerCase())) &&
      [Resource].flat().some((pattern) => isLike(resource, pattern)),
  );
  return concerning.length > 0 && concerning.every(({ Effect }) => Effect === 'Allow');
}

/** `*` for anything, `?` for one character. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
