import { describe, expect, test } from 'vitest';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage, WorkQueue } from '../../lambdas/ports/WorkQueue.ts';

/** A queue, the operations that the port leaves to compositions, and a way to let time pass. */
export interface WorkQueueHarness {
  readonly queue: WorkQueue;
  now(): number;
  /** Receives all messages that are visible now, at most ten. */
  receive(): Promise<readonly ReceivedMessage[]>;
  acknowledge(message: ReceivedMessage): Promise<void>;
  /** Lets this much time pass for the queue. */
  pass(ms: number): Promise<void>;
  /** Returns the names of the keys in the dead-letter queue. */
  deadLetters(): Promise<readonly string[]>;
  readonly visibilityTimeoutMs: number;
  close(): Promise<void>;
}

const WEB: WorkKey = { controller: 'deployment', namespace: 'default', name: 'web' };
const API: WorkKey = { controller: 'deployment', namespace: 'default', name: 'api' };

/** Declares the tests that every WorkQueue passes. */
export function workQueueContract(name: string, open: () => Promise<WorkQueueHarness>): void {
  const promise = (title: string, run: (harness: WorkQueueHarness) => Promise<void>) =>
    test(title, async () => {
      const harness = await open();
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });

  describe(name, () => {
    promise('a sent key is received with the time at which it was due', async (harness) => {
      const sentAtMs = harness.now();
      await harness.queue.send([{ key: WEB }]);
      const [message] = await harness.receive();
      expect(message?.key).toEqual(WEB);
      expect(message?.receiveCount).toBe(1);
      expect(message?.dueAtMs).toBeGreaterThanOrEqual(sentAtMs);
      expect(message?.dueAtMs).toBeLessThanOrEqual(harness.now());
    });

    promise('a message has the traces with which it was sent, also when it comes again', async (harness) => {
      const [traceId, spanId] = ['a'.repeat(32), 'b'.repeat(16)];
      const write = { traceId, spanId, sinceMs: 1_000, writtenAtMs: 1_001 };
      const traces = [{ ...write, seenAtMs: 1_002, via: 'stream', cause: 'pods 7' }] as const;
      await harness.queue.send([{ key: WEB, traces }]);
      const [message] = await harness.receive();
      expect(message?.traces).toEqual(traces);
      if (message) await harness.queue.hide(message, 0);
      expect((await harness.receive()).map((again) => again.traces)).toEqual([traces]);
    });

    promise('an acknowledged message does not come again', async (harness) => {
      await harness.queue.send([{ key: WEB }]);
      for (const message of await harness.receive()) await harness.acknowledge(message);
      await harness.pass(harness.visibilityTimeoutMs + 1_000);
      expect(await harness.receive()).toEqual([]);
    });

    promise(
      'the message of a dead worker comes again after the visibility timeout, and not before',
      async (harness) => {
        await harness.queue.send([{ key: WEB }]);
        await harness.receive();
        await harness.pass(harness.visibilityTimeoutMs - 1_000);
        expect(await harness.receive()).toEqual([]);
        await harness.pass(2_000);
        expect((await harness.receive())[0]).toMatchObject({ key: WEB, receiveCount: 2 });
      },
    );

    promise('a delayed key is received after its delay, and not before', async (harness) => {
      await harness.queue.send([{ key: WEB, delayMs: 5_000 }]);
      await harness.pass(4_000);
      expect(await harness.receive()).toEqual([]);
      await harness.pass(1_500);
      expect((await harness.receive()).map(({ key }) => key)).toEqual([WEB]);
    });

    promise('a delayed key that is sent twice is received at the earlier time', async (harness) => {
      await harness.queue.send([{ key: WEB, delayMs: 10_000 }]);
      await harness.queue.send([{ key: WEB, delayMs: 3_000 }]);
      await harness.pass(3_500);
      expect((await harness.receive()).map(({ key }) => key)).toEqual([WEB]);
    });

    promise('an event does not replace a delayed message of the same key', async (harness) => {
      await harness.queue.send([{ key: WEB, delayMs: 3_000 }, { key: WEB }]);
      for (const message of await harness.receive()) await harness.acknowledge(message);
      await harness.pass(3_500);
      expect((await harness.receive()).map(({ key }) => key)).toEqual([WEB]);
    });

    promise('a hidden message comes again after its delay, with the same contents', async (harness) => {
      await harness.queue.send([{ key: WEB }]);
      const [message] = (await harness.receive()) as [ReceivedMessage];
      await harness.queue.hide(message, 4_000);
      await harness.pass(3_000);
      expect(await harness.receive()).toEqual([]);
      await harness.pass(1_500);
      const [again] = await harness.receive();
      expect(again).toMatchObject({ key: WEB, dueAtMs: message.dueAtMs, receiveCount: 2 });
    });

    promise('hiding says whether the message is still there to be hidden', async (harness) => {
      await harness.queue.send([{ key: WEB }]);
      const [message] = (await harness.receive()) as [ReceivedMessage];
      expect(await harness.queue.hide(message, 0)).toBe('hidden');
      const [again] = (await harness.receive()) as [ReceivedMessage];
      await harness.acknowledge(again);
      expect(await harness.queue.hide(again, 0)).toBe('gone');
      expect(await harness.receive()).toEqual([]);
    });

    promise('a message hidden for 0 ms comes again at once', async (harness) => {
      await harness.queue.send([{ key: WEB }]);
      const [message] = (await harness.receive()) as [ReceivedMessage];
      await harness.queue.hide(message, 0);
      expect((await harness.receive()).map(({ key }) => key)).toEqual([WEB]);
    });

    promise('a hidden message in backoff does not delay a new message of its key', async (harness) => {
      await harness.queue.send([{ key: WEB }]);
      const [message] = (await harness.receive()) as [ReceivedMessage];
      await harness.queue.hide(message, 60_000);
      await harness.queue.send([{ key: WEB }]);
      expect((await harness.receive()).map(({ receiveCount }) => receiveCount)).toEqual([1]);
    });

    promise('a poisoned key delays no other key', async (harness) => {
      await harness.queue.send([{ key: WEB }]);
      const [poisoned] = (await harness.receive()) as [ReceivedMessage];
      await harness.queue.hide(poisoned, 1_000_000);
      await harness.queue.send([{ key: API }]);
      expect((await harness.receive()).map(({ key }) => key)).toEqual([API]);
    });

    promise('a buried key is a dead letter, and is not received again once acknowledged', async (harness) => {
      await harness.queue.send([{ key: WEB }]);
      const [message] = (await harness.receive()) as [ReceivedMessage];
      await harness.queue.bury(message, 'failed 16 times in a row');
      await harness.acknowledge(message);
      expect(await harness.deadLetters()).toEqual(['web']);
      await harness.pass(harness.visibilityTimeoutMs + 1_000);
      expect(await harness.receive()).toEqual([]);
    });

    promise('many keys in one send all arrive', async (harness) => {
      const names = Array.from({ length: 25 }, (_, at) => `web-${at}`);
      await harness.queue.send(names.map((name) => ({ key: { ...WEB, name } })));
      const received: string[] = [];
      for (let messages = await harness.receive(); messages.length > 0; messages = await harness.receive()) {
        received.push(...messages.map(({ key }) => key.name));
        for (const message of messages) await harness.acknowledge(message);
      }
      expect(received.sort()).toEqual(names.sort());
    });
  });
}
