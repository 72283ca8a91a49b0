import { describe, expect, test } from 'vitest';
import { advance } from '../../support/advance.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Controller } from '../../../lambdas/controllers/Controller.ts';
import { openDirectKeys } from '../../../lambdas/functions/direct/DirectKeys.ts';
import { leaveOutSeen } from '../../../lambdas/functions/enqueue/leaveOutSeen.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { KeyItem } from '../../../lambdas/ports/KeyLocks.ts';
import { encodeWorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { KeyToSend, WorkQueue } from '../../../lambdas/ports/WorkQueue.ts';

const T = 1_000_000;
const KEY = { controller: 'replicaset', namespace: 'default', name: 'web' };

function podAdded(version: number): Change {
  const metadata = { name: `web-${version}`, namespace: 'default', uid: 'u', resourceVersion: `${version}` };
  const after = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' } };
  return { type: 'ADDED', resource: 'pods', version, after };
}

/** Keys of a process of which each change of a pod concerns one ReplicaSet, now and a minute later. */
function openWorld(send: WorkQueue['send']) {
  const clock = new VirtualClock(T);
  const keysFor = () => [{ key: KEY }, { key: KEY, delayMs: 60_000 }];
  const controllers = [{ watches: ['pods'], keysFor }] as unknown as readonly Controller[];
  const lines: object[] = [];
  const workQueue = { send } as unknown as WorkQueue;
  const keys = openDirectKeys({ workQueue, controllers, clock, log: (line) => lines.push(line) });
  return { clock, keys, lines };
}

describe('the keys of what a process writes', () => {
  test('are sent together with the versions for which they are sent, and what is due later is left to the stream', async () => {
    const sent: KeyToSend[] = [];
    const { clock, keys } = openWorld(async (batch) => void sent.push(...batch));
    for (const version of [4, 5]) keys.note(() => podAdded(version));
    const flushed = keys.flush();
    clock.advanceBy(5);
    await flushed;
    expect(sent).toEqual([{ key: KEY, causes: new Set(['pods 4', 'pods 5']) }]);
  });

  test('are sent after a millisecond if none were sent a moment ago, and otherwise gathered for five', async () => {
    const sentAtMs: number[] = [];
    const { clock, keys } = openWorld(async () => void sentAtMs.push(clock.now() - T));
    const noteAt = async (atMs: number, version: number) => {
      clock.advanceTo(T + atMs);
      keys.note(() => podAdded(version));
      await advance(clock, 10);
    };
    await noteAt(0, 4);
    await noteAt(12, 5);
    await noteAt(38, 6);
    expect(sentAtMs).toEqual([1, 17, 39]);
  });

  test('are left to the stream while many wait in the queue', async () => {
    const sent: KeyToSend[] = [];
    const { clock, keys } = openWorld(async (batch) => void sent.push(...batch));
    keys.begin(true);
    keys.note(() => podAdded(4));
    keys.begin(false);
    keys.note(() => podAdded(5));
    await advance(clock, 10);
    expect(sent).toEqual([{ key: KEY, causes: new Set(['pods 5']) }]);
  });

  test('make no error of a queue that cannot be reached', async () => {
    const { clock, keys, lines } = openWorld(() => Promise.reject(new Error('no way')));
    keys.note(() => podAdded(4));
    const flushed = keys.flush();
    clock.advanceBy(5);
    await flushed;
    expect(lines).toEqual([{ level: 'info', msg: 'keys are left to the stream', error: 'Error: no way' }]);
  });

  test('are sent for the other changes if one cannot be read', async () => {
    const sent: KeyToSend[] = [];
    const { clock, keys, lines } = openWorld(async (batch) => void sent.push(...batch));
    keys.note(() => {
      throw new Error('no object');
    });
    keys.note(() => podAdded(5));
    const flushed = keys.flush();
    clock.advanceBy(5);
    await flushed;
    expect(sent).toEqual([{ key: KEY, causes: new Set(['pods 5']) }]);
    expect(lines).toEqual([{ level: 'info', msg: 'keys are left to the stream', error: 'Error: no object' }]);
  });

  test('hold up the end of an invocation for a second at most', async () => {
    const { clock, keys } = openWorld(() => new Promise(() => {}));
    keys.note(() => podAdded(4));
    const flushed = keys.flush();
    clock.advanceBy(5);
    await Promise.resolve();
    clock.advanceBy(1_000);
    await flushed;
  });

  test('are sent only as long as their key has tokens', async () => {
    const sent: KeyToSend[] = [];
    const { clock, keys } = openWorld(async (batch) => void sent.push(...batch));
    for (let version = 1; version <= 15; version += 1) {
      keys.note(() => podAdded(version));
      const flushed = keys.flush();
      clock.advanceBy(5);
      await flushed;
    }
    expect(sent).toHaveLength(10);
  });
});

describe('a message of the stream', () => {
  const seen = new Set(['pods 4', 'pods 5']);
  const good: KeyItem = { failures: 0, syncedFromMs: T - 300, seen };
  const caused = (...versions: number[]): KeyToSend => ({
    key: KEY,
    causes: new Set(versions.map((one) => `pods ${one}`)),
  });

  test.each<[string, KeyToSend, KeyItem | undefined, boolean]>([
    ['is left out if its key has seen all of its changes', caused(4, 5), good, true],
    ['is sent if its key has not seen one of them', caused(5, 6), good, false],
    ['is sent if nobody knows for which changes it is', { key: KEY }, good, false],
    ['is sent if its key is not known', caused(4), undefined, false],
    ['is sent if the last sync of its key has failed', caused(4), { ...good, failures: 1 }, false],
    ['is sent if its key has seen that long ago', caused(4), { ...good, syncedFromMs: T - 200_000 }, false],
    ['is sent if its key has seen that in the future', caused(4), { ...good, syncedFromMs: T + 200_000 }, false],
    ['is sent if it asks for a later look', { ...caused(4), delayMs: 1_000 }, good, false],
  ])('%s', async (_, message, item, isLeftOut) => {
    const keyItems = { read: async () => new Map(item ? [[encodeWorkKey(KEY), item]] : []) };
    const left = await leaveOutSeen({ keyItems, clock: { now: () => T } }, [message]);
    expect(left).toEqual(isLeftOut ? [] : [message]);
  });

  test('is sent if the keys cannot be read', async () => {
    const keyItems = { read: () => Promise.reject(new Error('no way')) };
    expect(await leaveOutSeen({ keyItems, clock: { now: () => T } }, [caused(4)])).toEqual([caused(4)]);
  });
});
