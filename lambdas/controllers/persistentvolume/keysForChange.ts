import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { type Claim, SELECTED_NODE, type Volume } from '../scheduler/framework/Volumes.ts';
import { CLAIMS, VOLUMES } from './bindPair.ts';
import { classOf, isVolumeBoundToClaim } from './findMatchingVolume.ts';
import { isSimulatedVolume } from './provisionedVolume.ts';

export const CLASSES = 'storageclasses.storage.k8s.io';
export const NODES = 'nodes';

/** Returns the keys of the claims and volumes that the change may concern. Only a class that is new, a volume that becomes free and a node that is gone make it look for claims that wait. */
export function keysForChange(
  registry: RegistryReader,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  const subject = subjectOf(change);
  if (change.resource === NODES)
    return change.type === 'DELETED' ? keysOfSelecting(registry, subject.metadata.name) : [];
  if (change.resource === CLASSES) return change.type === 'ADDED' ? keysOfWaiting(registry, subject.metadata.name) : [];
  if (change.resource === VOLUMES) return keysForVolume(registry, change);
  if (change.type !== 'DELETED') return isUnbound(subject) ? [{ key: keyOf(subject) }] : [];
  const { volumeName = '' } = (subject as Claim).spec ?? {};
  return volumeName === '' ? [] : [{ key: volumeKey(volumeName) }];
}

/**
 * A volume that we made for a claim is bound with it, and needs no look of its own until a user changes it. A volume that names a claim without its UID is reserved for it, so the claim has something to find now, as has each claim
 * that waits when a free volume is new or has changed, and each that names a volume which another claim gets: Kubernetes looks at waiting claims again and again instead.
 */
function keysForVolume(registry: RegistryReader, change: Change): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  const { before, after } = change as { before?: Volume; after?: Volume };
  const { claimRef } = (after ?? before)?.spec ?? {};
  if (!after) return claimRef?.uid ? [{ key: claimKey(claimRef.namespace, claimRef.name) }] : [];
  const isChanged = before !== undefined && !isSameOffer(before, after);
  if (isSimulatedVolume(after) && !isChanged) return [];
  const isFree = after.status?.phase === 'Available' && !claimRef;
  if (isFree && (isChanged || before?.status?.phase !== 'Available'))
    return keysOfWaiting(registry, classOf(after), after.metadata.name);
  const own = { key: volumeKey(after.metadata.name) };
  const isReserved = claimRef !== undefined && !claimRef.uid;
  const keys = isReserved ? [own, { key: claimKey(claimRef.namespace, claimRef.name) }] : [own];
  return isTaken(before, after) ? keysOfRefused(registry, after).then((refused) => [...keys, ...refused]) : keys;
}

/** Whether the volume names a claim that it did not name before. */
function isTaken(before: Volume | undefined, after: Volume): boolean {
  const [former, taken] = [before?.spec?.claimRef, after.spec?.claimRef];
  return taken !== undefined && (former?.name !== taken.name || former?.namespace !== taken.namespace);
}

/** Returns the keys of the claims that name a volume which another claim has. */
async function keysOfRefused(registry: RegistryReader, volume: Volume): Promise<readonly KeyToSend[]> {
  const { items } = await registry.list<Claim>(CLAIMS);
  return items
    .filter((claim) => isUnbound(claim) && claim.spec?.volumeName === volume.metadata.name)
    .filter((claim) => !isVolumeBoundToClaim(volume, claim))
    .map((claim) => ({ key: keyOf(claim) }));
}

/** What claims look at in a volume that they could have. */
function isSameOffer(before: Volume, after: Volume): boolean {
  return jsonEqual(before.spec, after.spec) && jsonEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {});
}

/** Returns the keys of the claims of this class that have no volume, and that name none but this. */
async function keysOfWaiting(
  registry: RegistryReader,
  className: string,
  volumeName = '',
): Promise<readonly KeyToSend[]> {
  const { items } = await registry.list<Claim>(CLAIMS);
  const mayHave = ({ spec }: Claim) => [undefined, '', volumeName].includes(spec?.volumeName);
  return items
    .filter((claim) => isUnbound(claim) && mayHave(claim) && (classOf(claim) === className || claim.spec?.volumeName))
    .map((claim) => ({ key: keyOf(claim) }));
}

/** Returns the keys of the claims whose volumes were to be made for this node. */
async function keysOfSelecting(registry: RegistryReader, nodeName: string): Promise<readonly KeyToSend[]> {
  const { items } = await registry.list<Claim>(CLAIMS);
  return items
    .filter((claim) => isUnbound(claim) && claim.metadata.annotations?.[SELECTED_NODE] === nodeName)
    .map((claim) => ({ key: keyOf(claim) }));
}

/** Returns the key of a claim that has no volume, and of each volume. */
export function keysToResync(object: KubernetesObject, resource: GroupResource): readonly WorkKey[] {
  if (resource === VOLUMES) return [volumeKey(object.metadata.name)];
  return isUnbound(object) ? [keyOf(object)] : [];
}

function isUnbound({ metadata, status }: Claim): boolean {
  return status?.phase !== 'Bound' && metadata.deletionTimestamp === undefined;
}

function keyOf({ metadata: { namespace = '', name } }: KubernetesObject): WorkKey {
  return claimKey(namespace, name);
}

function claimKey(namespace = '', name = ''): WorkKey {
  return { controller: 'persistentvolume', namespace, name };
}

function volumeKey(name: string): WorkKey {
  return { controller: 'persistentvolume', namespace: '', name };
}
