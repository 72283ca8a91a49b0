import { expect, test } from 'vitest';
import type { Job, Pod } from '../../lambdas/objects/kinds.ts';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { jobManifest } from '../support/jobFixtures.ts';

const PI = { resource: 'jobs.batch', namespace: 'default', name: 'pi' } as const;

test('a Job runs to its end in the functions over models of the services, and is deleted after its time to live', async () => {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  await stack.bootstrap(['default'], 2);
  const spec = {
    completionMode: 'Indexed',
    completions: 20,
    parallelism: 10,
    backoffLimitPerIndex: 1,
    ttlSecondsAfterFinished: 300,
  };
  const manifest = jobManifest(spec, { 'fail-indexes': '3,7', 'fail-attempts': '1' });
  await stack.finish(() => registry.create(PI.resource, manifest));
  await stack.pass(120_000);
  let job: Job | undefined;
  let pods: readonly Pod[] = [];
  await stack.finish(async () => {
    job = await registry.get<Job>(PI);
    pods = (await registry.list<Pod>('pods', { namespace: 'default' })).items;
  });
  expect(job?.status).toMatchObject({
    succeeded: 20,
    failed: 2,
    completedIndexes: '0-19',
    uncountedTerminatedPods: {},
  });
  expect(job?.status?.conditions?.map(({ type }) => type)).toEqual(['SuccessCriteriaMet', 'Complete']);
  expect(pods.map(({ status }) => status?.phase ?? '').toSorted()).toEqual([
    ...Array<string>(2).fill('Failed'),
    ...Array<string>(20).fill('Succeeded'),
  ]);
  await stack.pass(300_000);
  await stack.finish(async () => {
    job = await registry.get<Job>(PI);
    pods = (await registry.list<Pod>('pods', { namespace: 'default' })).items;
  });
  expect([job, pods]).toEqual([undefined, []]);
}, 120_000);
