import { expect, test } from 'vitest';
import { startApi } from '../startApi.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

/** Opens watches with these queries, then creates a ConfigMap. Returns the first chunk of bytes of each. */
async function firstChunks(queries: readonly string[], accept = 'application/json'): Promise<readonly Uint8Array[]> {
  const { app } = await startApi();
  const readers = [];
  for (const query of queries) {
    const { body } = await app.request(
      `${MAPS}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&${query}`,
      {
        headers: { Accept: accept },
      },
    );
    if (!body) throw new Error('the watch has no body');
    readers.push(body.getReader());
  }
  const body = JSON.stringify({ metadata: { name: 'settings', labels: { app: 'web' } }, data: { colour: 'green' } });
  const reads = readers.map((reader) => reader.read());
  const created = await app.request(MAPS, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  expect(created.status).toBe(201);
  const chunks = (await Promise.all(reads)).map(({ value }) => value ?? new Uint8Array());
  await Promise.all(readers.map((reader) => reader.cancel()));
  return chunks;
}

test('watches of the same objects are sent the same bytes, which are made once', async () => {
  const [one, two, three, other] = await firstChunks(['', '', 'labelSelector=app%3Dweb', 'labelSelector=app%3Dweb']);
  expect(two).toBe(one);
  expect(other).toBe(three);
  expect(three).not.toBe(one);
  expect(new TextDecoder().decode(three)).toBe(new TextDecoder().decode(one));
});

test('each watch of tables is sent bytes of its own, since each begins with the columns', async () => {
  const [one, two] = await firstChunks(['', ''], 'application/json;as=Table;v=v1;g=meta.k8s.io');
  expect(two).not.toBe(one);
  expect(new TextDecoder().decode(two)).toContain('"columnDefinitions":[{');
});

test('of many selections only some are kept, and all watches are sent their events', async () => {
  const queries = Array.from({ length: 12 }, (_, n) => `labelSelector=${encodeURIComponent(`app!=other-${n}`)}`);
  const chunks = await firstChunks([...queries, ...queries]);
  const texts = new Set(chunks.map((chunk) => new TextDecoder().decode(chunk)));
  expect([...texts]).toEqual([expect.stringContaining('"type":"ADDED"')]);
  expect(new Set(chunks).size).toBe(8 + 2 * 4);
});
