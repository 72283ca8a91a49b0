import type { Clock } from '../../ports/Clock.ts';
import type { ReceivedMessage, WorkQueue } from '../../ports/WorkQueue.ts';
import type { SyncHandler } from './createSyncHandler.ts';
import { decodeBatch, type KeyGroup, type QueuedRecord } from './decodeBatch.ts';

export interface ReceiveMoreDependencies<Item extends QueuedRecord> {
  readonly sync: SyncHandler;
  readonly decode: (record: Item) => ReceivedMessage | undefined;
  readonly workQueue: Pick<WorkQueue, 'hide'>;
  /** Receives as many more messages as SQS hands out at once, without waiting for any. */
  readonly receive: () => Promise<readonly Item[]>;
  /** Deletes messages. */
  readonly remove: (messages: readonly ReceivedMessage[]) => Promise<void>;
  /** A batch of so many messages is full: others probably wait. */
  readonly fullBatch: number;
  readonly clock: Pick<Clock, 'steadyMs'>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** How many batches an invocation works on at the same time, besides Lambda's. */
const BATCHES = 2;
/** For how long after its start an invocation receives more. */
const RECEIVE_FOR_MS = 3_000;
/** A batch that is received later than this would not be done before the function's time is over (40 s; a sync takes up to 30 s). */
const LATEST_START_MS = 6_000;

/**
 * Receives and syncs more messages, two batches at a time and for three seconds, as long as each batch is full. Lambda's trigger begins with five batches at a time and adds five a second, so a burst of keys would wait for it for half a minute. An
 * invocation spends most of its time waiting for DynamoDB, and can have three batches under way.
 *
 * Deletes what is done. Resolves to the keys that are to be tried alone; after these nothing more is received. Never rejects: what was received and is not done comes again after the visibility timeout.
 */
export async function receiveMore<Item extends QueuedRecord>(
  dependencies: ReceiveMoreDependencies<Item>,
): Promise<readonly KeyGroup[]> {
  const run: Run = { startedMs: dependencies.clock.steadyMs(), suspects: [] };
  const batches = await Promise.allSettled(Array.from({ length: BATCHES }, () => receiveBatches(dependencies, run)));
  for (const batch of batches) {
    if (batch.status === 'rejected')
      dependencies.log({ level: 'warn', msg: 'no more messages are received', error: String(batch.reason) });
  }
  return run.suspects;
}

interface Run {
  readonly startedMs: number;
  readonly suspects: KeyGroup[];
}

/** Receives one batch after the other. */
async function receiveBatches<Item extends QueuedRecord>(
  dependencies: ReceiveMoreDependencies<Item>,
  run: Run,
): Promise<void> {
  const { receive, clock, fullBatch } = dependencies;
  let isFull = true;
  while (isFull && run.suspects.length === 0 && clock.steadyMs() - run.startedMs < RECEIVE_FOR_MS) {
    const records = await receive();
    await syncReceived(dependencies, records, run);
    isFull = records.length >= fullBatch;
  }
}

/** Syncs the keys of a batch but for the suspects, and deletes what is done. */
async function syncReceived<Item extends QueuedRecord>(
  { decode, sync, remove, workQueue, clock, log }: ReceiveMoreDependencies<Item>,
  records: readonly Item[],
  { startedMs, suspects }: Run,
): Promise<void> {
  const batch = decodeBatch(records, decode);
  logForeign(log, batch.foreign);
  if (clock.steadyMs() - startedMs > LATEST_START_MS) {
    await Promise.all([batch.fresh, ...batch.suspects].flat().map((message) => workQueue.hide(message, 0)));
    return;
  }
  suspects.push(...batch.suspects);
  const outcomes = await sync(batch.fresh);
  const done = outcomes.flatMap(({ message, outcome }) => (outcome === 'acknowledge' ? [message] : []));
  if (done.length > 0) await remove(done);
}

/** A record that holds no key stays until the queue moves it to the dead letters, where a person can see it. */
export function logForeign(log: ReceiveMoreDependencies<QueuedRecord>['log'], foreign: readonly QueuedRecord[]): void {
  for (const { messageId } of foreign) log({ level: 'error', msg: 'a message holds no key', messageId });
}
