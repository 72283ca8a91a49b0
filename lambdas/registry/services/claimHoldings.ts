import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import { parseIpAddress } from '../../objects/addresses/IpAddress.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';
import { type Holding, holdingsOf } from './Holding.ts';

/*
 * A claim is an object whose name is what it claims, so that only one can be created: for an address the IPAddress that Kubernetes has for it, too, and for a node port an object that is not served. A Service is written while it has the
 * claims of all that it holds. What is left over by a crash is taken over.
 */

export const SERVICES = 'services';
const IP_ADDRESSES = 'ipaddresses.networking.k8s.io';
/** The claims of node ports. No client sees them. */
export const NODE_PORTS = 'nodeports.driftless.dev';

/** A claim whose Service does not have what is claimed is left over after this time: any write of the Service that it was made for has arrived, or never will. */
export const ABANDONED_MS = 60_000;

/** How long after it was begun a claim may be relied on: well below `ABANDONED_MS`, with a write's own lifetime. */
export const CLAIM_LASTS_MS = 20_000;

interface Owner {
  readonly namespace: string;
  readonly name: string;
}

export function ownerOf({ metadata: { namespace = '', name } }: KubernetesObject): Owner {
  return { namespace, name };
}

function keyOf(holding: Holding): ObjectKey {
  const slash = holding.indexOf('/');
  const resource = holding.startsWith('ip/') ? IP_ADDRESSES : NODE_PORTS;
  return { resource, namespace: '', name: holding.slice(slash + 1) };
}

/** Claims something for a Service; `undefined` if it is taken. */
export async function claim(
  context: RegistryContext,
  holding: Holding,
  owner: Owner,
): Promise<KubernetesObject | undefined> {
  const { objectStore } = context;
  const { resource } = keyOf(holding);
  for (;;) {
    const outcome = await objectStore.create(resource, newClaim(context, holding, owner));
    if (outcome.status === 'stored') return outcome.object;
    const current = outcome.status === 'exists' ? outcome.current : undefined;
    if (!current || !(await isAbandoned(context, holding, current))) return undefined;
    await releaseClaims(context, [{ holding, object: current }]);
  }
}

function newClaim({ ids, clock }: RegistryContext, holding: Holding, owner: Owner): NewObject {
  const { name } = keyOf(holding);
  const parentRef = { resource: SERVICES, ...owner };
  const metadata = { name, uid: ids.uid(), resourceVersion: '', creationTimestamp: formatTime(clock.now()) };
  if (!holding.startsWith('ip/'))
    return { apiVersion: 'driftless.dev/v1', kind: 'NodePort', metadata, spec: { parentRef } };
  const labels = {
    'ipaddress.kubernetes.io/ip-family': parseIpAddress(name)?.family === 6 ? 'IPv6' : 'IPv4',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  };
  const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress' };
  return { ...kind, metadata: { ...metadata, labels }, spec: { parentRef } };
}

/** True for a claim that no Service has, and for which none can be on its way. */
async function isAbandoned(
  { objectStore, clock }: RegistryContext,
  holding: Holding,
  { metadata, ...claimed }: KubernetesObject,
): Promise<boolean> {
  const { parentRef } = fieldsOf<{ parentRef: unknown }>(claimed['spec']);
  const { group, resource, namespace, name } = fieldsOf<Record<string, string>>(parentRef);
  // An address can belong to something else, such as a gateway.
  if (textOf(group) !== '' || resource !== SERVICES) return false;
  if (clock.now() - Date.parse(metadata.creationTimestamp) < ABANDONED_MS) return false;
  const service = await objectStore.get({ resource: SERVICES, namespace: textOf(namespace), name: textOf(name) });
  return !holdingsOf(service).has(holding);
}

/** A claim that has been stored. */
export interface StoredClaim {
  readonly holding: Holding;
  readonly object: KubernetesObject;
}

/** Returns the claims of what a Service holds. Read before the Service is written, they are its own. */
export async function readClaims(
  { objectStore }: Pick<RegistryContext, 'objectStore'>,
  holdings: readonly Holding[],
  owner: Owner,
): Promise<readonly StoredClaim[]> {
  const read = async (holding: Holding) => ({ holding, object: await objectStore.get(keyOf(holding)) });
  const found = await Promise.all(holdings.map(read));
  return found.flatMap(({ holding, object }) => (object && isOf(object, owner) ? [{ holding, object }] : []));
}

function isOf(claimed: KubernetesObject, owner: Owner): boolean {
  const { parentRef } = fieldsOf<{ parentRef: unknown }>(claimed['spec']);
  const { resource, namespace, name } = fieldsOf<Record<string, string>>(parentRef);
  return resource === SERVICES && namespace === owner.namespace && name === owner.name;
}

/** Gives claims back, unless somebody has taken one over since it was read. What cannot be given back now counts as abandoned later, so nobody hears of it. */
export async function releaseClaims(
  { objectStore }: Pick<RegistryContext, 'objectStore'>,
  claims: readonly StoredClaim[],
): Promise<void> {
  await Promise.allSettled(
    claims.map(({ holding, object: { metadata } }) =>
      objectStore.remove(keyOf(holding), { uid: metadata.uid, resourceVersion: metadata.resourceVersion }),
    ),
  );
}
