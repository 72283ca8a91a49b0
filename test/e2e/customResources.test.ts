import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomObjectsApi, type KubeConfig, makeInformer } from '@kubernetes/client-node';
import { afterEach, describe, expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { startInformer } from '../support/startInformer.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { widget, widgetDefinition, widgetVersion } from '../support/widgetDefinition.ts';

const PLACE = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'widgets' };

interface Widget {
  readonly metadata?: { readonly name?: string; readonly uid?: string };
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/**
 * The code under test, as the author of an operator writes it: for each Widget it keeps a Deployment of the same name, and copies the number of ready replicas to the Widget's status. It gets only a
 * kubeconfig and does not depend on Driftless.
 */
async function startWidgetOperator(config: KubeConfig, cluster: Cluster): Promise<() => Promise<void>> {
  const api = config.makeApiClient(CustomObjectsApi);
  const list = async () => (await api.listNamespacedCustomObject(PLACE)) as { items: Widget[] };
  const informer = makeInformer<Widget>(config, '/apis/example.com/v1/namespaces/default/widgets', list);
  const reconcile = async ({ metadata, spec }: Widget) => {
    const { name = '', uid = '' } = metadata ?? {};
    const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name, uid, controller: true };
    const labels = { widget: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
    await cluster.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, ownerReferences: [owner] },
      spec: { replicas: spec?.replicas ?? 0, selector: { matchLabels: labels }, template },
    });
    const body = [{ op: 'add', path: '/status', value: { replicas: spec?.replicas ?? 0, selector: `widget=${name}` } }];
    await api.patchNamespacedCustomObjectStatus({ ...PLACE, name, body });
  };
  return startInformer(informer, reconcile);
}

let stopOperator = async (): Promise<void> => {};
afterEach(async () => await stopOperator());

const SCALABLE = widgetVersion('v1', {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
});

describe('an operator with a definition of its own', () => {
  test('keeps a Deployment for each of its objects; both go when the object goes', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(widgetDefinition({ versions: [SCALABLE] }));
    stopOperator = await startWidgetOperator(await cluster.kubeConfig(), cluster);
    // Not by apply, which refuses a field that the definition does not know.
    const created = await cluster.request('/apis/example.com/v1/namespaces/default/widgets', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(widget('blue', { replicas: 2, unknown: true })),
    });
    expect(created.status).toBe(201);
    await cluster.advance('1m');
    expect((await cluster.get('deployment/blue')).status).toMatchObject({ availableReplicas: 2 });
    expect(await cluster.get('widget/blue')).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 2 } });
    await cluster.patch('wd/blue', { spec: { replicas: 3 } }, { subresource: 'scale' });
    await cluster.advance('1m');
    expect(await cluster.list('pods', { labelSelector: 'widget=blue' })).toHaveLength(3);
    await cluster.delete('widget/blue');
    await cluster.advance('2m');
    expect(await cluster.list('deployments')).toEqual([]);
    expect(await cluster.list('pods')).toEqual([]);
  });
});

describe('custom resources', () => {
  test('go with their namespace, their definition and their built-in owners', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(widgetDefinition());
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    const { metadata } = await cluster.get('node/driftless-node-1');
    const owner = { apiVersion: 'v1', kind: 'Node', name: metadata.name, uid: metadata.uid };
    await cluster.apply(widget('in-team', {}, { namespace: 'team' }));
    await cluster.apply(widget('owned', {}, { ownerReferences: [owner] }));
    await cluster.apply(widget('other'));
    await cluster.delete('namespace/team');
    await cluster.delete('node/driftless-node-1');
    await cluster.advance('1m');
    const names = async () => (await cluster.list('widgets')).map((one) => one.metadata.name);
    expect(await names()).toEqual(['other']);
    await cluster.delete('crd/widgets.example.com');
    await cluster.advance('1m');
    await expect(names()).rejects.toThrow('there is no resource "widgets"');
    await cluster.apply(widgetDefinition());
    expect(await names()).toEqual([]);
  });

  test.each([
    ['goes', (cluster: Cluster) => cluster.delete('crd/widgets.example.com')],
    [
      'changes',
      async (cluster: Cluster) => {
        await cluster.patch('crd/widgets.example.com', { spec: { names: { shortNames: ['wdg'] } } });
      },
    ],
  ])('end their watches when their definition %s', async (_, act) => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(widgetDefinition());
    await cluster.apply(widget('blue'));
    const watch = await fetch(`${cluster.url}/apis/example.com/v1/widgets?watch=true`);
    const maps = await fetch(`${cluster.url}/api/v1/configmaps?watch=true&timeoutSeconds=3600`);
    const text = watch.text();
    await act(cluster);
    await cluster.advance('1m');
    expect(await text).toMatch(/^\{"type":"ADDED"/);
    expect(await Promise.race([maps.text(), cluster.settle().then(() => 'still open')])).toBe('still open');
  });

  test('are counted by quotas', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(widgetDefinition());
    const hard = { 'count/widgets.example.com': '1' };
    await cluster.apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard } });
    await cluster.advance('10s');
    await cluster.apply(widget('one'));
    await expect(cluster.apply(widget('two'))).rejects.toThrow('exceeded quota: few');
    await cluster.delete('widget/one');
    await cluster.advance('10s');
    await cluster.apply(widget('two'));
  });
});

test('custom resources survive a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'driftless-'));
  const first = await startTestCluster({ clock: 'virtual', dataDir });
  await first.apply(widgetDefinition());
  await first.apply(widget('red', { color: 'red' }));
  await first.stop();
  const second = await startTestCluster({ clock: 'virtual', dataDir });
  expect(await second.get('widget/red')).toMatchObject({ spec: { color: 'red', replicas: 1 } });
  await second.delete('crd/widgets.example.com');
  await second.advance('1m');
  await expect(second.get('widget/red')).rejects.toThrow('there is no resource "widget"');
});
