import type { SyncReport } from '../Controller.ts';
import { reportWrite } from '../endpoint/reportWrite.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { reportDone } from '../endpoint/endpointReasons.ts';
import type { EndpointSlice, SlicePlan } from './planSlices.ts';

export const SLICES = 'endpointslices.discovery.k8s.io';

/** Writes the plan, and stops at the first write that does not succeed. */
export async function commitSlices(
  registry: GuardedRegistry,
  { create, update, remove }: SlicePlan,
): Promise<SyncReport> {
  const writes: string[] = [];
  const steps = [
    ...create.map(
      (object) => async () =>
        reportWrite(await registry.create(SLICES, object), `create ${SLICES} ${placeOf(object.metadata)}`),
    ),
    ...update.map(
      ({ object, from }) =>
        async () =>
          reportWrite(await registry.update(SLICES, object, { from }), `update ${SLICES} ${placeOf(from.metadata)}`),
    ),
    ...remove.map(
      (slice) => async () =>
        reportWrite(await removeSlice(registry, slice), `delete ${SLICES} ${placeOf(slice.metadata)}`),
    ),
  ];
  for (const step of steps) {
    const one = await step();
    if (one.writes.length === 0) return { ...one, writes };
    writes.push(...one.writes);
  }
  return reportDone({ reason: writes.length > 0 ? 'endpointsChanged' : 'endpointsAreRight' }, writes);
}

function removeSlice(registry: GuardedRegistry, { metadata: { namespace = '', name, uid } }: EndpointSlice) {
  return registry.delete({ resource: SLICES, namespace, name }, { preconditions: { uid } });
}

function placeOf({
  namespace = '',
  name,
  generateName = '',
}: {
  namespace?: string;
  name?: string;
  generateName?: string;
}) {
  return `${namespace}/${name ?? generateName}`;
}
