import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { AuditedStore } from './AuditedStore.ts';
import type { GateParts } from './Gate.ts';
import type { World } from './World.ts';

/** Somebody annotates the object between a worker's read and its write, so that a conditional write meets a conflict. */
export async function intrude(
  { resource, namespace, name }: ObjectKey,
  { random, faults, scheduler }: GateParts,
  store: AuditedStore,
  world: World,
): Promise<void> {
  if (!random.chance(faults.rates.rival)) return;
  const object = world.get(resource, namespace, name);
  if (!object) return;
  const annotations = { ...object.metadata.annotations, 'simulation/rival': String(scheduler.eventCount) };
  await store.replace('rival', resource, { ...object, metadata: { ...object.metadata, annotations } });
}
