// Slow: a position is final only after seconds, and each test waits for some.
import { randomBytes } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ChangeLogAppender } from '../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { LogTable } from '../../lambdas/adapters/aws/log/LogTable.ts';
import { VersionCounter } from '../../lambdas/adapters/aws/VersionCounter.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { type Change, subjectOf } from '../../lambdas/ports/ChangeLog.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import { CloudStoreBench, type CloudStoreBenchOptions } from '../support/CloudStoreBench.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { objectVersions } from '../support/objectVersions.ts';
import { listWithPosition, opened, readUntil } from './changeLogReading.ts';
import { changed, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

const MAPS = 'configmaps';
const MINUTE_MS = 60_000;
const ROUNDS = 3;

/** The machine's clock, which a test can set forward. */
class ForwardClock extends SystemClock {
  offsetMs = 0;

  override now(): number {
    return super.now() + this.offsetMs;
  }
}

function added(version: number, name = `object-${version}`, text = 'first'): Change {
  const object = sample(name, { text });
  const after = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  return { type: 'ADDED', resource: MAPS, version, after };
}

async function churn(store: ObjectStore, name: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = await stored(store, MAPS, sample(name, { uid: `${name}-${round}` }));
    const second = await changed(store, MAPS, first, `round ${round}`);
    const third = await changed(store, MAPS, second, `round ${round} again`);
    if (round < ROUNDS - 1) await removed(store, MAPS, third);
  }
}

/** Applies a change, and checks that the reader has exactly the state that it changes or, if states were left out, no later one. */
function applyStrictly(world: Map<string, KubernetesObject>, change: Change): void {
  const { name } = subjectOf(change).metadata;
  const known = world.get(name);
  if (change.merged) expect(known ? versionOf(known) : 0).toBeLessThanOrEqual(change.version);
  else expect(known).toEqual(change.before);
  if (change.after) world.set(name, change.after);
  else world.delete(name);
}

describe.skipIf(dynamoDbLocalMissing)(
  `the change log in DynamoDB${dynamoDbLocalMissing ? ` (${dynamoDbLocalMissing})` : ''}`,
  () => {
    let local: DynamoDbLocal;
    let bench: CloudStoreBench;
    let clock: ForwardClock;
    beforeAll(async () => {
      local = await DynamoDbLocal.start();
    });
    afterAll(() => local?.stop());
    afterEach(() => bench.close());

    async function open(options: CloudStoreBenchOptions = {}): Promise<CloudStoreBench> {
      clock = new ForwardClock();
      bench = await CloudStoreBench.open(local, { clock, ...options });
      return bench;
    }

    /** Returns all changes in the log, from its beginning. */
    async function wholeLog(): Promise<readonly Change[]> {
      const stop = new AbortController();
      await bench.changeLog.head(MAPS);
      const cursor = await opened(bench.changeLog, MAPS, 0, AbortSignal.timeout(20_000));
      stop.abort();
      const changes: Change[] = [];
      for (;;) {
        const more = await cursor.next(stop.signal);
        if (more === 'expired') throw new Error('the log has lost its beginning');
        if (more.length === 0) return changes;
        changes.push(...more);
      }
    }

    describe('when every object may be in a shard of its own', () => {
      test.each([1, 2])('a list and its watch lose nothing and never go back (seed %i)', async (seed) => {
        const { objectStore, changeLog } = await open({ ordered: 'object', seed });
        const signal = AbortSignal.timeout(50_000);
        const names = Array.from({ length: 8 }, (_, n) => `writer-${n}`);
        const writing = Promise.all(names.map((name) => churn(objectStore, name)));
        const watchers = Array.from({ length: 6 }, async (_, n) => {
          const early = await opened(changeLog, MAPS, 0, signal);
          for (let seen = 0; seen < n * 12; ) seen += (await early.next(signal)).length;
          const { items, position } = await listWithPosition(objectStore, changeLog, MAPS, signal);
          const world = new Map(items.map((object): [string, KubernetesObject] => [object.metadata.name, object]));
          const cursor = await opened(changeLog, MAPS, position, signal);
          const isDone = () => names.every((name) => text(world.get(name)) === `round ${ROUNDS - 1} again`);
          while (!isDone()) {
            const changes = await cursor.next(signal);
            if (changes === 'expired' || changes.length === 0) throw new Error('the last change did not come');
            for (const change of changes) applyStrictly(world, change);
          }
          return world;
        });
        await writing;
        const { items } = await objectStore.list(MAPS);
        for (const world of await Promise.all(watchers)) {
          expect([...world.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))).toEqual(items);
        }
        expect(bench.everyKeyAskedOf).toEqual([]);
      });

      test('all watchers see one order, each change once', async () => {
        const { objectStore, changeLog } = await open({ ordered: 'object', seed: 4 });
        const signal = AbortSignal.timeout(50_000);
        const cursors = await Promise.all(Array.from({ length: 5 }, () => opened(changeLog, MAPS, 0, signal)));
        const readings = cursors.map((cursor) => {
          let count = 0;
          return readUntil(cursor, () => (count += 1) === 8 * (4 * ROUNDS - 1), signal);
        });
        await Promise.all(Array.from({ length: 8 }, (_, n) => churn(objectStore, `writer-${n}`)));
        const [first, ...others] = await Promise.all(readings);
        expect(new Set(first?.map(({ version }) => version)).size).toBe(8 * (4 * ROUNDS - 1));
        for (const other of others) expect(other).toEqual(first);
      });
    });

    describe('appending', () => {
      test("several appenders with the same batches log each change once, and each object's changes in their order", async () => {
        await open();
        const changes = Array.from({ length: 60 }, (_, n) => added(n + 1, `object-${n % 5}`));
        const appenders = [1, 2, 3].map(() => bench.newAppender());
        await Promise.all(
          appenders.map(async (appender, n) => {
            for (let at = 0; at < changes.length; at += 4 + n) {
              await appender.append(MAPS, changes.slice(Math.max(0, at - 3), at + 4 + n));
            }
          }),
        );
        const log = await wholeLog();
        expect(log.map(({ version }) => version).sort((a, b) => a - b)).toEqual(changes.map(({ version }) => version));
        for (let object = 0; object < 5; object += 1) {
          const own = log.filter((change) => subjectOf(change).metadata.name === `object-${object}`);
          expect(own.map(({ version }) => version)).toEqual(own.map(({ version }) => version).sort((a, b) => a - b));
        }
      });

      test('an appender that dies after its segment, or before it moves the head, has appended', async () => {
        await open();
        const appender = bench.newAppender();
        const dying = bench.newAppender({ failAfterPuts: 1 });
        await expect(dying.append(MAPS, [added(1)])).rejects.toThrow('died');
        expect(await bench.changeLog.head(MAPS)).toBe(1);
        await appender.append(MAPS, [added(1)]);
        await appender.append(MAPS, [added(1), added(2)]);
        expect(await wholeLog()).toEqual([added(1), added(2)]);
      });

      test('an appender that dies before its segment has appended nothing, wherever it dies', async () => {
        await open();
        const large = [added(1, 'a', randomBytes(9_000).toString('hex')), added(2)];
        await expect(bench.newAppender({ failAfterPuts: 0 }).append(MAPS, large)).rejects.toThrow('died');
        expect(await wholeLog()).toEqual([]);
        await bench.newAppender().append(MAPS, large);
        expect(await wholeLog()).toEqual(large);
      });

      test('a head that has moved says the same as the segments', async () => {
        await open();
        for (let version = 2; version <= 80; version += 2) {
          await bench.newAppender().append(MAPS, [added(version)]);
          clock.offsetMs += 100;
        }
        const table = new LogTable(bench.calls, bench.tables.log);
        const head = await table.readHead(MAPS);
        expect(head.segment).toBeGreaterThan(16);
        expect(head.segment).toBeLessThan(40);
        await bench.newAppender().settle(MAPS);
        expect(await table.readHead(MAPS)).toMatchObject({ segment: 40, position: 80 });
        await bench.newAppender().append(MAPS, [added(3), added(4), added(79), added(80), added(81)]);
        const log = await wholeLog();
        expect(log.map(({ version }) => version).slice(-4)).toEqual([80, 3, 79, 81]);
      });

      test('a segment larger than the largest item is read back whole', async () => {
        await open();
        const noise = () => randomBytes(190_000).toString('hex').slice(0, 370_000);
        const before = added(1, 'a', noise());
        const after = added(2, 'a', noise()).after;
        const change = { type: 'MODIFIED', resource: MAPS, version: 2, before: before.after, after } as Change;
        await bench.newAppender().append(MAPS, [before, change]);
        expect(await wholeLog()).toEqual([before, change]);
      });

      test('a batch that is handed in again after hours is not logged twice', async () => {
        await open();
        const appender = bench.newAppender();
        await appendThenWait(appender, [added(3)], 11);
        await appendThenWait(appender, [added(5)], 60);
        await appendThenWait(appender, [added(7)], 20 * 60);
        await bench.newAppender().append(MAPS, [added(3), added(5), added(8)]);
        expect(await wholeLog()).toEqual([3, 5, 7, 8].map((version) => added(version)));
      });

      test.each([0.35, 15, 180])(
        'a shard that lags for %d minutes is logged in order, without an epoch',
        async (lag) => {
          await open();
          const counter = new VersionCounter(bench.calls, bench.tables.versions);
          await Promise.all(Array.from({ length: 6_000 }, () => counter.draw(MAPS)));
          const [fast, slow] = [bench.newAppender(), bench.newAppender()];
          const versions = Array.from({ length: 3_000 }, (_, n) => n + 1);
          const isSlow = (version: number) => version % 2 === 0;
          const slowShare = versions.filter(isSlow).map((version) => added(version));
          await slow.append(MAPS, slowShare.slice(0, 1));
          const fastShare = versions.filter((version) => !isSlow(version)).map((version) => added(version));
          for (let at = 0; at < 1_500; at += 100) await appendThenWait(fast, fastShare.slice(at, at + 100), lag / 15);
          for (let at = 0; at < 1_500; at += 70) await slow.append(MAPS, slowShare.slice(Math.max(0, at - 9), at + 70));
          await bench.newAppender().append(MAPS, slowShare.slice(0, 20));
          expect((await wholeLog()).map(({ version }) => version).sort((a, b) => a - b)).toEqual(versions);
        },
      );

      test('an epoch expires the positions before it, and what comes late is logged after it', async () => {
        await open();
        const counter = new VersionCounter(bench.calls, bench.tables.versions);
        await Promise.all(Array.from({ length: 20 }, () => counter.draw(MAPS)));
        await bench.newAppender().append(MAPS, [added(7)]);
        await bench.newAppender().startEpoch(MAPS);
        const head = await bench.changeLog.head(MAPS);
        const signal = AbortSignal.timeout(20_000);
        expect(head).toBe(22);
        expect(await bench.changeLog.open(MAPS, 7, signal)).toEqual({ status: 'expired' });
        expect(await bench.changeLog.reached(MAPS, 7, signal)).toBe('expired');
        const cursor = await opened(bench.changeLog, MAPS, head, signal);
        await bench.newAppender().append(MAPS, [added(2), added(8)]);
        expect(await cursor.next(signal)).toEqual([added(2), added(8)]);
        await bench.newAppender().startEpoch(MAPS);
        expect(await cursor.next(signal)).toBe('expired');
      });

      test('a change that an epoch passes over is logged no more, though a function still has it', async () => {
        await open();
        const counter = new VersionCounter(bench.calls, bench.tables.versions);
        await Promise.all(Array.from({ length: 20 }, () => counter.draw(MAPS)));
        const late = bench.newAppender();
        await late.append(MAPS, [added(7)]);
        await bench.newAppender().startEpoch(MAPS, objectVersions(5, 30, 4, 7));
        const head = await bench.changeLog.head(MAPS);
        expect(head).toBeGreaterThan(30);
        const signal = AbortSignal.timeout(20_000);
        expect(await bench.changeLog.open(MAPS, 30, signal)).toEqual({ status: 'expired' });
        const cursor = await opened(bench.changeLog, MAPS, head, signal);
        await late.append(MAPS, [added(4), added(5), added(6), added(7), added(30)]);
        expect(await cursor.next(signal)).toEqual([added(6)]);
      });

      test('of the objects of changes that an epoch passes over, no older changes are logged either, though their batch is given up later', async () => {
        await open();
        const counter = new VersionCounter(bench.calls, bench.tables.versions);
        await Promise.all(Array.from({ length: 20 }, () => counter.draw(MAPS)));
        const late = bench.newAppender();
        await late.append(MAPS, [added(7)]);
        await bench.newAppender().startEpoch(MAPS, [{ namespace: 'default', name: 'a', version: 12 }]);
        // More segments move the head, which says what of them is still needed.
        for (let version = 13; version < 40; version += 1) {
          clock.offsetMs += 2_000;
          await bench.newAppender().append(MAPS, [added(version)]);
        }
        const head = await bench.changeLog.head(MAPS);
        const signal = AbortSignal.timeout(20_000);
        const cursor = await opened(bench.changeLog, MAPS, head, signal);
        await late.append(MAPS, [added(8, 'a'), added(9, 'b')]);
        expect(await cursor.next(signal)).toEqual([added(9, 'b')]);
        await bench.newAppender().append(MAPS, [added(10, 'a'), added(11, 'b')]);
        expect(await cursor.next(signal)).toEqual([added(11, 'b')]);
      });

      test('a watch expires if the contents of a segment are missing', async () => {
        await open();
        const signal = AbortSignal.timeout(20_000);
        const large = added(1, 'a', randomBytes(9_000).toString('hex'));
        await bench.newAppender().append(MAPS, [large]);
        const table = new LogTable(bench.calls, bench.tables.log);
        const id = (await table.readSegment(MAPS, 1))?.parts[0]?.id ?? '';
        const Key = { resource: { S: `${MAPS}#part#${id}` }, segment: { N: '0' } };
        await bench.calls.send((client) => client.send(new DeleteItemCommand({ TableName: bench.tables.log, Key })));
        const cursor = await opened(bench.changeLog, MAPS, 0, signal);
        expect(await cursor.next(signal)).toBe('expired');
      });

      async function appendThenWait(appender: ChangeLogAppender, changes: readonly Change[], minutes: number) {
        await appender.append(MAPS, changes);
        clock.offsetMs += minutes * MINUTE_MS;
      }
    });

    describe('a list while the log lags', () => {
      const reads = (name: string, version: number) => [{ namespace: 'default', name, version }];

      test('is answered after three seconds, and a watch from it neither loses nor goes back', async () => {
        await open();
        const signal = AbortSignal.timeout(50_000);
        const counter = new VersionCounter(bench.calls, bench.tables.versions);
        await Promise.all(Array.from({ length: 10 }, () => counter.draw(MAPS)));
        const [first, second, third] = [added(2, 'a'), added(4, 'a', 'second'), added(6, 'a', 'third')];
        const modified = (from: Change, to: Change) =>
          ({ ...to, type: 'MODIFIED', before: from.after }) as Change & { type: 'MODIFIED' };
        await bench.newAppender().append(MAPS, [first, added(5, 'b')]);
        const early = await opened(bench.changeLog, MAPS, 0, signal);
        expect(await early.next(signal)).toHaveLength(2);
        const head = await bench.changeLog.head(MAPS);
        const beganAtMs = clock.steadyMs();
        const caughtUp = await bench.changeLog.catchUp(MAPS, head, reads('a', 6), signal);
        expect(clock.steadyMs() - beganAtMs).toBeGreaterThanOrEqual(3_000);
        if (caughtUp === 'expired') throw new Error('the list expired');
        expect(caughtUp.changes).toEqual([]);
        expect(caughtUp.position).toBeGreaterThan(10);
        const again = await bench.changeLog.catchUp(MAPS, head, reads('a', 6), signal);
        expect(again).toEqual(caughtUp);
        const watch = await opened(bench.changeLog, MAPS, caughtUp.position, signal);
        await bench.newAppender().append(MAPS, [modified(first, second)]);
        await bench.newAppender().append(MAPS, [modified(second, third), added(7, 'c')]);
        const merged = [{ ...modified(second, third), merged: true }, added(7, 'c')];
        expect(await watch.next(signal)).toEqual(merged);
        expect(await early.next(signal)).toEqual(merged);
        await bench.newAppender().append(MAPS, [modified(first, second), modified(second, third)]);
        expect(await wholeLog()).toEqual([first, added(5, 'b'), ...merged]);
      });

      test('that met only the removal of an object does not see it return', async () => {
        await open();
        const signal = AbortSignal.timeout(50_000);
        const counter = new VersionCounter(bench.calls, bench.tables.versions);
        await Promise.all(Array.from({ length: 10 }, () => counter.draw(MAPS)));
        const head = await bench.changeLog.head(MAPS);
        const caughtUp = await bench.changeLog.catchUp(MAPS, head, reads('a', 4), signal);
        if (caughtUp === 'expired') throw new Error('the list expired');
        const watch = await opened(bench.changeLog, MAPS, caughtUp.position, signal);
        const before = added(2, 'a').after;
        await bench
          .newAppender()
          .append(MAPS, [added(2, 'a'), { type: 'DELETED', resource: MAPS, version: 4, before } as Change]);
        expect(await watch.next(signal)).toEqual([expect.objectContaining({ type: 'DELETED', version: 4 })]);
      });

      test('that left out an object which had ended by itself does not see it come, and waits for its end no more', async () => {
        await open();
        const signal = AbortSignal.timeout(50_000);
        const counter = new VersionCounter(bench.calls, bench.tables.versions);
        await Promise.all(Array.from({ length: 10 }, () => counter.draw(MAPS)));
        const head = await bench.changeLog.head(MAPS);
        const ended = [{ namespace: 'default', name: 'a', version: 2, endVersion: 3 }];
        const caughtUp = await bench.changeLog.catchUp(MAPS, head, ended, signal);
        if (caughtUp === 'expired') throw new Error('the list expired');
        const watch = await opened(bench.changeLog, MAPS, caughtUp.position, signal);
        await bench.newAppender().append(MAPS, [added(2, 'a'), added(7, 'c')]);
        expect(await watch.next(signal)).toEqual([added(7, 'c')]);
        const now = await bench.changeLog.head(MAPS);
        const beganAtMs = clock.steadyMs();
        expect(await bench.changeLog.catchUp(MAPS, now, ended, signal)).toMatchObject({ holdsReads: true });
        expect(clock.steadyMs() - beganAtMs).toBeLessThan(2_500);
        const end = { type: 'DELETED', resource: MAPS, version: 3, before: added(2, 'a').after } as Change;
        await bench.newAppender().append(MAPS, [end]);
        expect(await watch.next(signal)).toEqual([expect.objectContaining({ type: 'DELETED', version: 3 })]);
      });

      test('of an exact position expires, since what was read cannot be undone', async () => {
        await open();
        const signal = AbortSignal.timeout(50_000);
        await bench.newAppender().append(MAPS, [added(2, 'a')]);
        expect(await bench.changeLog.changesSince(MAPS, 1, [], signal)).toEqual([added(2, 'a')]);
        expect(await bench.changeLog.changesSince(MAPS, 2, reads('a', 3), signal)).toBe('expired');
      });

      test('does not wait for what an epoch has passed by', async () => {
        await open();
        const signal = AbortSignal.timeout(50_000);
        const counter = new VersionCounter(bench.calls, bench.tables.versions);
        await Promise.all(Array.from({ length: 10 }, () => counter.draw(MAPS)));
        await bench.newAppender().startEpoch(MAPS);
        const head = await bench.changeLog.head(MAPS);
        const beganAtMs = clock.steadyMs();
        expect(await bench.changeLog.catchUp(MAPS, head, reads('a', 4), signal)).toMatchObject({ changes: [] });
        expect(clock.steadyMs() - beganAtMs).toBeLessThan(2_500);
      });
    });

    test('expired segments count as gone even before they are deleted, and the head never expires', async () => {
      await open();
      const signal = AbortSignal.timeout(20_000);
      const appender = bench.newAppender();
      const reader = await opened(bench.changeLog, MAPS, 0, signal);
      await appender.append(MAPS, [added(1)]);
      await appender.append(MAPS, [added(2)]);
      clock.offsetMs += 27 * 60 * MINUTE_MS;
      expect(await reader.next(signal)).toBe('expired');
      expect(await bench.changeLog.open(MAPS, 1, signal)).toEqual({ status: 'expired' });
      expect(await bench.changeLog.head(MAPS)).toBe(2);
      const cursor = await opened(bench.changeLog, MAPS, 2, signal);
      await appender.append(MAPS, [added(3)]);
      expect(await cursor.next(signal)).toEqual([added(3)]);
      expect(await bench.changeLog.open(MAPS, 1, signal)).toEqual({ status: 'expired' });
      const behind = await opened(bench.changeLog, MAPS, 2, signal);
      expect(await behind.next(signal)).toEqual([added(3)]);
    });

    test('an object deleted by hand begins a new epoch of its resource, and asks for every key that it concerns', async () => {
      const { objectStore, changeLog } = await open();
      const signal = AbortSignal.timeout(20_000);
      const object = await stored(objectStore, MAPS, sample('a'));
      await changeLog.reached(MAPS, versionOf(object), signal);
      await bench.deleteByHand({ resource: MAPS, namespace: 'default', name: 'a' });
      await vi.waitFor(() => expect(bench.everyKeyAskedOf).toContain(MAPS), { timeout: 20_000 });
      await vi.waitFor(
        async () => expect(await changeLog.open(MAPS, versionOf(object), signal)).toEqual({ status: 'expired' }),
        { timeout: 20_000 },
      );
    });
  },
);

function text(object: KubernetesObject | undefined): unknown {
  return (object?.['data'] as { text?: string } | undefined)?.text;
}
