import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterEach, describe, expect, it } from 'vitest';
import { KubernetesApi } from '../bench/KubernetesApi.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { DURABLE_ARGUMENTS } from './serverArguments.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WEB = `${DEPLOYMENTS}/web`;
const STRATEGIC = 'application/strategic-merge-patch+json';
const MERGE = 'application/merge-patch+json';

let server: ServerProcess;
afterEach(() => server?.dispose());

/** Ends the server with the signal and starts a new one on its data directory. */
async function restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<KubernetesApi> {
  await server.end(signal);
  server = await ServerProcess.start(DURABLE_ARGUMENTS, server.dataDir);
  return new KubernetesApi(server.baseUrl);
}

async function start(): Promise<KubernetesApi> {
  server = await ServerProcess.start(DURABLE_ARGUMENTS);
  return new KubernetesApi(server.baseUrl);
}

function deployment(replicas: number) {
  const labels = { app: 'web' };
  const spec = { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image: 'nginx:1' }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

const setImage = (api: KubernetesApi, image: string) =>
  api.call('PATCH', WEB, { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } }, STRATEGIC);

/** Watches the Deployment until it passes the test. */
async function until(api: KubernetesApi, test: (deployment: Deployment) => boolean): Promise<void> {
  const stop = new AbortController();
  for await (const { object } of api.watch<Deployment>(DEPLOYMENTS, stop.signal)) if (test(object)) break;
  stop.abort();
}

function isComplete({ metadata, spec, status = {} }: Deployment): boolean {
  const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
  return status.observedGeneration === metadata?.generation && counts.every((count = 0) => count === spec?.replicas);
}

async function pods(api: KubernetesApi): Promise<Pod[]> {
  const { items } = await api.call<{ items: Pod[] }>('GET', '/api/v1/namespaces/default/pods');
  return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
}

const isReady = ({ status }: Pod) =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');

describe('a server restarted on its data directory', () => {
  it('keeps all objects and finishes the rollout that was running', async () => {
    const before = await start();
    await before.call('POST', DEPLOYMENTS, deployment(20));
    await until(before, isComplete);
    const kept = await before.call<Deployment>('GET', WEB);
    await setImage(before, 'nginx:2');

    const after = await restart('SIGTERM');
    await until(after, isComplete);
    const now = await after.call<Deployment>('GET', WEB);
    expect(now.metadata?.uid).toBe(kept.metadata?.uid);
    expect(now.metadata?.annotations?.['deployment.kubernetes.io/revision']).toBe('2');
    await after.call('PATCH', WEB, { spec: { replicas: 3 } }, MERGE);
    await until(after, isComplete);
    expect(await pods(after)).toHaveLength(3);
  }, 90_000);

  it('after kill -9 in a rollout of 200 loses no acknowledged write, keeps the bounds on pods, and completes the rollout', async () => {
    const before = await start();
    await before.call('POST', DEPLOYMENTS, deployment(200));
    await until(before, isComplete);
    await setImage(before, 'nginx:2');
    const acknowledged: string[] = [];
    const rolledFar = until(before, ({ status }) => (status?.updatedReplicas ?? 0) > 60);
    for (let at = 0; at < 20; at++) {
      const metadata = { name: `kept-${at}` };
      await before.call('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      acknowledged.push(metadata.name);
    }
    await rolledFar;

    const after = await restart('SIGKILL');
    const roll = { isComplete: false };
    const completing = until(after, isComplete).then(() => (roll.isComplete = true));
    // Polls without a pause. At most 25 % more than 200 pods may exist, and at most 25 % fewer than 200 may be available.
    while (!roll.isComplete) {
      const seen = await pods(after);
      expect(seen.length).toBeLessThanOrEqual(250);
      expect(seen.filter(isReady).length).toBeGreaterThanOrEqual(150);
    }
    await completing;

    const left = await pods(after);
    expect(left).toHaveLength(200);
    expect(new Set(left.map(({ spec }) => spec?.containers[0]?.image))).toEqual(new Set(['nginx:2']));
    const sets = await after.call<{ items: ReplicaSet[] }>('GET', '/apis/apps/v1/namespaces/default/replicasets');
    expect(new Set(sets.items.map(({ spec }) => spec?.replicas))).toEqual(new Set([0, 200]));
    expect(sets.items).toHaveLength(2);
    const { items } = await after.call<{ items: Pod[] }>('GET', CONFIG_MAPS);
    const names = items.map(({ metadata }) => metadata?.name);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
  }, 120_000);
});
