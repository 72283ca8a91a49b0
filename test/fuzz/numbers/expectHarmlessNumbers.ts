import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../../../infra/testCluster/startCluster.ts';
import { deployment } from '../../rest/startApi.ts';
import { threadCpuMs } from '../growth/threadCpuMs.ts';
import { type HostileNumber, hostileNumbers } from './hostileNumbers.ts';

/** What a request and all syncs that follow it at that instant may cost; milliseconds of CPU time. What is seen is below 200. */
const MAX_CPU_MS = 2_000;
/** By how much the objects of one kind may raise the most memory that the process ever used. */
const MAX_MEMORY_MIB = 400;
/** So many pods may be in a namespace: what asks for all of them goes on without end, as in Kubernetes. `endlessReplicas.test.ts` shows that this holds up nobody. */
const PODS_OF_EACH = '8';

/** A kind, and how kubectl and explain call it; absent: they do not explain it. */
export type NumberedKind = readonly [kind: string, short: string | undefined];

/** Defines a test for each of these kinds. */
export function expectHarmlessNumbers(kinds: readonly NumberedKind[]): void {
  describe('numbers at the ends of what they may be break nothing', { timeout: 300_000 }, () => {
    test.each(kinds)('%s', async (kind, short) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'driftless-numbers-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      const errors: string[] = [];
      const log = (line: object) => errors.push(...programErrors(line));
      const options = { clock: 'virtual', seed: 1, dataDir, log } as const;
      const cluster = await startCluster(options);
      const peakMiB = peakMemoryMiB();
      const admitted: string[] = [];
      for (const [at, one] of hostileNumbers(kind).entries()) {
        const name = `n${at}`;
        await prepareNamespace(cluster, kind, one, name);
        const isAdmitted = await cheaply(one.what, async () => {
          const answer = await send(cluster, one, name);
          await cluster.settle();
          return answer;
        });
        if (isAdmitted && short) admitted.push(one.entry.namespaced ? `${short}/${name}/${name}` : `${short}/${name}`);
        expect(errors, one.what).toEqual([]);
      }
      await expectToGoOn(cluster, 'healthy', '1m');
      for (const key of admitted) await cheaply(`explain ${key}`, () => cluster.explain(key));
      await expectToBeShown(cluster, kind);
      await cluster.stop();
      const again = await startCluster(options);
      onTestFinished(() => again.stop());
      await expectToGoOn(again, 'after-restart', '1m');
      expect(errors).toEqual([]);
      expect(peakMemoryMiB() - peakMiB, 'MiB of memory').toBeLessThan(MAX_MEMORY_MIB);
    });
  });
}

/** Errors of the program itself, as against those that a user is told, and what it takes for unreadable although it was admitted. */
function programErrors(line: object): readonly string[] {
  const text = JSON.stringify(line);
  return /TypeError|RangeError|ReferenceError|SyntaxError|Maximum call stack|"unreadable"/.test(text)
    ? [text.slice(0, 2_000)]
    : [];
}

function peakMemoryMiB(): number {
  return process.resourceUsage().maxRSS / 1024;
}

async function cheaply<T>(what: string, call: () => Promise<T>): Promise<T> {
  const beganMs = threadCpuMs();
  const result = await call();
  expect(threadCpuMs() - beganMs, `milliseconds of ${what}`).toBeLessThan(MAX_CPU_MS);
  return result;
}

/** A namespace of its own, in which few pods may be. */
async function prepareNamespace(cluster: Cluster, kind: string, { entry }: HostileNumber, name: string): Promise<void> {
  if (!entry.namespaced) return;
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' } };
  await cluster.inNamespace(name).apply({ ...quota, spec: { hard: { pods: PODS_OF_EACH } } });
  if (kind.startsWith('horizontal')) await cluster.inNamespace(name).apply(deployment('target'));
}

/** Resolves to whether the object was admitted; a refusal must say that the client is wrong. */
async function send(cluster: Cluster, one: HostileNumber, name: string): Promise<boolean> {
  const root = one.entry.group === '' ? '/api' : '/apis';
  const namespace = one.entry.namespaced ? `namespaces/${name}/` : '';
  const collection = `${root}/${one.apiVersion}/${namespace}${one.entry.plural}`;
  const call = async (method: string, path: string, type: string, body: string) => {
    const response = await cluster.request(path, { method, headers: { 'content-type': type }, body });
    expect(response.status, `${one.what}: ${(await response.text()).slice(0, 500)}`).toBeLessThan(500);
    return response.ok;
  };
  const isCreated = await call('POST', collection, 'application/json', one.object.replace('NAME', name));
  if (!isCreated || one.status === undefined) return isCreated;
  await call('PATCH', `${collection}/${name}/status`, 'application/merge-patch+json', one.status);
  return true;
}

async function expectToGoOn(cluster: Cluster, name: string, duration: string): Promise<void> {
  await cluster.apply(deployment(name));
  await cluster.advance(duration);
  expect(await cluster.get(`deployment/default/${name}`)).toMatchObject({ status: { availableReplicas: 1 } });
}

/** As a table, and on the page. */
async function expectToBeShown(cluster: Cluster, kind: string): Promise<void> {
  const [one] = hostileNumbers(kind);
  const path = `${one?.entry.group === '' ? '/api' : '/apis'}/${one?.apiVersion}/${one?.entry.plural}`;
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const table = await cheaply('a table', async () => await cluster.request(path, { headers: { accept } }));
  expect(await table.json()).toMatchObject({ kind: 'Table' });
  const page = await fetch(`${cluster.url}/dashboard/api/stream`);
  const reader = page.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  await reader?.cancel();
}
