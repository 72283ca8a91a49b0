import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Change } from '../../ports/ChangeLog.ts';
import type { Recorded } from '../record/createRecordHandler.ts';
import type { EnqueueHandler } from './createEnqueueHandler.ts';

export interface StreamEventDependencies {
  readonly enqueue: EnqueueHandler;
  readonly decode: (record: DynamoDBRecord) => Recorded;
}

/**
 * Queues the keys that a batch of the objects' stream concerns, and returns the records for which this failed: Lambda delivers again from the first of them on. A record that cannot be
 * read is skipped. `record` sees it too, begins a new epoch and has every key queued.
 */
export async function answerStreamEvent(
  { enqueue, decode }: StreamEventDependencies,
  event: DynamoDBStreamEvent,
): Promise<DynamoDBBatchResponse> {
  const sequences = new Map<Change, string>();
  for (const record of event.Records) {
    const recorded = decode(record);
    if (recorded.status === 'change') sequences.set(recorded.change, record.dynamodb?.SequenceNumber ?? '');
  }
  const failed = await enqueue([...sequences.keys()]);
  return { batchItemFailures: failed.map((change) => ({ itemIdentifier: sequences.get(change) ?? '' })) };
}
