import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';

type Message = Omit<SendMessageBatchRequestEntry, 'Id'>;

const MAX_BATCH_MESSAGES = 10;
/** What a batch could hold from the beginning; queues made lately hold more. */
const MAX_BATCH_BYTES = 256 * 1024;
/** For a message's attributes, which count too. */
const ATTRIBUTES_BYTES = 100;

/** Messages in batches as large as SQS takes them: ten messages, 256 KiB. A message that is too large alone stands alone. Pure. */
export function toBatches(messages: readonly Message[]): Message[][] {
  const batches: Message[][] = [];
  let batch: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    const messageBytes = Buffer.byteLength(message.MessageBody ?? '') + ATTRIBUTES_BYTES;
    if (batch.length === MAX_BATCH_MESSAGES || bytes + messageBytes > MAX_BATCH_BYTES) {
      if (batch.length > 0) batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += messageBytes;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
