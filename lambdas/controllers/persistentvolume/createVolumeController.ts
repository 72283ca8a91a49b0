import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { PersistentVolumeClaim } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { SIMULATED_PROVISIONER } from '../../objects/simulatedStorage.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../guardWrites.ts';
import { isSimulatedVolume } from './provisionedVolume.ts';
import { CLAIMS, syncClaim, VOLUMES } from './syncClaim.ts';
import { syncVolume } from './syncVolume.ts';

const CLASSES = 'storageclasses.storage.k8s.io';

/**
 * The part of Kubernetes' persistent volume controller that pods on simulated nodes need: it makes volumes for claims of classes with our provisioner, binds them, and deletes them after their claims. Volumes that somebody else made
 * are bound by somebody else. The keys of volumes have no namespace.
 */
export function createVolumeController({
  registry,
  events,
}: {
  readonly registry: RegistryReader;
  readonly events: EventRecorder;
}): Controller<SyncContext> {
  return {
    name: 'persistentvolume',
    resources: [CLAIMS, VOLUMES],
    watches: [CLAIMS, CLASSES],
    keysFor: (change) => keysForChange(registry, change),
    keysToResync,
    sync: (key, context) => (key.namespace === '' ? syncVolume(key, context) : syncClaim(events, key, context)),
  };
}

function keysForChange(registry: RegistryReader, change: Change): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  const subject = subjectOf(change);
  if (change.resource === CLASSES) return change.type === 'ADDED' ? keysOfClass(registry, subject) : [];
  if (change.type !== 'DELETED') return isUnbound(subject) ? [{ key: keyOf(subject) }] : [];
  const { volumeName = '' } = (subject as PersistentVolumeClaim).spec ?? {};
  return volumeName === '' ? [] : [{ key: volumeKey(volumeName) }];
}

/** Claims may be there before the class that they name. */
async function keysOfClass(
  registry: RegistryReader,
  { metadata, ...rest }: KubernetesObject,
): Promise<readonly KeyToSend[]> {
  if (rest['provisioner'] !== SIMULATED_PROVISIONER) return [];
  const { items } = await registry.list<PersistentVolumeClaim>(CLAIMS);
  const waiting = items.filter((claim) => claim.spec?.storageClassName === metadata.name && isUnbound(claim));
  return waiting.map((claim) => ({ key: keyOf(claim) }));
}

function keysToResync(object: KubernetesObject, resource: GroupResource): readonly WorkKey[] {
  if (resource === CLAIMS) return isUnbound(object) ? [keyOf(object)] : [];
  return isSimulatedVolume(object) ? [volumeKey(object.metadata.name)] : [];
}

/** Whether the claim may get a volume. One without a class gets none. */
function isUnbound(claim: PersistentVolumeClaim): boolean {
  const { metadata, spec, status } = claim;
  return status?.phase !== 'Bound' && metadata.deletionTimestamp === undefined && Boolean(spec?.storageClassName);
}

function keyOf({ metadata: { namespace = '', name } }: KubernetesObject): WorkKey {
  return { controller: 'persistentvolume', namespace, name };
}

function volumeKey(name: string): WorkKey {
  return { controller: 'persistentvolume', namespace: '', name };
}
