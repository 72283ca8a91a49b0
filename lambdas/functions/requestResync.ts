import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { ResyncEvent } from './resync/parseResyncEvent.ts';

/** Sends a request to the queue that triggers `resync`, which also receives Lambda's notices of records that were given up. `because` is for people who look into the queue. Throws what SQS throws. */
export async function requestResync(
  sqs: SQSClient,
  givenUpQueueUrl: string,
  request: ResyncEvent,
  because?: string,
): Promise<void> {
  const MessageBody = JSON.stringify({ ...request, because });
  await sqs.send(new SendMessageCommand({ QueueUrl: givenUpQueueUrl, MessageBody }));
}
