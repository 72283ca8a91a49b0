import type { SQSClient } from '@aws-sdk/client-sqs';
import { array, assert, asyncProperty, constantFrom, integer, record } from '../../support/seededFastCheck.ts';
import { expect, test } from 'vitest';
import { EmbeddedKeyLocks } from '../../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { decodeQueueMessage } from '../../../lambdas/adapters/aws/queue/queueMessage.ts';
import { SqsWorkQueue } from '../../../lambdas/adapters/aws/queue/SqsWorkQueue.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { createSyncHandler } from '../../../lambdas/functions/sync/createSyncHandler.ts';
import { CLOUD_SYNC_CONFIG } from '../../../lambdas/functions/sync/SyncConfig.ts';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage } from '../../../lambdas/ports/WorkQueue.ts';
import { WORK_QUEUE } from '../../../infra/topology.ts';
import { SqsModel } from '../../model/sqs/SqsModel.ts';
import { Random } from '../../simulation/Random.ts';
import { advance } from '../../support/advance.ts';
import { FakeController } from '../../support/FakeController.ts';

const WEB: WorkKey = { controller: 'deployment', namespace: 'default', name: 'web' };
const STEP_MS = 250;
const HOUR_MS = 3_600_000;
const LONGEST_BACKOFF_MS = 900_000;
/** A message that its worker could not delete comes again after its visibility timeout. */
const LATE_MS = 120_000;

/** How a run goes: when changes send the key, how long its syncs take, by how much the workers' clocks are off, and how often the queue repeats or delays a message. */
interface Course {
  readonly changesMs: readonly number[];
  readonly syncMs: number;
  readonly offsetsMs: readonly number[];
  readonly fault: number;
  readonly seed: number;
}

const course = record<Course>({
  changesMs: array(integer({ min: 0, max: 2 * HOUR_MS }), { minLength: 1, maxLength: 40 }),
  syncMs: integer({ min: 0, max: 20_000 }),
  offsetsMs: array(constantFrom(-1_000, 0, 1_000), { minLength: 1, maxLength: 6 }),
  fault: constantFrom(0, 0.1, 0.3),
  seed: integer({ min: 1, max: 1_000_000 }),
});

/** Workers of a key over a queue that repeats messages and a key whose syncs all fail until `mend`. */
function openFailingKey({ syncMs, offsetsMs, fault, seed }: Course) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const random = new Random(seed);
  const faults = { duplicateMessage: fault, lateMessage: fault, redelivery: fault / 3, lostWakeUp: 0, skewMs: 500 };
  const model = new SqsModel({ clock, random, faults: () => faults, onRequest: () => {} });
  const dead = model.createQueue({ url: 'dead', visibilityTimeoutMs: 30_000 });
  const { visibilityTimeoutMs, maxReceives } = WORK_QUEUE;
  const work = model.createQueue({ url: 'work', visibilityTimeoutMs, redrive: { maxReceives, to: dead } });
  const sqs = { send: async (command: object) => model.execute(command) } as unknown as SQSClient;
  const ids = new SeededIds(seed);
  const queue = new SqsWorkQueue({ sqs, queueUrl: 'work', deadLetterQueueUrl: 'dead', clock, ids });
  const controller = new FakeController();
  const triedAtMs: number[] = [];
  let isMended = false;
  controller.onSync = async () => {
    triedAtMs.push(clock.now());
    await new Promise<void>((resolve) => clock.setTimer(syncMs, resolve));
    if (!isMended) throw new Error('no pods today');
    return { status: 'done' };
  };
  const keyLocks = new EmbeddedKeyLocks();
  const handlers = offsetsMs.map((offsetMs) => {
    const own: Clock = {
      now: () => clock.now() + offsetMs,
      steadyMs: () => clock.steadyMs(),
      setTimer: (delayMs, wake) => clock.setTimer(delayMs, wake),
    };
    return createSyncHandler({
      ports: { clock: own, workClock: own, workQueue: queue, keyLocks, ids },
      controllers: [controller],
      config: CLOUD_SYNC_CONFIG,
      metrics: { began: () => () => {}, retried: () => {}, alarmed: () => {} },
      log: () => {},
    });
  });

  async function handle(message: ReceivedMessage): Promise<void> {
    const [answer] = await random.pick(handlers)([message]);
    if (answer?.outcome === 'acknowledge') work.delete(message.receipt);
  }

  /** Hands out what is visible, each message to one of the workers. */
  function handOut(): void {
    for (const message of work.receive(10).flatMap((received) => decodeQueueMessage(received) ?? []))
      void handle(message);
  }

  return {
    clock,
    dead,
    work,
    triedAtMs,
    failures: async () => (await keyLocks.peek(WEB))?.failures,
    change: () => queue.send([{ key: WEB }]),
    mend: () => {
      isMended = true;
    },
    /** Lets this time pass. */
    pass: async (ms: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
        await advance(clock, STEP_MS);
        if (work.visibleCount > 0) handOut();
      }
    },
  };
}

/** The changes come while the key fails already. Returns what is left of it when they are long over. */
async function play(drawn: Course) {
  const key = openFailingKey(drawn);
  const changesMs = drawn.changesMs.toSorted((a, b) => a - b);
  let passedMs = 0;
  for (const atMs of changesMs) {
    const ms = Math.ceil((atMs - passedMs) / STEP_MS) * STEP_MS;
    await key.pass(ms);
    passedMs += ms;
    await key.change();
  }
  return key;
}

test('however often a key that always fails is sent, one message tries it again, no oftener than its backoff says, until it succeeds', async () => {
  await assert(
    asyncProperty(course, async (drawn) => {
      const key = await play(drawn);
      await key.pass(HOUR_MS);
      const fromMs = key.clock.now();
      await key.pass(4 * HOUR_MS);
      const tries = key.triedAtMs.filter((atMs) => atMs >= fromMs).length;
      // Each copy of a message is one more try, and leads to no further ones.
      const copies = drawn.fault === 0 ? 1 : 3;
      expect(tries).toBeGreaterThanOrEqual(Math.floor((4 * HOUR_MS) / (LONGEST_BACKOFF_MS + LATE_MS)));
      expect(tries).toBeLessThanOrEqual(((4 * HOUR_MS) / LONGEST_BACKOFF_MS + 1) * copies);
      key.mend();
      await key.pass(LONGEST_BACKOFF_MS + LATE_MS);
      expect(await key.failures()).toBe(0);
      expect(key.dead.size).toBe(0);
    }),
    { numRuns: 30 },
  );
}, 60_000);
