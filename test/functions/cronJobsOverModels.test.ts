import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import type { CronJob, Job } from '../../lambdas/objects/kinds.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { cronJobManifest } from '../support/cronJobFixtures.ts';

const CRON_JOB = { resource: 'cronjobs.batch', namespace: 'default', name: 'nightly' } as const;

// The queue delays a message by 15 minutes at most.
test('a CronJob runs every 20 minutes in the functions over models of the services', async () => {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  await stack.bootstrap(['default'], 2);
  await stack.finish(() => registry.create(CRON_JOB.resource, cronJobManifest({ schedule: '@every 20m' })));
  await stack.pass(50 * 60_000);
  let cronJob: CronJob | undefined;
  let jobs: readonly Job[] = [];
  await stack.finish(async () => {
    cronJob = await registry.get<CronJob>(CRON_JOB);
    jobs = (await registry.list<Job>('jobs.batch', { namespace: 'default' })).items;
  });
  const sinceMs = Date.parse(cronJob?.metadata.creationTimestamp ?? '');
  const minutesOf = ({ metadata }: Job) => Number(metadata.name.split('-').at(-1)) - Math.floor(sinceMs / 60_000);
  expect(jobs.map(minutesOf)).toEqual([20, 40]);
  expect(jobs.map(({ status }) => status?.conditions?.at(-1)?.type)).toEqual(['Complete', 'Complete']);
  expect(Date.parse(cronJob?.status?.lastScheduleTime ?? '') - sinceMs).toBe(40 * 60_000);
  expect(cronJob?.status?.active).toBeUndefined();
}, 120_000);
