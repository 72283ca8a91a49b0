import { expect, test } from 'vitest';
import { ClusterFixture } from '../../infra/testCluster/runners/ClusterFixture.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const settings = (data: Record<string, string>) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data }) as const;

test('a namespace of a cluster is where keys, manifests and lists are that name none', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  const team = cluster.inNamespace('team');
  await team.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  await team.apply(settings({ colour: 'green' }));
  await cluster.apply(settings({ colour: 'blue' }));
  expect((await team.get('configmap/settings')).data).toEqual({ colour: 'green' });
  expect((await team.get('configmap/default/settings')).data).toEqual({ colour: 'blue' });
  expect((await cluster.get('configmap/team/settings')).data).toEqual({ colour: 'green' });
  expect((await team.patch('cm/settings', { data: { size: '1' } })).metadata.namespace).toBe('team');
  expect((await team.list('configmaps')).filter(({ metadata }) => metadata.name === 'settings')).toHaveLength(1);
  expect((await team.list('nodes')).length).toBe(3);
  await team.apply(webDeployment('nginx:1'));
  await cluster.settle();
  expect(await team.explain('deployment/web')).toMatch(/^deployment\/team\/web, at /);
  await team.delete('configmap/settings');
  expect((await cluster.get('configmap/settings')).data).toEqual({ colour: 'blue' });
});

test('a fixture refuses a second test at the same time, and goes on after it', async () => {
  const fixture = new ClusterFixture({ clock: 'virtual' });
  const first = await fixture.begin();
  await expect(fixture.begin()).rejects.toThrow('cannot be concurrent');
  await first.cluster.apply(settings({}));
  await fixture.end(first, false);
  const second = await fixture.begin();
  expect([first.namespace, second.namespace]).toEqual(['test-1', 'test-2']);
  expect((await second.cluster.list('namespaces')).map(({ metadata }) => metadata.name)).not.toContain('test-1');
  await fixture.end(second, false);
  await fixture.close();
});
