import { type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { QueueRecord } from './queueMessage.ts';

/** The most that SQS hands out at once, and Lambda's trigger to `sync`. */
export const MOST_RECEIVED = 10;

/** A message as Lambda would deliver it. */
export type ReceivedRecord = QueueRecord & { readonly messageId: string };

/**
 * Receives up to ten messages that can be received now, without waiting for any: fewer than ten if few are left. They stay hidden for the queue's visibility timeout. A request costs $0.0000004, as one of Lambda's own does.
 */
export async function receiveMessages(sqs: SQSClient, queueUrl: string): Promise<readonly ReceivedRecord[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: MOST_RECEIVED,
      WaitTimeSeconds: 0,
      MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateFirstReceiveTimestamp', 'ApproximateReceiveCount'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages.map(toRecord);
}

function toRecord({
  MessageId = '',
  ReceiptHandle = '',
  Body = '',
  Attributes = {},
  ...message
}: Message): ReceivedRecord {
  const { SentTimestamp = '', ApproximateFirstReceiveTimestamp = '', ApproximateReceiveCount = '' } = Attributes;
  const messageAttributes = Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue }]) => [
    name,
    { stringValue: StringValue },
  ]);
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: { SentTimestamp, ApproximateFirstReceiveTimestamp, ApproximateReceiveCount },
    messageAttributes: Object.fromEntries(messageAttributes) as QueueRecord['messageAttributes'],
  };
}
