import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Change } from '../../ports/ChangeLog.ts';
import { MAX_PIECE_LENGTH, type Recorded } from '../record/createRecordHandler.ts';
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
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const sequences of pieces(decode, event.Records)) {
    const failed = await enqueue([...sequences.keys()]);
    batchItemFailures.push(...failed.map((change) => ({ itemIdentifier: sequences.get(change) ?? '' })));
  }
  return { batchItemFailures };
}

/** Yields the changes with the sequence numbers of their records, in pieces as large as those of `record`. */
function* pieces(
  decode: StreamEventDependencies['decode'],
  records: readonly DynamoDBRecord[],
): Generator<ReadonlyMap<Change, string>> {
  let sequences = new Map<Change, string>();
  let length = 0;
  for (const record of records) {
    const recorded = decode(record);
    if (recorded.status !== 'change') continue;
    sequences.set(recorded.change, record.dynamodb?.SequenceNumber ?? '');
    length += recorded.jsonLength;
    if (length < MAX_PIECE_LENGTH) continue;
    yield sequences;
    [sequences, length] = [new Map(), 0];
  }
  if (sequences.size > 0) yield sequences;
}
