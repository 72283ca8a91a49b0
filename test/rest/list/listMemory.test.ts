import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nameOf } from './GeneratedPods.ts';
import { openApiOverPods } from './openApiOverPods.ts';

const PODS = 10_000;
/** Half of it is taken before a pod is read. All pods decoded take 35 MB. */
const HEAP_MB = 40;

test(`a heap of ${HEAP_MB} MB is enough for a compressed list of ${PODS} pods`, { timeout: 120_000 }, async () => {
  const script = fileURLToPath(new URL('listManyPods.ts', import.meta.url));
  const args = [`--max-old-space-size=${HEAP_MB}`, '--import', 'tsx', script, `${PODS}`];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { bytes, ...answer } = JSON.parse(stdout) as { readonly bytes: number };
  expect(answer).toEqual({ status: 200, encoding: 'gzip' });
  expect(bytes).toBeGreaterThan(100_000);
});

test.each([
  ['', [0, 1, 2, 3, 4]],
  ['?labelSelector=index%3D3', [3]],
  [`?fieldSelector=metadata.name%3D${nameOf(2)}`, [2]],
])('a list with the query %j has the selected pods in their order', async (query, expected) => {
  const { app } = await openApiOverPods(5);
  const response = await app.request(`http://localhost/api/v1/namespaces/default/pods${query}`);
  const { items, metadata } = (await response.json()) as {
    readonly items: readonly { readonly metadata: { readonly name: string; readonly resourceVersion: string } }[];
    readonly metadata: { readonly resourceVersion: string };
  };
  expect(items.map((item) => item.metadata.name)).toEqual(expected.map(nameOf));
  expect(items.map((item) => item.metadata.resourceVersion)).toEqual(expected.map((pod) => String(pod + 2)));
  expect(metadata.resourceVersion).toBe('7');
});

test('pages of a list cost its objects once, and together they are the list', async () => {
  const { app, pods } = await openApiOverPods(2_000);
  const names: string[] = [];
  for (let next: string | undefined = ''; next !== undefined; ) {
    const query: string = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const response = await app.request(`http://localhost/api/v1/namespaces/default/pods?limit=500${query}`);
    const page = (await response.json()) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
      readonly metadata: { readonly continue?: string };
    };
    names.push(...page.items.map(({ metadata }) => metadata.name));
    next = page.metadata.continue;
  }
  expect(names).toEqual(Array.from({ length: 2_000 }, (_, pod) => nameOf(pod)));
  // The first page reads a little more than its share of each of 16 partitions.
  expect(pods.itemsRead).toBeLessThan(2_000 * 1.15);
});
