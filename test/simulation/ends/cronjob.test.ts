import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { cronJobManifest } from '../../support/cronJobFixtures.ts';
import { jobManifest } from '../../support/jobFixtures.ts';
import { World } from '../World.ts';
import { unfinishedCronJob } from './cronjob.ts';

const CREATED = { creationTimestamp: '2026-01-01T00:00:00Z', resourceVersion: '1' };

/** A suspended CronJob whose status names an active Job. */
function worldWith(job?: KubernetesObject): World {
  const manifest = cronJobManifest({ suspend: true });
  const active = [{ apiVersion: 'batch/v1', kind: 'Job', namespace: 'default', name: 'nightly-1', uid: 'run' }];
  const cronJob = { ...manifest, metadata: { ...manifest.metadata, ...CREATED, uid: 'cron' }, status: { active } };
  const world = new World();
  world.apply({ type: 'ADDED', resource: 'cronjobs.batch', version: 1, after: cronJob });
  if (job) world.apply({ type: 'ADDED', resource: 'jobs.batch', version: 2, after: job });
  return world;
}

function jobOf(owners: readonly string[], name = 'nightly-1', namespace = 'default'): KubernetesObject {
  const { metadata, ...rest } = jobManifest({}, {}, name);
  const ownerReferences = owners.map((uid) => {
    return { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid, controller: true };
  });
  return { ...rest, metadata: { ...metadata, ...CREATED, namespace, uid: 'run', ownerReferences } };
}

test('a Job that a user took away from its CronJob stays active while a Job of that name exists', () => {
  expect(unfinishedCronJob(worldWith(jobOf([])))).toBeUndefined();
  expect(unfinishedCronJob(worldWith(jobOf(['another'])))).toBeUndefined();
});

test.each([
  ['has gone', undefined],
  ['is still its own', jobOf(['cron'])],
  ['has gone, though another one was taken away', jobOf([], 'nightly-2')],
  ['has gone from its namespace', jobOf([], 'nightly-1', 'other')],
])('a suspended CronJob has no active Job that %s', (_, job) => {
  expect(unfinishedCronJob(worldWith(job))).toMatch(/^CronJob default\/nightly has active jobs, and none runs/);
});
