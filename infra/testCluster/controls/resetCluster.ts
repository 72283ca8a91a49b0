import type { GroupResource, ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { ControlPlane } from '../../local/startControlPlane.ts';
import { CLOCKS, POD_BEHAVIOURS } from './testingEntries.ts';

const EVENTS = 'events';

export interface ResetOptions {
  /** What was written up to this version, and not since, stays. */
  readonly baseVersion: number;
  /** Whether a behaviour of this name stays. */
  readonly isKept: (name: string) => boolean;
}

/**
 * Empties a cluster: removes every object that was written since the cluster was new, whatever finalizers or grace periods it has, and restores what every cluster has. Watches see each object go. Versions keep
 * rising. Resolves when the controllers have seen it, too.
 */
export async function resetCluster(controlPlane: ControlPlane, options: ResetOptions): Promise<void> {
  // Otherwise a sync that began before could write once more.
  await controlPlane.whenIdle();
  await removeAll(controlPlane, await newKeys(controlPlane, options));
  await controlPlane.whenIdle();
  await controlPlane.bootstrap();
  await controlPlane.whenIdle();
  // The controllers have told about the removal of what they knew.
  await removeAll(controlPlane, await newKeysOf(controlPlane, EVENTS, options));
  await controlPlane.whenIdle();
}

/** The keys of what is new. Custom objects are found by their definitions, so nothing is removed before all is listed. */
async function newKeys(controlPlane: ControlPlane, options: ResetOptions): Promise<readonly ObjectKey[]> {
  const { builtIn, custom } = controlPlane.catalog;
  const stored = builtIn.filter(({ virtual }) => !virtual).map(({ groupResource }) => groupResource);
  const defined = (await custom.list()).map(({ groupResource }) => groupResource);
  const lists = [...stored, ...defined].map((resource) => newKeysOf(controlPlane, resource, options));
  return (await Promise.all(lists)).flat();
}

async function newKeysOf(
  { ports }: ControlPlane,
  resource: GroupResource,
  { baseVersion, isKept }: ResetOptions,
): Promise<readonly ObjectKey[]> {
  if (resource === CLOCKS) return [];
  const { items } = await ports.objectStore.list(resource);
  return items
    .filter(({ metadata }) => Number(metadata.resourceVersion) > baseVersion)
    .filter(({ metadata }) => resource !== POD_BEHAVIOURS || !isKept(metadata.name))
    .map(({ metadata: { namespace = '', name } }) => ({ resource, namespace, name }));
}

async function removeAll(controlPlane: ControlPlane, keys: readonly ObjectKey[]): Promise<void> {
  await Promise.all(keys.map((key) => controlPlane.removeAtOnce(key)));
}
