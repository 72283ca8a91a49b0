import { expect, it } from 'vitest';
import { startTestCluster } from '../../support/startTestCluster.ts';

const POD = '/api/v1/namespaces/default/pods/web';

it('follows the log of a simulated container until the container ends', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', quietMs: 0 });
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      annotations: { 'simulate.driftless.dev/log': 'working', 'simulate.driftless.dev/crash-after': '10s' },
    },
    spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
  });
  await cluster.settle();
  const following = await cluster.request(`${POD}/log?follow=true&timestamps=true`);
  await cluster.advance('10s');
  expect(await following.text()).toBe(
    [
      '2026-01-01T00:00:00.000000000Z main started with image docker.io/library/nginx:1 (simulated)',
      '2026-01-01T00:00:00.000000000Z working',
      '2026-01-01T00:00:10.000000000Z main fails, as asked by simulate.driftless.dev/crash-after=10s',
      '2026-01-01T00:00:10.000000000Z main ended with exit code 1 (Error)',
      '',
    ].join('\n'),
  );
  const limited = await cluster.request(`${POD}/log?follow=true&limitBytes=12`);
  expect(await limited.text()).toBe('main started');
});

it('ends what follows a log when the pod is deleted', async () => {
  const cluster = await startTestCluster({ clock: 'virtual', quietMs: 0 });
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'main', image: 'nginx:1' }], terminationGracePeriodSeconds: 0 },
  });
  await cluster.settle();
  const following = await cluster.request(`${POD}/log?follow=true`);
  await cluster.delete('pods/default/web');
  await cluster.settle();
  expect(await following.text()).toBe('main started with image docker.io/library/nginx:1 (simulated)\n');
});
