import type { EmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { soundObjects, type SoundObjectsParts } from '../../lambdas/functions/soundObjects.ts';
import { jsonEqual } from '../../lambdas/objects/json.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { misfitOf } from '../../lambdas/rest/schema/misfitOf.ts';

/** Resources whose pod templates are compared with those of other objects. Pods would take too long at each start, and are compared with nothing. */
const WITH_TEMPLATES = new Set<GroupResource>([
  'cronjobs.batch',
  'daemonsets.apps',
  'deployments.apps',
  'jobs.batch',
  'replicasets.apps',
  'replicationcontrollers',
  'statefulsets.apps',
]);

/** Returns the store's objects as everything can rely on them (see `soundObjects`). All that this process writes is sound, so what is stored at the start is looked at once, and most often nothing is left to do. */
export function openSoundStore(store: EmbeddedStore, log: SoundObjectsParts['log'] = () => {}): ObjectStore {
  const resources = new Set<GroupResource>();
  const misfits = new Map<KubernetesObject, string>();
  const defaulted = new Map<KubernetesObject, KubernetesObject>();
  for (const [resource, object] of store.objects()) {
    const why = misfitOf(object);
    const draft = why === undefined ? draftWithDefaults(resource, object) : undefined;
    if (why !== undefined) misfits.set(object, why);
    else if (draft) defaulted.set(object, draft);
    if (why !== undefined || draft) resources.add(resource);
  }
  if (resources.size === 0) return store.objectStore;
  return soundObjects({
    objectStore: store.objectStore,
    misfitOf: (_, object) => misfits.get(object),
    withDefaults: <T extends KubernetesObject>(_: GroupResource, object: T) => (defaulted.get(object) ?? object) as T,
    isSuspect: (resource) => resources.has(resource),
    log,
  });
}

/** Returns `undefined` if the object lacks none, or if its defaults cannot be told. */
function draftWithDefaults(resource: GroupResource, object: KubernetesObject): KubernetesObject | undefined {
  if (!WITH_TEMPLATES.has(resource)) return undefined;
  const version = resourceEntries.find(({ groupResource }) => groupResource === resource)?.versions[0];
  const draft = structuredClone(object);
  try {
    version?.applyDefaults?.(draft);
  } catch {
    return undefined;
  }
  return jsonEqual(draft, object) ? undefined : draft;
}
