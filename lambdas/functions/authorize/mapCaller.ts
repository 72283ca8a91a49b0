import type { CallerIdentity } from './askSts.ts';

/** A Kubernetes user, as RBAC sees it. */
export interface MappedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** An ARN and its user. `{{SessionName}}` and `{{AccountID}}` in the user name and groups are replaced by the caller's. */
export interface IdentityMapping {
  /** The ARN of a role without its path, such as `arn:aws:iam::111122223333:role/Deployer`, or of an IAM user. */
  readonly arn: string;
  readonly username: string;
  readonly groups: readonly string[];
}

/**
 * Converts `arn:P:sts::A:assumed-role/NAME/SESSION` to `arn:P:iam::A:role/NAME`, which is how mappings name roles. IAM users, federated users and the account
 * root stay as they are. `undefined` for any other ARN.
 */
export function canonicalArn(arn: string): string | undefined {
  const match = /^arn:([a-z-]+):(iam|sts)::(\d{12}):(.+)$/.exec(arn);
  if (!match) return undefined;
  const [, partition, service, account, resource = ''] = match;
  if (service === 'iam') return resource === 'root' || resource.startsWith('user/') ? arn : undefined;
  const [type, name] = resource.split('/');
  if (type === 'assumed-role' && name) return `arn:${partition}:iam::${account}:role/${name}`;
  return type === 'federated-user' && name ? arn : undefined;
}

/** Returns the user to whom the caller is mapped; `undefined` if no mapping names the caller, since nobody has access by default. */
export function mapCaller(caller: CallerIdentity, mappings: readonly IdentityMapping[]): MappedUser | undefined {
  const canonical = canonicalArn(caller.arn);
  const mapping = canonical && mappings.find(({ arn }) => arn.toLowerCase() === canonical.toLowerCase());
  if (!mapping) return undefined;
  const fill = (template: string) =>
    template.replaceAll('{{AccountID}}', caller.account).replaceAll('{{SessionName}}', sessionName(caller.arn));
  return {
    username: fill(mapping.username),
    uid: `aws-iam-authenticator:${caller.account}:${caller.userId.split(':')[0]}`,
    groups: [...mapping.groups.map(fill), 'system:authenticated'],
  };
}

/** The caller chooses the session's name. `@` becomes `-`, as in aws-iam-authenticator, and so does `:`, so that no session can pass for a system user. */
function sessionName(arn: string): string {
  const session = arn.split('/').slice(2).join('/');
  return session.replaceAll('@', '-').replaceAll(':', '-');
}

/** Parses the stack's identities from their JSON. Throws an error that names an invalid one; ignoring it would look like a wrong token to its user. */
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
