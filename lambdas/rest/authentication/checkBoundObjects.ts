import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Registry } from '../../registry/Registry.ts';
import { notFound } from '../../objects/apiErrors.ts';
import type { NamedObject, TokenClaims } from './TokenClaims.ts';

const INVALIDATED = 'service account token has been invalidated';
/** An object that was deleted this short a time ago still counts, as clocks may differ. */
const LEEWAY_MS = 60_000;

type Reads = Pick<Registry, 'get'>;

/**
 * Checks that the service account of a token and the object to which it is bound still exist, under the UIDs that the token names. Returns why not, in the words of Kubernetes'
 * `validator.Validate`; `undefined` if they do. One read for the account, and one for a bound object.
 */
export async function checkBoundObjects(
  registry: Reads,
  claims: TokenClaims,
  nowMs: number,
): Promise<string | undefined> {
  const { namespace, serviceaccount, secret, pod, node } = claims['kubernetes.io'];
  const why = await checkAccount(registry, namespace, serviceaccount, nowMs);
  if (why !== undefined) return why;
  const check = (resource: GroupResource, place: string, reference: NamedObject) =>
    checkObject(registry, { resource, namespace: place, reference, nowMs });
  if (secret) return check('secrets', namespace, secret);
  if (pod) return check('pods', namespace, pod);
  return node && check('nodes', '', node);
}

async function checkAccount(
  registry: Reads,
  namespace: string,
  { name, uid }: NamedObject,
  nowMs: number,
): Promise<string | undefined> {
  const account = await registry.get({ resource: 'serviceaccounts', namespace, name });
  if (!account) return notFound('serviceaccounts', name).message;
  if (wasDeleted(account, nowMs)) return `service account ${namespace}/${name} has been deleted`;
  if (account.metadata.uid === uid) return undefined;
  return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
}

interface BoundObject {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly reference: NamedObject;
  readonly nowMs: number;
}

/** What Kubernetes calls the claim of each kind of object. */
const CLAIMS: Readonly<Record<string, readonly [kind: string, claim: string]>> = {
  secrets: ['secret', 'secret ref'],
  pods: ['pod', 'pod ref'],
  nodes: ['node', 'node ref'],
};

async function checkObject(
  registry: Reads,
  { resource, namespace, reference: { name, uid }, nowMs }: BoundObject,
): Promise<string | undefined> {
  const found = await registry.get({ resource, namespace, name });
  if (!found || wasDeleted(found, nowMs)) return INVALIDATED;
  if (found.metadata.uid === uid) return undefined;
  const [kind, claim] = CLAIMS[resource] ?? [resource, resource];
  return `${kind} UID (${found.metadata.uid}) does not match service account ${claim} claim (${uid})`;
}

/** A pod's deletion timestamp is when its grace period is over. */
function wasDeleted({ metadata }: KubernetesObject, nowMs: number): boolean {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - LEEWAY_MS;
}
