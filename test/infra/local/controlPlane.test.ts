import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Endpoints, Node, Service } from 'kubernetes-types/core/v1.js';
import { afterEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../lambdas/functions/parseConfig.ts';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
} from '../../../infra/local/startControlPlane.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { webDeployment } from '../../support/webDeployment.ts';

const running = new Set<ControlPlane>();

afterEach(async () => {
  for (const controlPlane of running) await controlPlane.stop();
  running.clear();
});

async function start(options?: ControlPlaneOptions): Promise<ControlPlane> {
  const controlPlane = await startControlPlane(options);
  running.add(controlPlane);
  return controlPlane;
}

async function get<T>(controlPlane: ControlPlane, path: string): Promise<T> {
  return (await (await fetch(controlPlane.url + path)).json()) as T;
}

async function createDeployment(controlPlane: ControlPlane, replicas: number, annotations = {}): Promise<void> {
  const template = {
    metadata: { labels: { app: 'web' }, annotations },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  };
  const response = await fetch(`${controlPlane.url}/apis/apps/v1/namespaces/default/deployments`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(webDeployment('nginx', replicas, { template })),
  });
  expect(response.status).toBe(201);
}

const WEB = '/apis/apps/v1/namespaces/default/deployments/web';

async function names(controlPlane: ControlPlane, path: string): Promise<string[]> {
  const { items } = await get<{ items: { metadata: { name: string } }[] }>(controlPlane, path);
  return items.map(({ metadata }) => metadata.name);
}

describe('a control plane', () => {
  test('has its system namespaces with their service accounts from the start', async () => {
    const controlPlane = await start();
    await controlPlane.whenIdle();
    expect(await names(controlPlane, '/api/v1/namespaces')).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect(await names(controlPlane, '/api/v1/namespaces/kube-public/serviceaccounts')).toEqual(['default']);
  });

  test('has the Service of its API server from the start, and again within a minute of its deletion', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1));
    const controlPlane = await start({ clock });
    const path = '/api/v1/namespaces/default';
    const service = await get<Service>(controlPlane, `${path}/services/kubernetes`);
    expect(service).toMatchObject({
      metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
      status: { loadBalancer: {} },
    });
    expect(service.spec).toEqual({
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1'],
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    });
    const endpoints = await get<Endpoints>(controlPlane, `${path}/endpoints/kubernetes`);
    expect(endpoints.metadata?.labels).toEqual({ 'endpointslice.kubernetes.io/skip-mirror': 'true' });
    expect(endpoints.subsets).toEqual([
      { addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
    ]);
    for (const plural of ['services', 'endpoints']) {
      await fetch(`${controlPlane.url}${path}/${plural}/kubernetes`, { method: 'DELETE' });
      expect(await names(controlPlane, `${path}/${plural}`)).toEqual([]);
    }
    clock.advanceBy(60_000);
    await controlPlane.whenIdle();
    expect(await names(controlPlane, `${path}/services`)).toEqual(['kubernetes']);
    expect(await names(controlPlane, `${path}/endpoints`)).toEqual(['kubernetes']);
  });

  test('has three Ready nodes from the start, or as many as the options say', async () => {
    const { items } = await get<{ items: Node[] }>(await start(), '/api/v1/nodes');
    expect(items.map(({ metadata }) => metadata?.name)).toEqual([
      'driftless-node-1',
      'driftless-node-2',
      'driftless-node-3',
    ]);
    for (const { status } of items) {
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    }
    expect(await names(await start({ nodes: 5 }), '/api/v1/nodes')).toHaveLength(5);
  });

  test('is idle only after a Deployment has been rolled out', async () => {
    const controlPlane = await start();
    await createDeployment(controlPlane, 10);
    await controlPlane.whenIdle();
    expect((await get<Deployment>(controlPlane, WEB)).status).toMatchObject({
      availableReplicas: 10,
      updatedReplicas: 10,
    });
  });

  test('remembers what the last syncs of a key decided, and why', async () => {
    const controlPlane = await start();
    await createDeployment(controlPlane, 2);
    await controlPlane.whenIdle();
    const records = controlPlane.history.of({ controller: 'deployment', namespace: 'default', name: 'web' });
    expect(records.flatMap(({ writes }) => writes)).not.toEqual([]);
    expect(records.flatMap(({ why }) => why)).not.toEqual([]);
  });

  test('runs side by side with others in one process without sharing objects', async () => {
    const [one, other] = await Promise.all([start(), start(), start(), start()]);
    await createDeployment(one, 1);
    await one.whenIdle();
    expect(await names(other, '/api/v1/pods')).toEqual([]);
  });

  test('continues where it was stopped, on the same journal', async () => {
    const journal = new MemoryJournal();
    const before = await start({ journal });
    await createDeployment(before, 3);
    await before.stop();
    running.delete(before);
    const after = await start({ journal });
    await after.whenIdle();
    expect((await get<Deployment>(after, WEB)).status).toMatchObject({ availableReplicas: 3 });
    expect(await names(after, '/api/v1/nodes')).toHaveLength(3);
  });

  test('does not do the work of a controller that is switched off', async () => {
    const controlPlane = await start({ config: parseConfig({ controllers: { replicaset: { enabled: false } } }) });
    await createDeployment(controlPlane, 3);
    await controlPlane.whenIdle();
    expect(await names(controlPlane, '/apis/apps/v1/replicasets')).toHaveLength(1);
    expect(await names(controlPlane, '/api/v1/pods')).toEqual([]);
  });

  test('limits the requests of each user by the flow schemas that it makes, if the configuration says so', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1));
    const config = parseConfig({ requestLimits: { user: { perSecond: 1, burst: 2 } } });
    const controlPlane = await start({ clock, config });
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
    expect(await names(controlPlane, path)).toContain('global-default');
    const ask = (user: string) => fetch(`${controlPlane.url}/api/v1/pods`, { headers: { 'Impersonate-User': user } });
    const codes = [];
    for (const user of ['ann', 'ann', 'ann', 'bob']) codes.push((await ask(user)).status);
    expect(codes).toEqual([200, 200, 429, 200]);
    const { metadata } = await get<{ metadata: { uid: string } }>(controlPlane, `${path}/global-default`);
    expect((await ask('bob')).headers.get('x-kubernetes-pf-flowschema-uid')).toBe(metadata.uid);
  });

  test('makes no flow schema and classifies nothing otherwise', async () => {
    const controlPlane = await start();
    expect(await names(controlPlane, '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas')).toEqual([]);
    const { headers } = await fetch(`${controlPlane.url}/api/v1/pods`);
    expect(headers.get('x-kubernetes-pf-flowschema-uid')).toBeNull();
  });

  test('stops within two seconds and ends the watches of its clients', async () => {
    const controlPlane = await start();
    const watch = await fetch(`${controlPlane.url}/api/v1/pods?watch=true`);
    const begunMs = performance.now();
    const events = watch.text();
    await controlPlane.stop();
    running.delete(controlPlane);
    expect(await events).toBe('');
    expect(performance.now() - begunMs).toBeLessThan(2_000);
    await expect(fetch(`${controlPlane.url}/readyz`)).rejects.toThrow('fetch failed');
  });

  test('rejects with Node`s error if the port is in use', async () => {
    const { port } = await start();
    await expect(startControlPlane({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('refuses requests for another host name', async () => {
    const { port } = await start();
    const { request } = await import('node:http');
    const statusFor = (host: string) =>
      new Promise((resolve) => {
        request({ port, path: '/version', headers: { host } }, (response) => {
          resolve(response.statusCode);
          response.resume();
        }).end();
      });
    expect(await statusFor('evil.example')).toBe(403);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
    expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
  });

  test('serves metrics by Kubernetes` names, labelled by controller', async () => {
    const controlPlane = await start();
    await createDeployment(controlPlane, 2);
    await controlPlane.whenIdle();
    const text = await (await fetch(`${controlPlane.url}/metrics`)).text();
    expect(text).toMatch(/^workqueue_adds_total\{name="deployment"\} [1-9]/m);
    for (const name of ['depth', 'retries_total', 'unfinished_work_seconds', 'longest_running_processor_seconds']) {
      expect(text).toContain(`workqueue_${name}{name="replicaset"} 0`);
    }
    for (const name of ['queue_duration_seconds', 'work_duration_seconds']) {
      expect(text).toMatch(new RegExp(`^workqueue_${name}_count\\{name="pod"\\} [1-9]`, 'm'));
    }
  });
});

describe('a control plane on a virtual clock', () => {
  test('is idle while the clock stands still, and its progress deadline passes when the clock moves', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1));
    const controlPlane = await start({ clock });
    await createDeployment(controlPlane, 2, { 'simulate.driftless.dev/never-ready': 'true' });
    await controlPlane.whenIdle();
    const untilMs = clock.now() + 601_000;
    for (let next = clock.nextDueMs(); next !== undefined && next <= untilMs; next = clock.nextDueMs()) {
      clock.advanceTo(next);
      await controlPlane.whenIdle();
    }
    const { status } = await get<Deployment>(controlPlane, WEB);
    expect(status?.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      lastTransitionTime: expect.stringMatching(/^2026-01-01T00:10:0/) as string,
    });
  });
});
