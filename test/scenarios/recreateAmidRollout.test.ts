import { expect, test } from 'vitest';
import { DeploymentBench, templateWith } from '../support/DeploymentBench.ts';

test('a rollout completes after one write changes its strategy to Recreate and its replicas', async () => {
  const bench = new DeploymentBench();
  await bench.bootstrap();
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  await bench.deploy({ replicas: 3, strategy: { type: 'RollingUpdate', rollingUpdate } });
  await bench.change({ template: templateWith('nginx:2', { 'simulate.driftless.dev/start-delay': '10s' }) });
  expect(await bench.sizes()).toEqual(['1 nginx:1: 3', '2 nginx:2: 1']);

  await bench.change({ strategy: { type: 'Recreate' }, replicas: 2 });
  await bench.advance(60_000);

  expect(await bench.sizes()).toEqual(['1 nginx:1: 0', '2 nginx:2: 2']);
  expect((await bench.deployment()).status).toMatchObject({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });
});
