import type { SQSBatchResponse } from 'aws-lambda';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';
import { decodeBatch, type KeyGroup, type QueuedRecord } from './decodeBatch.ts';
import { logForeign, receiveMore, type ReceiveMoreDependencies } from './receiveMore.ts';

export type QueueEventDependencies<Item extends QueuedRecord> = ReceiveMoreDependencies<Item>;

/** For how long the keys that wait for their turn are hidden. If a key before them kills the function, they come again after this time and not after the visibility timeout. */
const WAIT_FOR_TURN_MS = 10_000;
/** When the turn of a key comes later than this, its message may be in the queue again already. */
const LATEST_TURN_MS = 8_000;

/**
 * Syncs the keys of an SQS batch, and of others if many wait (see `receiveMore`). Returns the batch's messages that stay in the queue; a record that holds no key is one of them.
 *
 * If a function dies, by its memory or its time, Lambda deletes none of the batch's messages, and all come again together. So keys that were received for the third time are tried last and one by one, after
 * what is done has been deleted.
 */
export async function answerQueueEvent<Item extends QueuedRecord>(
  dependencies: QueueEventDependencies<Item>,
  { Records }: { readonly Records: readonly Item[] },
): Promise<SQSBatchResponse> {
  const { decode, log, fullBatch } = dependencies;
  const { fresh, suspects, foreign } = decodeBatch(Records, decode);
  logForeign(log, foreign);
  const mayReceive = Records.length >= fullBatch && suspects.length === 0;
  const [kept, received] = await Promise.all([
    syncTogether(dependencies, fresh),
    mayReceive ? receiveMore(dependencies) : [],
  ]);
  const isDone = (message: ReceivedMessage) => !kept.includes(message);
  const alone = await tryAlone(dependencies, [...suspects, ...received], fresh.filter(isDone));
  const receipts = new Set([...kept, ...alone].map(({ receipt }) => receipt));
  const keptRecords = Records.filter(({ receiptHandle }) => receipts.has(receiptHandle));
  return { batchItemFailures: [...foreign, ...keptRecords].map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Returns the messages that stay. */
async function syncTogether<Item extends QueuedRecord>(
  { sync }: QueueEventDependencies<Item>,
  messages: KeyGroup,
): Promise<readonly ReceivedMessage[]> {
  const outcomes = await sync(messages);
  return outcomes.flatMap(({ message, outcome }) => (outcome === 'keep' ? [message] : []));
}

/** Syncs one group after the other, and deletes what is done. `done`: messages that are done already. Returns the messages that stay. */
async function tryAlone<Item extends QueuedRecord>(
  dependencies: QueueEventDependencies<Item>,
  groups: readonly KeyGroup[],
  done: readonly ReceivedMessage[],
): Promise<readonly ReceivedMessage[]> {
  if (groups.length === 0) return [];
  const { clock } = dependencies;
  const startedMs = clock.steadyMs();
  await protect(dependencies, done, groups.slice(1).flat());
  const kept: ReceivedMessage[] = [];
  for (const [at, group] of groups.entries()) {
    if (at > 0 && clock.steadyMs() - startedMs > LATEST_TURN_MS) {
      kept.push(...group);
      continue;
    }
    const staying = await syncTogether(dependencies, group);
    kept.push(...staying);
    await protect(
      dependencies,
      group.filter((message) => !staying.includes(message)),
      [],
    );
  }
  return kept;
}

/** Deletes what is finished and hides what waits, so that a function that dies now takes neither with it. */
async function protect<Item extends QueuedRecord>(
  { workQueue, remove, log }: QueueEventDependencies<Item>,
  finished: readonly ReceivedMessage[],
  waiting: readonly ReceivedMessage[],
): Promise<void> {
  try {
    await Promise.all(waiting.map((message) => workQueue.hide(message, WAIT_FOR_TURN_MS)));
    if (finished.length > 0) await remove(finished);
  } catch (error) {
    log({ level: 'warn', msg: 'keys are tried together', error: String(error) });
  }
}
