import { createHash } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CloudStoreBench } from '../support/CloudStoreBench.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { changed, owner, removed, sample, stored } from './objectStoreSamples.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

const MAPS = 'configmaps';
const KEY = { resource: MAPS, namespace: 'default', name: 'a' };

/** Text that does not compress below the given size: a long hash in base64. */
const noise = (bytes: number) => createHash('shake256', { outputLength: bytes }).digest('base64');

describe.skipIf(dynamoDbLocalMissing)(
  `large objects in DynamoDB${dynamoDbLocalMissing ? ` (${dynamoDbLocalMissing})` : ''}`,
  () => {
    let local: DynamoDbLocal;
    let bench: CloudStoreBench;
    beforeAll(async () => {
      local = await DynamoDbLocal.start();
    });
    afterAll(() => local?.stop());
    afterEach(() => bench.close());

    async function open() {
      bench = await CloudStoreBench.open(local);
      return bench;
    }

    /** The number of the layout of a config map's item, and the size of its body. */
    async function itemOf(name: string) {
      const Key = { place: { S: `${MAPS}#default` }, name: { S: name } };
      const { Item } = await local.client.send(new GetItemCommand({ TableName: bench.tables.objects, Key }));
      return { format: Item?.['format']?.N, bytes: Item?.['bulk']?.B?.length };
    }

    test('an object that does not compress is refused above the size of an item, and changes nothing', async () => {
      const { objectStore } = await open();
      const refused = { status: 'tooLarge', part: 'compressed', bytes: expect.any(Number), limitBytes: 380_000 };
      expect(await objectStore.create(MAPS, sample('a', { text: noise(420_000) }))).toEqual(refused);
      expect(await objectStore.get(KEY)).toBeUndefined();
      const current = await stored(objectStore, MAPS, sample('a'));
      expect(await objectStore.replace(MAPS, { ...current, data: { text: noise(420_000) } })).toEqual(refused);
      const outdated = { ...current, metadata: { ...current.metadata, resourceVersion: '1' } };
      expect(await objectStore.replace(MAPS, { ...outdated, data: { text: noise(420_000) } })).toEqual({
        status: 'conflict',
        current,
      });
      expect(await objectStore.get(KEY)).toEqual(current);
    });

    test('the largest object that is stored fits into an item with the longest name, all indexes and all tombstones', async () => {
      const { objectStore } = await open();
      const name = 'n'.repeat(1024);
      for (let n = 0; n < 64; n += 1) await objectStore.burn({ ...KEY, name }, `${n}`.padStart(36, 'u'));
      const ownerReferences = [owner('x'.repeat(384), true), owner('y', false)];
      const text = noise(372_000);
      const object = await stored(objectStore, MAPS, sample(name, { text, ownerReferences }));
      expect(JSON.stringify(object).length).toBeGreaterThan(490_000);
      expect(await objectStore.get({ ...KEY, name })).toEqual(object);
      expect(await changed(objectStore, MAPS, object, text)).toMatchObject({ data: { text } });
    });

    test('long base64 is stored as its bytes if it is too large otherwise, which an older release refuses to read', async () => {
      const { objectStore } = await open();
      const release = Buffer.from(noise(300_000)).toString('base64');
      const object = await stored(objectStore, MAPS, sample('a', { text: release }));
      expect(await objectStore.get(KEY)).toEqual(object);
      expect((await objectStore.list(MAPS)).items).toEqual([object]);
      expect(await itemOf('a')).toEqual({ format: '2', bytes: expect.closeTo(303_000, -4) });
      const small = await changed(objectStore, MAPS, object, release.slice(0, 400_000));
      expect(await itemOf('a')).toMatchObject({ format: '1' });
      const again = await changed(objectStore, MAPS, small, release);
      expect(await itemOf('a')).toMatchObject({ format: '2' });
      expect(await removed(objectStore, MAPS, again)).toMatchObject({ data: { text: release } });
      expect(await itemOf('a')).toMatchObject({ format: '1' });
    });
  },
);
