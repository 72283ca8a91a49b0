import { expect, test } from 'vitest';
import { createEnqueueHandler } from '../../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import { mergeKeys } from '../../../lambdas/functions/enqueue/mergeKeys.ts';
import type { Controller } from '../../../lambdas/controllers/Controller.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { KeyTrace, WriteTrace } from '../../../lambdas/ports/TraceContext.ts';
import type { KeyToSend } from '../../../lambdas/ports/WorkQueue.ts';
import { openSyncBench, WEB } from '../../support/openSyncBench.ts';

const T = Date.UTC(2026, 0, 1);

function write(id: string, writtenAtMs = T): WriteTrace {
  return { traceId: id.repeat(32), spanId: id.repeat(16), sinceMs: T, writtenAtMs };
}

function trace(id: string, writtenAtMs = T): KeyTrace {
  return { ...write(id, writtenAtMs), seenAtMs: writtenAtMs + 1, via: 'writer' };
}

test('a key that was marked while it was synced is sent again with the traces of those who met its lock', async () => {
  const { clock, controller, locks, queue, receive, work } = openSyncBench();
  controller.onSync = async () => {
    const outcome = await locks.acquire(WEB, 'other', clock.now(), clock.now() + 1_000, [trace('a')]);
    expect(outcome.status).toBe('held');
    return { status: 'done' };
  };
  await queue.send([{ key: WEB }]);
  await work();
  expect((await receive()).map(({ traces }) => traces)).toEqual([[trace('a')]]);
});

test.each<[string, readonly KeyToSend[], readonly KeyToSend[]]>([
  [
    'those of all its messages',
    [{ key: WEB, traces: [trace('b', T + 5)] }, { key: WEB }, { key: WEB, traces: [trace('a')] }],
    [{ key: WEB, traces: [trace('a'), trace('b', T + 5)] }],
  ],
  ['none, if none has any', [{ key: WEB }, { key: WEB }], [{ key: WEB }]],
  [
    'those of the later look, which stays apart',
    [
      { key: WEB, traces: [trace('a')] },
      { key: WEB, delayMs: 9, traces: [trace('b')] },
    ],
    [
      { key: WEB, traces: [trace('a')] },
      { key: WEB, delayMs: 9, traces: [trace('b')] },
    ],
  ],
])('a merged key has %s', (_, keys, merged) => {
  expect(mergeKeys(keys)).toEqual(merged);
});

test.each([
  [false, 'stream'],
  [true, 'writer'],
])('whoever sends the key of a traced change says when it knew of it; the writer itself: %s', async (isDirect, via) => {
  const sent: KeyToSend[] = [];
  const enqueue = createEnqueueHandler({
    workQueue: { send: async (keys) => void sent.push(...keys) },
    controllers: [{ watches: ['pods'], keysFor: () => [{ key: WEB }] }] as unknown as readonly Controller[],
    clock: { now: () => T + 200 },
    log: () => {},
    isDirect,
  });
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', uid: 'u' } };
  const change = { type: 'ADDED', resource: 'pods', version: 7, after: pod } as Change;
  await enqueue([{ ...change, trace: write('a') }]);
  expect(sent[0]?.traces).toEqual([{ ...write('a'), seenAtMs: T + 200, via, cause: 'pods 7' }]);
  await enqueue([change]);
  expect(sent[1]).not.toHaveProperty('traces');
});
