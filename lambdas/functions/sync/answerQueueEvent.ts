import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../ports/Clock.ts';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { ReceivedMessage, WorkQueue } from '../../ports/WorkQueue.ts';
import type { SyncHandler } from './createSyncHandler.ts';

export interface QueueEventDependencies {
  readonly sync: SyncHandler;
  /** Returns `undefined` for a record that holds no key. */
  readonly decode: (record: SQSRecord) => ReceivedMessage | undefined;
  readonly workQueue: Pick<WorkQueue, 'hide'>;
  /** Deletes messages at once, and not only when the function has ended. */
  readonly remove: (messages: readonly ReceivedMessage[]) => Promise<void>;
  readonly clock: Pick<Clock, 'steadyMs'>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** From this receive on a key is tried alone: it may be the one that killed the function twice. */
const ALONE_FROM_RECEIVE = 3;
/** For how long the keys that wait for their turn are hidden. If a key before them kills the function, they come again after this time and not after the visibility timeout. */
const WAIT_FOR_TURN_MS = 10_000;
/** When the turn of a key comes later than this, its message may be in the queue again already. */
const LATEST_TURN_MS = 8_000;

/**
 * Syncs the keys of an SQS batch and returns the messages that stay in the queue. A record that holds no key stays too, until the queue moves it to the dead letters, where a person
 * can see it.
 *
 * If a function dies, by its memory or its time, Lambda deletes none of the batch's messages, and all come again together. So keys that were received for the third time are tried last and one by one, after
 * what is done has been deleted.
 */
export async function answerQueueEvent(
  dependencies: QueueEventDependencies,
  event: SQSEvent,
): Promise<SQSBatchResponse> {
  const { decode, log } = dependencies;
  const decoded = event.Records.map((record) => ({ record, message: decode(record) }));
  const foreign = decoded.filter(({ message }) => !message).map(({ record }) => record.messageId);
  for (const messageId of foreign) log({ level: 'error', msg: 'a message holds no key', messageId });
  const kept = await syncAll(
    dependencies,
    decoded.flatMap(({ message }) => message ?? []),
  );
  const receipts = new Set(kept.map(({ receipt }) => receipt));
  const keptIds = event.Records.filter(({ receiptHandle }) => receipts.has(receiptHandle)).map(
    (record) => record.messageId,
  );
  return { batchItemFailures: [...foreign, ...keptIds].map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Returns the messages that stay. */
async function syncAll(
  dependencies: QueueEventDependencies,
  messages: readonly ReceivedMessage[],
): Promise<readonly ReceivedMessage[]> {
  const { fresh, suspects } = divide(messages);
  const outcomes = await dependencies.sync(fresh);
  const kept = outcomes.flatMap(({ message, outcome }) => (outcome === 'keep' ? [message] : []));
  if (suspects.length === 0) return kept;
  const done = fresh.filter((message) => !kept.includes(message));
  return [...kept, ...(await tryAlone(dependencies, suspects, done))];
}

/** Messages of one key stay together. A batch of one key has nothing to protect. Pure. */
function divide(messages: readonly ReceivedMessage[]) {
  const groups = new Map<string, ReceivedMessage[]>();
  for (const message of messages) {
    const key = encodeWorkKey(message.key);
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  const isSuspect = (group: readonly ReceivedMessage[]) =>
    groups.size > 1 && group.some(({ receiveCount }) => receiveCount >= ALONE_FROM_RECEIVE);
  const all = [...groups.values()];
  return { fresh: all.filter((group) => !isSuspect(group)).flat(), suspects: all.filter(isSuspect) };
}

/** Syncs one group after the other. `done`: messages that are done already. Returns the messages that stay. */
async function tryAlone(
  { sync, workQueue, remove, clock, log }: QueueEventDependencies,
  groups: readonly (readonly ReceivedMessage[])[],
  done: readonly ReceivedMessage[],
): Promise<readonly ReceivedMessage[]> {
  const startedMs = clock.steadyMs();
  const protect = async (finished: readonly ReceivedMessage[], waiting: readonly ReceivedMessage[]) => {
    try {
      await Promise.all(waiting.map((message) => workQueue.hide(message, WAIT_FOR_TURN_MS)));
      if (finished.length > 0) await remove(finished);
    } catch (error) {
      log({ level: 'warn', msg: 'keys are tried together', error: String(error) });
    }
  };
  await protect(done, groups.slice(1).flat());
  const kept: ReceivedMessage[] = [];
  for (const [at, group] of groups.entries()) {
    if (at > 0 && clock.steadyMs() - startedMs > LATEST_TURN_MS) {
      kept.push(...group);
      continue;
    }
    const outcomes = await sync(group);
    const staying = outcomes.flatMap(({ message, outcome }) => (outcome === 'keep' ? [message] : []));
    kept.push(...staying);
    if (at < groups.length - 1)
      await protect(
        group.filter((message) => !staying.includes(message)),
        [],
      );
  }
  return kept;
}
