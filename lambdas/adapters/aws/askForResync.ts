import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/**
 * Asks `resync` to queue every key, by the queue to which stream batches go that were given up. Its messages are a ResyncRequest, as this one, or the event source
 * mapping's notice of a batch.
 */
export async function askForResync(sqs: SQSClient, queueUrl: string, because: string): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ what: 'all', because }) }));
}
