import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { CLAIMS, VOLUMES } from './bindPair.ts';
import { CLASSES, keysForChange, keysToResync, NODES } from './keysForChange.ts';
import { syncClaim } from './syncClaim.ts';
import { syncVolume } from './syncVolume.ts';

/** Kubernetes' persistent volume controller: it binds claims to volumes, makes volumes for claims of classes with our provisioner, and reclaims volumes whose claims are gone. The keys of volumes have no namespace. */
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
    watches: [CLAIMS, VOLUMES, CLASSES, NODES],
    keysFor: (change) => keysForChange(registry, change),
    keysToResync,
    sync: (key, context) => (key.namespace === '' ? syncVolume(events, key, context) : syncClaim(events, key, context)),
  };
}
