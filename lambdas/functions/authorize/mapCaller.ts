import type { InstanceNames } from '../../ports/InstanceNames.ts';
import type { CallerIdentity } from './askSts.ts';

/** A Kubernetes user, as RBAC sees it. */
export interface MappedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** What stands in a user name or group for something of the caller, as in aws-iam-authenticator. An EC2 instance's session has the instance's id for its name. */
export const TEMPLATES = ['{{AccountID}}', '{{SessionName}}', '{{EC2PrivateDNSName}}'] as const;

/** An ARN and its user. The templates in the user name and groups are replaced by what is the caller's. */
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

export type MappedCaller =
  | { readonly status: 'mapped'; readonly user: MappedUser }
  | { readonly status: 'refused'; readonly why: string };

/**
 * Resolves to the user to whom the caller is mapped. A caller whom no mapping names is refused, since nobody has access by default, and so is one that should be an instance and is none. `instanceNames` is asked only
 * for mappings with `{{EC2PrivateDNSName}}`; rejects as it does.
 */
export async function mapCaller(
  caller: CallerIdentity,
  mappings: readonly IdentityMapping[],
  instanceNames: InstanceNames,
): Promise<MappedCaller> {
  const canonical = canonicalArn(caller.arn);
  const mapping = canonical && mappings.find(({ arn }) => arn.toLowerCase() === canonical.toLowerCase());
  if (!mapping) return refuse(`${caller.arn} is not mapped to a user`);
  if (!namesInstances(mapping)) return { status: 'mapped', user: userOf(mapping, caller) };
  const instanceId = sessionNameOf(caller.arn);
  if (!INSTANCE_ID.test(instanceId)) return refuse(`the session of ${caller.arn} is not named after an instance`);
  const privateDnsName = await instanceNames.privateDnsNameOf(instanceId);
  if (privateDnsName === undefined) return refuse(`EC2 knows no private DNS name of ${instanceId}`);
  return { status: 'mapped', user: userOf(mapping, caller, privateDnsName) };
}

/** True if the user of a mapping depends on an EC2 instance. Pure. */
export function namesInstances({ username, groups }: IdentityMapping): boolean {
  return [username, ...groups].some((template) => template.includes('{{EC2PrivateDNSName}}'));
}

const INSTANCE_ID = /^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

function refuse(why: string): MappedCaller {
  return { status: 'refused', why };
}

function userOf({ username, groups }: IdentityMapping, caller: CallerIdentity, privateDnsName = ''): MappedUser {
  const fill = (template: string) =>
    template
      .replaceAll('{{EC2PrivateDNSName}}', privateDnsName)
      .replaceAll('{{AccountID}}', caller.account)
      .replaceAll('{{SessionName}}', harmless(sessionNameOf(caller.arn)));
  return {
    username: fill(username),
    uid: `aws-iam-authenticator:${caller.account}:${caller.userId.split(':')[0]}`,
    groups: [...groups.map(fill), 'system:authenticated'],
  };
}

function sessionNameOf(arn: string): string {
  return arn.split('/').slice(2).join('/');
}

/** The caller chooses the session's name. `@` becomes `-`, as in aws-iam-authenticator, and so does `:`, so that no session can pass for a system user. */
function harmless(sessionName: string): string {
  return sessionName.replaceAll('@', '-').replaceAll(':', '-');
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
