import type { IdentityMapping } from './mapCaller.ts';

/** The stack's identities out of their JSON. Throws for what is none, naming it: letting nobody in would look like a wrong token. */
export function parseIdentities(text: string): readonly IdentityMapping[] {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) throw new Error('the identities are not a list');
  for (const one of parsed) {
    const { arn, username, groups } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const isIdentity = typeof arn === 'string' && typeof username === 'string' && isTexts(groups);
    if (!isIdentity) throw new Error(`no identity with arn, username and groups: ${JSON.stringify(one)}`);
  }
  return parsed as readonly IdentityMapping[];
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
