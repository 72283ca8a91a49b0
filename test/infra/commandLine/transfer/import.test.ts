import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../../../infra/local/startControlPlane.ts';
import { runExport } from '../../../../infra/commandLine/transfer/runExport.ts';
import { runImport } from '../../../../infra/commandLine/transfer/runImport.ts';
import { importIntoDirectory } from '../../../../infra/commandLine/transfer/importIntoDirectory.ts';
import { importThroughApi } from '../../../../infra/commandLine/transfer/importThroughApi.ts';
import { listAllObjects } from '../../../../infra/commandLine/transfer/listAllObjects.ts';
import { planImport } from '../../../../infra/commandLine/transfer/planImport.ts';
import { LmdbJournal } from '../../../../lambdas/adapters/embedded/LmdbJournal.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../../lambdas/objects/kinds.ts';
import { newDirectory, removeDirectories } from '../../../adapters/embedded/journalFiles.ts';
import { webDeployment } from '../../../support/webDeployment.ts';

const running = new Set<ControlPlane>();

afterEach(async () => {
  for (const controlPlane of running) await controlPlane.stop();
  running.clear();
  await removeDirectories();
});

async function start(options?: Parameters<typeof startControlPlane>[0]): Promise<ControlPlane> {
  const controlPlane = await startControlPlane(options);
  running.add(controlPlane);
  return controlPlane;
}

const sendTo = (controlPlane: ControlPlane) => (path: string, init?: RequestInit) =>
  fetch(controlPlane.url + path, init);

async function call<T>(controlPlane: ControlPlane, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await sendTo(controlPlane)(path, init);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const DEPLOYMENT = '/apis/apps/v1/namespaces/team/deployments/web';
const PODS = '/api/v1/namespaces/team/pods';
const REPLICA_SETS = '/apis/apps/v1/namespaces/team/replicasets';
const CONFIG_MAP = '/api/v1/namespaces/team/configmaps/settings';

/** Waits, by a watch, until the Deployment's pods are available. */
async function rolledOut(controlPlane: ControlPlane, image: string): Promise<Deployment> {
  const collection = DEPLOYMENT.replace('/web', '');
  const response = await fetch(`${controlPlane.url}${collection}?watch=true&timeoutSeconds=60`);
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const { object } = JSON.parse(line) as { readonly object: Deployment };
      const { status = {}, metadata, spec } = object;
      const isDone = status.observedGeneration === metadata.generation && status.availableReplicas === 3;
      const isNew = status.updatedReplicas === 3 && status.replicas === 3;
      if (isDone && isNew && spec?.template.spec?.containers[0]?.image === image) return object;
    }
  }
  throw new Error('the rollout did not end');
}

/** A control plane whose Deployment was rolled out twice, with a ConfigMap that the Deployment owns. */
async function startSource(): Promise<ControlPlane> {
  const source = await start();
  await call(source, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  await call(source, 'POST', DEPLOYMENT.replace('/web', ''), webDeployment('web:1', 3));
  await rolledOut(source, 'web:1');
  const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } };
  await call(source, 'PATCH', DEPLOYMENT, image);
  const { metadata } = await rolledOut(source, 'web:2');
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid };
  const foreign = { ...owner, name: 'gone', uid: 'nobody' };
  await call(source, 'POST', CONFIG_MAP.replace('/settings', ''), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', ownerReferences: [owner] },
    data: { color: 'blue' },
  });
  await call(source, 'POST', CONFIG_MAP.replace('/settings', ''), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'other', ownerReferences: [{ ...foreign, kind: 'Unknown', apiVersion: 'example.com/v1' }] },
  });
  return source;
}

interface List<T> {
  readonly items: readonly T[];
}

const uidsOf = ({ items }: List<KubernetesObject>) => items.map(({ metadata }) => metadata.uid).sort();
const namesOf = ({ items }: List<KubernetesObject>) => items.map(({ metadata }) => metadata.name).sort();

describe('an import', () => {
  test('through the API brings a Deployment with its history, no pod too many, and owners with their new UIDs', async () => {
    const source = await startSource();
    const objects = await listAllObjects(sendTo(source));
    const before = await call<List<ReplicaSet>>(source, 'GET', REPLICA_SETS);
    const target = await start();
    const options = { send: sendTo(target), objects, onProgress: () => {} };
    const imported = await importThroughApi(options);
    expect(imported).toMatchObject({ refused: [], leftToControllers: 3 });
    const { metadata } = await rolledOut(target, 'web:2');
    await target.whenIdle();
    const replicaSets = await call<List<ReplicaSet>>(target, 'GET', REPLICA_SETS);
    expect(namesOf(replicaSets)).toEqual(namesOf(before));
    for (const { metadata: own } of replicaSets.items) {
      expect(own.ownerReferences?.map(({ uid }) => uid)).toEqual([metadata.uid]);
    }
    const pods = await call<List<Pod>>(target, 'GET', PODS);
    expect(pods.items).toHaveLength(3);
    const settings = await call<KubernetesObject>(target, 'GET', CONFIG_MAP);
    expect(settings.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([metadata.uid]);
    const other = await call<KubernetesObject>(target, 'GET', CONFIG_MAP.replace('settings', 'other'));
    expect(other.metadata.ownerReferences).toBeUndefined();

    const again = await importThroughApi(options);
    expect(again).toMatchObject({ created: 0, refused: [], existing: imported.created + imported.existing });
    expect(uidsOf(await call<List<Pod>>(target, 'GET', PODS))).toEqual(uidsOf(pods));
  });

  test('into a new data directory keeps everything as it is: UIDs, owners, and pods that run', async () => {
    const source = await startSource();
    await source.whenIdle();
    const objects = await listAllObjects(sendTo(source));
    const pods = await call<List<Pod>>(source, 'GET', PODS);
    await source.stop();
    running.delete(source);
    const directory = await newDirectory();
    const imported = await importIntoDirectory(directory, objects, () => {});
    expect(imported).toMatchObject({ created: objects.length, refused: [] });
    await expect(importIntoDirectory(directory, objects, () => {})).rejects.toThrow('has objects already');
    const target = await start({ journal: LmdbJournal.open(directory) });
    await target.whenIdle();
    await rolledOut(target, 'web:2');
    expect(uidsOf(await call<List<Pod>>(target, 'GET', PODS))).toEqual(uidsOf(pods));
  });

  test('through the API takes a complete export of a stopped data directory, without its events', async () => {
    const directory = await newDirectory();
    const source = await start({ journal: LmdbJournal.open(directory) });
    await call(source, 'POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'settings' },
      data: { color: 'blue' },
    });
    await call(source, 'POST', '/api/v1/namespaces/default/events', {
      metadata: { name: 'settings.1', namespace: 'default' },
      involvedObject: { kind: 'ConfigMap', name: 'settings', namespace: 'default' },
      reason: 'Changed',
    });
    await source.stop();
    running.delete(source);
    const file = join(directory, 'all.json');
    await runExport({ from: { dataDir: directory }, output: file, salvage: false, complete: true });
    expect(readFileSync(file, 'utf8')).toContain('"reason":"Changed"');
    const target = await start();
    expect(await runImport({ filename: file, into: { server: target.url } })).toBe(0);
    expect(await call(target, 'GET', CONFIG_MAP.replace('team', 'default'))).toMatchObject({ data: { color: 'blue' } });
    const events = await call<List<KubernetesObject>>(target, 'GET', '/api/v1/namespaces/default/events');
    expect(namesOf(events)).not.toContain('settings.1');
    await runExport({ from: { dataDir: directory }, output: file, salvage: false, complete: false });
    expect(readFileSync(file, 'utf8')).not.toContain('"reason":"Changed"');
  });

  test('goes on after an object that is refused, and names it', async () => {
    const target = await start();
    const metadata = { name: 'a', namespace: 'default', uid: 'u1', creationTimestamp: '', resourceVersion: '1' };
    const objects = [
      { apiVersion: 'example.com/v1', kind: 'Unknown', metadata },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name: 'NotAName' } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    ];
    const imported = await importThroughApi({ send: sendTo(target), objects, onProgress: () => {} });
    expect(imported.created).toBe(1);
    expect(imported.refused).toEqual([
      expect.stringMatching(/^ConfigMap default\/NotAName: .*Invalid value/) as string,
      'Unknown default/a: no matches for kind Unknown in example.com/v1',
    ]);
  });
});

test('events stay behind, what others need is created first, what is owned before its owners, and limits last', () => {
  const object = (kind: string, uid: string, owner?: string): KubernetesObject => ({
    apiVersion: 'v1',
    kind,
    metadata: {
      name: uid,
      uid,
      resourceVersion: '1',
      creationTimestamp: '',
      ...(owner !== undefined && {
        ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: owner, uid: owner, controller: true }],
      }),
    },
  });
  const { steps, leftToControllers } = planImport([
    object('ResourceQuota', 'q'),
    object('Deployment', 'd'),
    object('Pod', 'p', 'r'),
    object('ReplicaSet', 'r', 'd'),
    object('Pod', 'single'),
    object('Event', 'e'),
    object('Secret', 's'),
    object('Namespace', 'n'),
  ]);
  expect(steps.map((step) => step.map(({ metadata }) => metadata.uid))).toEqual([
    ['n'],
    ['s'],
    ['r'],
    ['d', 'single'],
    ['q'],
  ]);
  expect(leftToControllers).toBe(1);
});
