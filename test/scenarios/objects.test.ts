import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ScenarioRun } from './ScenarioRun.ts';

/** All fields of the objects that a Deployment leads to, as Kubernetes sets them. `UPDATE_GOLDEN=1` rewrites the file, for review. */
const GOLDEN = join(import.meta.dirname, 'golden', 'objects.yaml');

const LISTS = [
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/replicasets',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/events',
];

let run: ScenarioRun;
afterEach(() => run.stop());

test('a Deployment of one replica, its ReplicaSet, its pod and their events have all fields that Kubernetes sets', async () => {
  run = await ScenarioRun.start();
  await run.create(1);
  await run.complete();
  const lists = await Promise.all(LISTS.map((path) => run.call<{ items: object[] }>('GET', path)));
  const text = maskWhatVaries(lists.flatMap(({ items }) => items.map((item) => stringify(sorted(item)))).join('---\n'));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, text);
  expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
});

/** Sorts the fields by name, as kubectl prints them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function maskWhatVaries(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<Now>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<Uid>')
    .replaceAll(/(resourceVersion): "\d+"/g, '$1: "<Version>"')
    .replaceAll(/\.[0-9a-f]{16}$/gm, '.<Nanoseconds>')
    .replaceAll(/web-(\w+)-[a-z0-9]{5}(?![a-z0-9])/g, 'web-$1-<Suffix>')
    .replaceAll(/driftless-node-\d/g, 'driftless-node-<Number>')
    .replaceAll(/198(\.\d+){3}/g, '<Address>')
    .replaceAll(/[0-9a-f]{64}/g, '<Digest>');
}
