import { expect, test } from 'vitest';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { createJobController } from '../../../lambdas/controllers/job/createJobController.ts';
import type { Job } from '../../../lambdas/objects/kinds.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import { jobManifest } from '../../support/jobFixtures.ts';
import { openTestRegistry, stored } from '../../support/openTestRegistry.ts';

const KEY = { controller: 'job', namespace: 'ns', name: 'pi' } as const;
const AT = '2026-01-01T00:00:00Z';

/** Syncs a Job without pods once. Returns the condition that it has then, and what its key remembers after that sync. */
async function syncOnce(conditionType: string | undefined): Promise<{ condition?: string; intent?: Intent }> {
  const { registry, store, clock, ids } = await openTestRegistry();
  const manifest = jobManifest();
  const job = stored(
    await registry.create<Job>('jobs.batch', { ...manifest, metadata: { ...manifest.metadata, namespace: 'ns' } }),
  );
  const conditions = conditionType ? [{ type: conditionType, status: 'True', lastTransitionTime: AT }] : [];
  const status = { startTime: AT, failed: 1, conditions };
  stored(await registry.update<Job>('jobs.batch', { ...job, status }, { subresource: 'status' }));
  const deps = { registry, ids, events: { record: async () => {} } };
  const controller = guardWrites(createJobController(deps), { registry, objectStore: store, clock });
  const nowMs = clock.now();
  const backoff = { failures: 1, lastFailureMs: nowMs };
  let intent: Intent | undefined = {
    id: ids.uid(),
    ownerUid: job.metadata.uid,
    count: 0,
    deletes: [],
    memory: { backoff },
  };
  const recordIntent = async (recorded: Intent | undefined) => {
    intent = recorded;
  };
  await controller.sync(KEY, { nowMs, deadlineMs: nowMs + 30_000, item: { failures: 0, intent }, recordIntent });
  const after = await registry.get<Job>({ resource: 'jobs.batch', ...KEY });
  const condition = after?.status?.conditions?.at(-1)?.type;
  return { ...(condition && { condition }), ...(intent && { intent }) };
}

// A later sync may never come: its message may be among those that are given up, and nobody queues the key of a Job that has ended again.
test.each([
  { why: 'FailureTarget', condition: 'Failed' },
  { why: 'SuccessCriteriaMet', condition: 'Complete' },
])('the sync that ends a Job forgets its pods that failed by being deleted: $condition', async ({ why, condition }) => {
  expect(await syncOnce(why)).toEqual({ condition });
});

test('a Job that goes on remembers its pods that failed by being deleted', async () => {
  expect((await syncOnce(undefined)).intent?.memory).toMatchObject({ backoff: { failures: 1 } });
});
