import * as k8s from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KubernetesApi } from '../bench/KubernetesApi.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { CuttingProxy } from './CuttingProxy.ts';
import { SERVER_ARGUMENTS } from './serverArguments.ts';

const MERGE = 'application/merge-patch+json';

let server: ServerProcess;
let proxy: CuttingProxy;
let api: KubernetesApi;
let core: k8s.CoreV1Api;
let apps: k8s.AppsV1Api;
let config: k8s.KubeConfig;
const informers: k8s.Informer<k8s.KubernetesObject>[] = [];

beforeAll(async () => {
  server = await ServerProcess.start(SERVER_ARGUMENTS);
  proxy = await CuttingProxy.open(server.baseUrl);
  api = new KubernetesApi(server.baseUrl);
  config = new k8s.KubeConfig();
  config.loadFromClusterAndUser({ name: 'driftless', server: proxy.url, skipTLSVerify: true }, { name: 'me' });
  core = config.makeApiClient(k8s.CoreV1Api);
  apps = config.makeApiClient(k8s.AppsV1Api);
}, 120_000);
afterEach(async () => {
  for (const informer of informers.splice(0)) await informer.stop();
});
afterAll(async () => {
  proxy?.close();
  await server?.dispose();
});

/** Makes an informer that restarts after each error and records its events. */
function inform<T extends k8s.KubernetesObject>(path: string, list: k8s.ListPromise<T>, selector?: string) {
  const informer = k8s.makeInformer<T>(config, path, list, selector);
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, (object) => {
      heard.push(`${verb} ${object.metadata?.name}`);
      for (const look of waiting) look();
    });
  }
  informer.on('error', () => void informer.start());
  informers.push(informer);
  /** Resolves when the informer's cache passes the test. */
  const until = (test: (objects: readonly T[]) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!test(informer.list())) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { informer, heard, until };
}

async function namespace(name: string): Promise<string> {
  await core.createNamespace({ body: { metadata: { name } } });
  return name;
}

const configMap = (name: string, labels: Record<string, string> = {}) => ({ metadata: { name, labels } });

/** The names and versions of objects, to compare a list with a cache. */
const versions = (objects: readonly k8s.KubernetesObject[]) =>
  objects.map(({ metadata }) => `${metadata?.name} ${metadata?.resourceVersion}`).sort();

describe('an informer of the JavaScript client', () => {
  it('gets one event for each object that existed before it started or was created after', async () => {
    const place = await namespace('many');
    const create = (at: number) => core.createNamespacedConfigMap({ namespace: place, body: configMap(`m-${at}`) });
    await Promise.all(Array.from({ length: 200 }, (_, at) => create(at)));
    const { informer, heard, until } = inform(`/api/v1/namespaces/${place}/configmaps`, () =>
      core.listNamespacedConfigMap({ namespace: place }),
    );
    await informer.start();
    await Promise.all(Array.from({ length: 200 }, (_, at) => create(200 + at)));
    await until((objects) => objects.filter(({ metadata }) => metadata?.name?.startsWith('m-')).length === 400);
    const added = heard.filter((what) => what.startsWith('add m-'));
    expect([added.length, new Set(added).size]).toEqual([400, 400]);
  }, 60_000);

  it('holds the same objects as the server after churn with connections that are cut repeatedly', async () => {
    const place = await namespace('churn');
    const path = `/apis/apps/v1/namespaces/${place}/deployments`;
    const pods = inform(`/api/v1/namespaces/${place}/pods`, () => core.listNamespacedPod({ namespace: place }));
    const deployments = inform(path, () => apps.listNamespacedDeployment({ namespace: place }));
    await Promise.all([pods.informer.start(), deployments.informer.start()]);
    const template = (name: string, image: string) => ({
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image }] },
    });
    for (let round = 0; round < 6; round++) {
      const name = `web-${round}`;
      const spec = { replicas: 5, selector: { matchLabels: { app: name } }, template: template(name, 'nginx:1') };
      await api.call('POST', path, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec });
      proxy.cut();
      await api.call('PATCH', `${path}/${name}`, { spec: { template: template(name, 'nginx:2') } }, MERGE);
      proxy.cut();
      if (round % 2 === 1) await api.call('DELETE', `${path}/web-${round - 1}`);
    }
    const complete = ({ metadata, status }: k8s.V1Deployment) =>
      status?.observedGeneration === metadata?.generation && status?.updatedReplicas === 5 && status.replicas === 5;
    await deployments.until((all) => all.length === 3 && all.every(complete));
    await pods.until((all) => all.length === 15 && all.every(({ status }) => status?.phase === 'Running'));
    // Nothing changes any more, so the informers must come to hold the server's versions.
    const settled = async () => {
      const [{ items }, { items: held }] = await Promise.all([
        core.listNamespacedPod({ namespace: place }),
        apps.listNamespacedDeployment({ namespace: place }),
      ]);
      return [versions(items), versions(held)];
    };
    const mine = () => [versions(pods.informer.list()), versions(deployments.informer.list())];
    await expect
      .poll(async () => JSON.stringify(await settled()) === JSON.stringify(mine()), { timeout: 20_000 })
      .toBe(true);
  }, 90_000);

  it('with a selector gets add and delete events when an object`s labels begin or stop to match', async () => {
    const place = await namespace('selecting');
    const path = `/api/v1/namespaces/${place}/configmaps`;
    const selector = 'tier in (front,edge),!hidden';
    const { informer, heard, until } = inform(
      path,
      () => core.listNamespacedConfigMap({ namespace: place, labelSelector: selector }),
      selector,
    );
    await informer.start();
    await core.createNamespacedConfigMap({ namespace: place, body: configMap('other', { tier: 'back' }) });
    await core.createNamespacedConfigMap({ namespace: place, body: configMap('one', { tier: 'front' }) });
    await until((objects) => objects.length === 1);
    await api.call('PATCH', `${path}/one`, { metadata: { labels: { tier: 'edge' } } }, MERGE);
    await api.call('PATCH', `${path}/one`, { metadata: { labels: { hidden: 'yes' } } }, MERGE);
    await until((objects) => objects.length === 0);
    await api.call('PATCH', `${path}/other`, { metadata: { labels: { tier: 'front' } } }, MERGE);
    await until((objects) => objects.length === 1);
    await api.call('DELETE', `${path}/other`);
    await until((objects) => objects.length === 0);
    expect(heard).toEqual(['add one', 'update one', 'delete one', 'add other', 'delete other']);
  }, 60_000);

  it('sees the same changes in the same order as a second informer', async () => {
    const place = await namespace('order');
    const path = `/api/v1/namespaces/${place}/configmaps`;
    const list = () => core.listNamespacedConfigMap({ namespace: place });
    const both = [inform(path, list), inform(path, list)] as const;
    for (const { informer } of both) await informer.start();
    const names = Array.from({ length: 30 }, (_, at) => `o-${at}`);
    await Promise.all(
      names.map(async (name) => {
        await api.call('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
        await api.call('PATCH', `${path}/${name}`, { data: { a: '1' } }, MERGE);
        await api.call('DELETE', `${path}/${name}`);
      }),
    );
    await api.call('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'last' } });
    const orders = both.map(async ({ until, heard }) => {
      await until((objects) => objects.some(({ metadata }) => metadata?.name === 'last'));
      return heard.filter((what) => what.includes(' o-'));
    });
    const [one, other] = await Promise.all(orders);
    expect(one).toHaveLength(90);
    expect(other).toEqual(one);
  }, 60_000);
});
