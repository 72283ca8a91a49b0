import { describe, expect, test } from 'vitest';
import { commitHistory, commitRun, type RunStep } from '../../../lambdas/controllers/cronjob/commitRun.ts';
import { referenceTo } from '../../../lambdas/controllers/cronjob/trackJobs.ts';
import { GuardedRegistry } from '../../../lambdas/controllers/GuardedWriters.ts';
import type { CronJob, Job } from '../../../lambdas/objects/kinds.ts';
import { cronJobManifest } from '../../support/cronJobFixtures.ts';
import { jobManifest } from '../../support/jobFixtures.ts';
import { changeMeta, key, openTestRegistry, stored } from '../../support/openTestRegistry.ts';

const RUN_MS = Date.UTC(2026, 0, 1, 0, 5);
const JOB = key('jobs.batch', 'nightly-1');

async function openScene() {
  const { registry } = await openTestRegistry();
  const manifest = cronJobManifest({ concurrencyPolicy: 'Replace' }, {}, { namespace: 'ns' });
  const cronJob = stored(await registry.create<CronJob>('cronjobs.batch', manifest));
  const { uid } = cronJob.metadata;
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid, controller: true };
  const metadata = { namespace: 'ns', name: JOB.name, ownerReferences: [owner] };
  const job = stored(await registry.create<Job>(JOB.resource, { ...jobManifest(), metadata }));
  return { registry: new GuardedRegistry(registry, () => Number.POSITIVE_INFINITY), cronJob, job };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** What deletes a Job of a CronJob. */
const deletions: readonly (readonly [string, (scene: Scene) => Promise<RunStep>])[] = [
  ['an old one of its history', ({ registry, cronJob, job }) => commitHistory(registry, cronJob, [job], {})],
  [
    'one that a run replaces',
    ({ registry, cronJob, job }) => commitRun(registry, cronJob, RUN_MS, { active: [referenceTo(job)] }),
  ],
];

describe.each(deletions)('of the Jobs of a CronJob, %s', (_, deletion) => {
  test('is deleted', async () => {
    const scene = await openScene();
    const { happened } = await deletion(scene);
    expect(happened.map(({ reason }) => reason)).toContain('SuccessfulDelete');
    expect(await scene.registry.get(JOB)).toBeUndefined();
  });

  test('is kept if somebody has orphaned it meanwhile', async () => {
    const scene = await openScene();
    stored(await scene.registry.update(JOB.resource, changeMeta(scene.job, { ownerReferences: [] })));
    const { happened } = await deletion(scene);
    expect(happened.map(({ reason }) => reason)).not.toContain('SuccessfulDelete');
    expect(await scene.registry.get(JOB)).toMatchObject({ metadata: { uid: scene.job.metadata.uid } });
  });
});
