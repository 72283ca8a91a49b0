import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { openDynamoDbStore } from '../../lambdas/adapters/aws/openDynamoDbStore.ts';
import type { TableNames } from '../../lambdas/adapters/aws/tables.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import { CloudStoreBench } from '../support/CloudStoreBench.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { changed, owner, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

const MAPS = 'configmaps';
const KEY = { resource: MAPS, namespace: 'default', name: 'a' };
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the calls wait for an answer; no pause is as long. */
const ATTEMPT_MS = 3_000;

/** The machine's clock, which a test can set forward. */
class ForwardClock extends SystemClock {
  offsetMs = 0;

  override now(): number {
    return super.now() + this.offsetMs;
  }
}

/** The machine's clock, on which the pauses before a request is repeated end at once. The time that an attempt may take is as long as ever. */
class ClockWithoutPauses extends SystemClock {
  override setTimer(delayMs: number, wake: () => void): () => void {
    return super.setTimer(delayMs < ATTEMPT_MS ? 0 : delayMs, wake);
  }
}

/** Records the names of the requests sent. A test can make each fail, before or after it is carried out. */
function watchRequests(client: DynamoDBClient) {
  const sent: string[] = [];
  const faults: { command: string; table?: string; when: 'before' | 'after'; error: Error }[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        sent.push(String(commandName));
        const { TableName } = args.input as { TableName?: string };
        const at = faults.findIndex(({ command, table = TableName }) => command === commandName && table === TableName);
        const fault = at < 0 ? undefined : faults.splice(at, 1)[0];
        if (fault?.when === 'before') throw fault.error;
        const answer = await next(args);
        if (fault) throw fault.error;
        return answer;
      },
    { step: 'initialize' },
  );
  return { sent, faults };
}

const lost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const throttled = (name: string) => Object.assign(new Error('slow down'), { name });

describe.skipIf(dynamoDbLocalMissing)(
  `objects in DynamoDB${dynamoDbLocalMissing ? ` (${dynamoDbLocalMissing})` : ''}`,
  () => {
    let local: DynamoDbLocal;
    let bench: CloudStoreBench;
    const clock = new ForwardClock();
    beforeAll(async () => {
      local = await DynamoDbLocal.start();
    });
    afterAll(() => local?.stop());
    afterEach(async () => {
      await bench.close();
      clock.offsetMs = 0;
    });

    /** A store on the bench's tables, as in another process, with its requests recorded. */
    function watched(tables: TableNames, callClock: Clock = clock) {
      const client = local.newClient();
      const calls = new DynamoDbCalls({ client, clock: callClock, ids: new SeededIds(7) });
      const store = openDynamoDbStore({ calls, tables });
      return { ...store, ...watchRequests(client) };
    }

    async function open(callClock?: Clock) {
      bench = await CloudStoreBench.open(local, { clock });
      return watched(bench.tables, callClock);
    }

    /** The item of a config map as DynamoDB has it. */
    async function rawItem(name: string) {
      const Key = { place: { S: `${MAPS}#default` }, name: { S: name } };
      const { Item } = await local.client.send(new GetItemCommand({ TableName: bench.tables.objects, Key }));
      return Item;
    }

    describe('writes whose answer is lost', () => {
      test('are recognised by their version, and stored, replaced and removed once', async () => {
        const { objectStore, faults } = await open();
        const loseTwice = () => {
          expect(faults).toEqual([]);
          const fault = {
            command: 'UpdateItemCommand',
            table: bench.tables.objects,
            when: 'after',
            error: lost(),
          } as const;
          faults.push(fault, fault);
        };
        loseTwice();
        const first = await stored(objectStore, MAPS, sample('a'));
        expect(await objectStore.get(KEY)).toEqual(first);
        loseTwice();
        const second = await changed(objectStore, MAPS, first, 'second');
        expect(await objectStore.get(KEY)).toEqual(second);
        loseTwice();
        const gone = await removed(objectStore, MAPS, second);
        expect(gone).toMatchObject({ data: { text: 'second' } });
        expect(await objectStore.get(KEY)).toBeUndefined();
        expect(faults).toEqual([]);
      });

      test('a draw whose answer is lost leaves a gap, and gives no version twice', async () => {
        const { objectStore, faults } = await open();
        faults.push({ command: 'UpdateItemCommand', table: bench.tables.versions, when: 'after', error: lost() });
        const objects = [await stored(objectStore, MAPS, sample('a')), await stored(objectStore, MAPS, sample('b'))];
        expect(objects.map(versionOf)).toEqual([3, 4]);
      });
    });

    describe('failed requests', () => {
      test.each([
        'ThrottlingException',
        'ProvisionedThroughputExceededException',
        'RequestLimitExceeded',
        'TransactionConflictException',
        'InternalServerError',
      ])('with %s are repeated, and do not appear as a conflict', async (name) => {
        const { objectStore, faults } = await open(new ClockWithoutPauses());
        const fail = (command: string) => faults.push({ command, when: 'before', error: throttled(name) });
        for (let n = 0; n < 4; n += 1) fail('UpdateItemCommand');
        const first = await stored(objectStore, MAPS, sample('a'));
        for (let n = 0; n < 4; n += 1) fail('UpdateItemCommand');
        const second = await changed(objectStore, MAPS, first, 'second');
        fail('GetItemCommand');
        expect(await objectStore.get(KEY)).toEqual(second);
        fail('QueryCommand');
        expect((await objectStore.list(MAPS)).items).toEqual([second]);
        expect(faults).toEqual([]);
      });

      test('that are not transient throw their error', async () => {
        const { objectStore, faults } = await open();
        const error = throttled('AccessDeniedException');
        faults.push({ command: 'UpdateItemCommand', when: 'before', error });
        await expect(objectStore.create(MAPS, sample('a'))).rejects.toBe(error);
      });
    });

    describe('requests', () => {
      test('a write draws a version and makes one conditional write, and a conflict needs no read', async () => {
        const { objectStore, sent } = await open();
        const first = await stored(objectStore, MAPS, sample('a'));
        sent.length = 0;
        await stored(objectStore, MAPS, sample('b'));
        expect(sent).toEqual(['UpdateItemCommand', 'UpdateItemCommand']);
        sent.length = 0;
        await changed(objectStore, MAPS, first, 'second');
        expect(sent).toEqual(['UpdateItemCommand', 'UpdateItemCommand']);
        sent.length = 0;
        expect(await objectStore.replace(MAPS, first)).toMatchObject({ status: 'conflict' });
        expect(sent).toEqual(['UpdateItemCommand', 'UpdateItemCommand']);
      });

      test('a burst of writes shares its draws of versions', async () => {
        const { objectStore, sent } = await open();
        await stored(objectStore, MAPS, sample('a'));
        sent.length = 0;
        const objects = await Promise.all(
          Array.from({ length: 50 }, (_, n) => stored(objectStore, MAPS, sample(`object-${n}`))),
        );
        expect(new Set(objects.map(versionOf)).size).toBe(50);
        expect(sent.length).toBeLessThanOrEqual(53);
      });

      test('a list over all namespaces makes one query for each and never a scan', async () => {
        const { objectStore, sent } = await open();
        for (const namespace of ['a', 'b', 'c']) await stored(objectStore, MAPS, sample('x', { namespace }));
        sent.length = 0;
        await objectStore.list(MAPS);
        expect(sent).toEqual(Array.from({ length: 4 }, () => 'QueryCommand'));
        sent.length = 0;
        await objectStore.list(MAPS, { index: { name: 'controller', value: 'web' }, namespace: 'a' });
        expect(sent).toEqual(['QueryCommand']);
      });
    });

    test('an object too large for an index is found by the index', async () => {
      const { objectStore } = await open();
      const text = Array.from({ length: 20_000 }, (_, n) => `${n * 7919}`).join('');
      const ownerReferences = [owner('web', true), owner('other', false)];
      for (const name of ['a', 'c']) await stored(objectStore, MAPS, sample(name, { ownerReferences }));
      const large = await stored(objectStore, MAPS, sample('b', { ownerReferences, text }));
      for (const index of [
        { name: 'controller', value: 'web' },
        { name: 'coOwned', value: 'true' },
      ] as const) {
        const { items } = await objectStore.list(MAPS, { index });
        expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
        expect(items[1]).toEqual(large);
      }
    });

    test('index values of any length and with any characters are distinguished', async () => {
      const { objectStore } = await open();
      const values = ['a', 'a/b', 'a/b/c', '1:a', 'ä/\u0000', 'x'.repeat(3000), `${'x'.repeat(3000)}y`];
      for (const [n, value] of values.entries()) {
        await stored(objectStore, MAPS, sample(`object-${n}`, { ownerReferences: [owner(value, true)] }));
      }
      for (const [n, value] of values.entries()) {
        const { items } = await objectStore.list(MAPS, { index: { name: 'controller', value } });
        expect(items.map(({ metadata }) => metadata.name)).toEqual([`object-${n}`]);
      }
    });

    test('a name too long for a key is refused as too large, and read as absent', async () => {
      const { objectStore } = await open();
      const name = 'n'.repeat(1025);
      const tooLong = { status: 'tooLarge', part: 'name', bytes: 1025, limitBytes: 1024 };
      expect(await objectStore.create(MAPS, sample(name))).toEqual(tooLong);
      expect(await objectStore.get({ ...KEY, name })).toBeUndefined();
      expect(await objectStore.replace(MAPS, sample(name))).toEqual({ status: 'absent' });
      expect(await objectStore.remove({ ...KEY, name })).toEqual({ status: 'absent' });
      expect(await objectStore.get({ ...KEY, name: '' })).toBeUndefined();
    });

    test('a UID may come back after a day, even if DynamoDB has not deleted its tombstone', async () => {
      const { objectStore } = await open();
      await removed(objectStore, MAPS, await stored(objectStore, MAPS, sample('a')));
      await objectStore.burn({ ...KEY, name: 'b' }, 'uid-of-b');
      clock.offsetMs = DAY_MS - 60_000;
      expect(await objectStore.create(MAPS, sample('a'))).toEqual({ status: 'exists' });
      clock.offsetMs = DAY_MS + 60_000;
      for (const name of ['a', 'b']) {
        expect(await objectStore.create(MAPS, sample(name))).toMatchObject({ status: 'stored' });
      }
    });

    test('a name that is reused often remembers a bounded number of UIDs', async () => {
      const { objectStore } = await open();
      for (let n = 0; n < 70; n += 1) await objectStore.burn(KEY, `uid-${n}`);
      expect(await objectStore.create(MAPS, sample('a', { uid: 'uid-69' }))).toEqual({ status: 'exists' });
      expect(await objectStore.create(MAPS, sample('a', { uid: 'uid-6' }))).toEqual({ status: 'exists' });
      expect(await objectStore.create(MAPS, sample('a', { uid: 'uid-5' }))).toMatchObject({ status: 'stored' });
    });

    test('a namespace that was empty for a day is unregistered, unless an object was created', async () => {
      const { objectStore, sent } = await open();
      for (const namespace of ['gone', 'used']) {
        const object = await stored(objectStore, MAPS, sample('a', { namespace }));
        await removed(objectStore, MAPS, object);
      }
      for (const namespace of ['gone', 'used']) await bench.deleteByHand({ ...KEY, namespace });
      await objectStore.list(MAPS);
      clock.offsetMs = 2 * 60 * 60 * 1000;
      const late = await stored(objectStore, MAPS, sample('b', { namespace: 'used', uid: 'late' }));
      clock.offsetMs = DAY_MS + 60_000;
      expect((await objectStore.list(MAPS)).items).toEqual([late]);
      sent.length = 0;
      expect((await objectStore.list(MAPS)).items).toEqual([late]);
      expect(sent).toEqual(['QueryCommand', 'QueryCommand']);
      const again = await stored(objectStore, MAPS, sample('c', { namespace: 'gone' }));
      expect((await objectStore.list(MAPS)).items).toEqual([again, late]);
    });

    test('a tombstone that expires is not a change', async () => {
      const { objectStore } = await open();
      const first = await stored(objectStore, MAPS, sample('a', { namespace: 'x' }));
      const gone = await removed(objectStore, MAPS, first);
      await bench.deleteByHand({ ...KEY, namespace: 'x' });
      const next = await stored(objectStore, MAPS, sample('next'));
      const signal = AbortSignal.timeout(20_000);
      await bench.changeLog.reached(MAPS, versionOf(next), signal);
      const opened = await bench.changeLog.open(MAPS, versionOf(gone), signal);
      const changes = opened.status === 'open' && (await opened.cursor.next(signal));
      expect(changes).toEqual([expect.objectContaining({ type: 'ADDED', after: next })]);
      expect(bench.everyKeyAskedOf).toEqual([]);
    });

    test('an item of a newer format is refused by name, however it is read', async () => {
      const { objectStore } = await open();
      const object = await stored(objectStore, MAPS, sample('a'));
      const Item = { ...(await rawItem('a')), format: { N: '3' } };
      await local.client.send(new PutItemCommand({ TableName: bench.tables.objects, Item }));
      const why = 'the item configmaps#default/a has format 3, and this release reads only up to 2';
      await expect(objectStore.get(KEY)).rejects.toThrow(why);
      await expect(objectStore.list(MAPS)).rejects.toThrow(why);
      await expect(objectStore.create(MAPS, sample('a'))).rejects.toThrow(why);
      await expect(objectStore.remove(KEY)).rejects.toThrow(why);
      await expect(
        objectStore.replace(MAPS, { ...object, metadata: { ...object.metadata, resourceVersion: '1' } }),
      ).rejects.toThrow(why);
    });

    test('an error about an unreadable item names the item', async () => {
      const { objectStore } = await open();
      const place = { S: `${MAPS}#default` };
      const Item = { place, name: { S: 'a' }, uid: { S: 'u' }, version: { N: '1' }, body: { S: '{' } };
      await local.client.send(new PutItemCommand({ TableName: bench.tables.objects, Item }));
      await expect(objectStore.get(KEY)).rejects.toThrow('the item configmaps#default/a cannot be read');
    });
  },
);
