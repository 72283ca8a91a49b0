import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../guardWrites.ts';
import type { Claim, Volume } from '../scheduler/framework/Volumes.ts';
import { CLAIMS, VOLUMES } from './bindPair.ts';
import { classOf } from './findMatchingVolume.ts';
import { isSimulatedVolume } from './provisionedVolume.ts';

export const CLASSES = 'storageclasses.storage.k8s.io';

/** Returns the keys of the claims and volumes that the change may concern. Only a class that is new and a volume that becomes free make it look for claims that wait. */
export function keysForChange(
  registry: RegistryReader,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  const subject = subjectOf(change);
  if (change.resource === CLASSES) return change.type === 'ADDED' ? keysOfWaiting(registry, subject.metadata.name) : [];
  if (change.resource === VOLUMES) return keysForVolume(registry, change);
  if (change.type !== 'DELETED') return isUnbound(subject) ? [{ key: keyOf(subject) }] : [];
  const { volumeName = '' } = (subject as Claim).spec ?? {};
  return volumeName === '' ? [] : [{ key: volumeKey(volumeName) }];
}

/** Volumes that we made for a claim are bound with it, and need no look of their own. */
function keysForVolume(registry: RegistryReader, change: Change): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  const { before, after } = change as { before?: Volume; after?: Volume };
  const { claimRef } = (after ?? before)?.spec ?? {};
  if (!after) return claimRef?.uid ? [{ key: claimKey(claimRef.namespace, claimRef.name) }] : [];
  if (isSimulatedVolume(after)) return [];
  const isFreed = after.status?.phase === 'Available' && before?.status?.phase !== 'Available';
  if (isFreed && !claimRef) return keysOfWaiting(registry, classOf(after), after.metadata.name);
  return [{ key: volumeKey(after.metadata.name) }];
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
