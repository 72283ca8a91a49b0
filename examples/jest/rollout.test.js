const { expect } = require('@jest/globals');
const { clusterTest } = require('driftless-k8s/jest');

const test = clusterTest({ clock: 'virtual' });

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
};

test('a rollout completes', async ({ cluster, namespace }) => {
  await cluster.apply(web);
  expect(await cluster.get('deployment/web')).toBeProgressing();
  await cluster.advance('10s');
  const deployment = await cluster.get('deployment/web');
  expect(deployment.metadata.namespace).toBe(namespace);
  expect(deployment).toBeAvailable();
  expect(deployment).toBeComplete();
  await expect(cluster).toHaveEvent({ on: 'deployment/web', reason: 'ScalingReplicaSet', message: /to 3$/ });
});

test('each test begins with an empty cluster', async ({ cluster }) => {
  expect(await cluster.list('deployments', { namespace: '' })).toEqual([]);
});
