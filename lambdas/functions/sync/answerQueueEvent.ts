import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';
import type { SyncHandler } from './createSyncHandler.ts';

export interface QueueEventDependencies {
  readonly sync: SyncHandler;
  /** Returns `undefined` for a record that holds no key. */
  readonly decode: (record: SQSRecord) => ReceivedMessage | undefined;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Syncs the keys of an SQS batch and returns the messages that stay in the queue. A record that holds no key stays too, until the queue moves it to the dead letters, where a person
 * can see it.
 */
export async function answerQueueEvent(
  { sync, decode, log }: QueueEventDependencies,
  event: SQSEvent,
): Promise<SQSBatchResponse> {
  const decoded = event.Records.map((record) => ({ record, message: decode(record) }));
  const foreign = decoded.filter(({ message }) => !message).map(({ record }) => record.messageId);
  for (const messageId of foreign) log({ level: 'error', msg: 'a message holds no key', messageId });
  const outcomes = await sync(decoded.flatMap(({ message }) => message ?? []));
  const kept = new Set(outcomes.flatMap(({ message, outcome }) => (outcome === 'keep' ? [message.receipt] : [])));
  const keptIds = event.Records.filter(({ receiptHandle }) => kept.has(receiptHandle)).map(
    (record) => record.messageId,
  );
  return { batchItemFailures: [...foreign, ...keptIds].map((itemIdentifier) => ({ itemIdentifier })) };
}
