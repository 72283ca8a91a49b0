import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../../../infra/testCluster/startCluster.ts';
import { openStorage } from '../../../infra/local/openStorage.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import { deployment } from '../../rest/startApi.ts';
import { type HostileStored, hostileStored } from './hostileStored.ts';

const UNREADABLE = 'data from the storage is not decodable: ';

/** Defines a test for each of these kinds. */
export function expectToStartWith(entries: readonly ResourceEntry[]): void {
  describe('a server starts with whatever is stored', () => {
    test.each(entries.map((entry) => [entry.groupResource, entry] as const))('%s', async (_, entry) => {
      const all = hostileStored(entry);
      const dataDir = await storedAsTheyAre(entry, all);
      const lines: object[] = [];
      const cluster = await startCluster({ clock: 'virtual', seed: 1, dataDir, log: (line) => lines.push(line) });
      onTestFinished(() => cluster.stop());
      await expectToGoOn(cluster, 'default');
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
      await expectToGoOn(cluster, 'other');
      await expectToBeListed(cluster, entry);
      for (const { what, object } of all) {
        const path = `${collectionOf(entry)}/${object.metadata.name}`;
        const { status, text } = await call(cluster, path);
        if (status !== 200 && status !== 404) {
          expect(text, what).toContain(UNREADABLE);
          expect(lines, what).toContainEqual(
            expect.objectContaining({ msg: 'unreadable', name: object.metadata.name }),
          );
        }
        const deleted = await call(cluster, path, 'DELETE');
        expect([200, 202, 404], `${what}: ${deleted.text.slice(0, 500)}`).toContain(deleted.status);
        if (status === 500) expect((await call(cluster, path)).status, what).toBe(404);
      }
      await cluster.advance('1m');
    });
  });
}

/** Writes the objects past every rule into a new data directory, and returns it. */
async function storedAsTheyAre(entry: ResourceEntry, all: readonly HostileStored[]): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'driftless-stored-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const { journal, keyItems } = await openStorage(dataDir);
  const store = openEmbeddedStore({ journal, clock: new VirtualClock(Date.UTC(2026, 0, 1)) });
  for (const { what, object } of all) {
    expect(await store.objectStore.create(entry.groupResource, object), what).toMatchObject({ status: 'stored' });
  }
  await store.close();
  await keyItems.close();
  return dataDir;
}

/** A new Deployment becomes complete, and its Service finds its pod. */
async function expectToGoOn(cluster: Cluster, namespace: string): Promise<void> {
  const here = cluster.inNamespace(namespace);
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'healthy' } };
  await here.apply(deployment('healthy'));
  await here.apply({ ...service, spec: { selector: { app: 'healthy' }, ports: [{ port: 80 }] } });
  await cluster.advance('30s');
  expect(await here.get('deployment/healthy')).toMatchObject({ status: { availableReplicas: 1 } });
  expect(await here.get('endpoints/healthy')).toMatchObject({ subsets: [{ ports: [{ port: 80 }] }] });
}

async function expectToBeListed(cluster: Cluster, entry: ResourceEntry): Promise<void> {
  for (const accept of ['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
    const { status, text } = await call(cluster, collectionOf(entry), 'GET', { accept });
    expect(status, text.slice(0, 500)).toBe(200);
  }
}

function collectionOf({ group, versions, namespaced, plural }: ResourceEntry): string {
  const { version } = versions[0] ?? { version: 'v1' };
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/${namespaced ? 'namespaces/default/' : ''}${plural}`;
}

async function call(cluster: Cluster, path: string, method = 'GET', headers: Record<string, string> = {}) {
  const response = await cluster.request(path, { method, headers });
  return { status: response.status, text: await response.text() };
}
