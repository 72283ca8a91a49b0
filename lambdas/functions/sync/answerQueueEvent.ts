import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';
import type { SyncHandler } from './handler.ts';

export interface QueueEventDependencies {
  readonly sync: SyncHandler;
  /** `undefined` for a record that holds no key. */
  readonly decode: (record: SQSRecord) => ReceivedMessage | undefined;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Syncs the keys of an SQS batch and names the messages that stay in the queue. A record that holds no key stays too, until the queue itself takes it for
 * dead: nobody here can do more for it, and somebody should see it.
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
