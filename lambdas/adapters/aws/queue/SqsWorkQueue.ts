import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type Clock, sleep } from '../../../ports/Clock.ts';
import type { Ids } from '../../../ports/Ids.ts';
import type { KeyToSend, ReceivedMessage, WorkQueue } from '../../../ports/WorkQueue.ts';
import { encodeQueueMessage, toBatches } from './queueMessage.ts';

export interface SqsWorkQueueOptions {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  /** Absent in functions that only send keys. */
  readonly deadLetterQueueUrl?: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** SQS allows a message at most 12 hours in flight since it was received, of which its function may have used up to 15 minutes. */
const MAX_HIDE_SECONDS = 12 * 3600 - 900;
/** How many batches are sent at the same time. */
const PARALLEL_BATCHES = 8;
const MAX_ATTEMPTS = 6;
const RETRY_BASE_MS = 50;

/** SQS's errors for a receipt that is no longer valid: the message was deleted, or its visibility timeout passed and it can be received again. */
const STALE_RECEIPT = ['MessageNotInflight', 'ReceiptHandleIsInvalid'];

/** SQS also calls the receipt of a message that it has deleted an invalid value of that parameter. */
function isStaleReceipt(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isValue = error.name.startsWith('InvalidParameterValue') && error.message.includes('ReceiptHandle');
  return isValue || STALE_RECEIPT.includes(error.name);
}

/** The work queue as an SQS standard queue, with a dead-letter queue beside it. */
export class SqsWorkQueue implements WorkQueue {
  readonly #options: SqsWorkQueueOptions;

  constructor(options: SqsWorkQueueOptions) {
    this.#options = options;
  }

  async send(keys: readonly KeyToSend[]): Promise<void> {
    const batches = toBatches(keys.map(encodeQueueMessage));
    const sendRemaining = async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await this.#sendBatch(batch);
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL_BATCHES, batches.length) }, sendRemaining));
  }

  async hide({ receipt }: ReceivedMessage, delayMs: number): Promise<'hidden' | 'gone'> {
    const { sqs, queueUrl } = this.#options;
    // SQS counts whole seconds. The first retries, which client-go delays by milliseconds, therefore come at once.
    const seconds = delayMs < 1000 ? 0 : Math.min(Math.ceil(delayMs / 1000), MAX_HIDE_SECONDS);
    const hidden = new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receipt,
      VisibilityTimeout: seconds,
    });
    try {
      await sqs.send(hidden);
      return 'hidden';
    } catch (error) {
      if (isStaleReceipt(error)) return 'gone';
      throw error;
    }
  }

  async bury({ key, receiveCount }: ReceivedMessage, why: string): Promise<void> {
    const { sqs, deadLetterQueueUrl } = this.#options;
    if (deadLetterQueueUrl === undefined) throw new Error('this function has no dead-letter queue');
    const MessageAttributes = {
      why: { DataType: 'String', StringValue: why },
      receiveCount: { DataType: 'Number', StringValue: `${receiveCount}` },
    };
    await sqs.send(
      new SendMessageCommand({ ...encodeQueueMessage({ key }), MessageAttributes, QueueUrl: deadLetterQueueUrl }),
    );
  }

  /** Sends a batch, and the messages that SQS refused again after a delay. Throws if SQS blames the sender, or after the last attempt. */
  async #sendBatch(messages: readonly Omit<SendMessageBatchRequestEntry, 'Id'>[]): Promise<void> {
    const { sqs, queueUrl, clock, ids } = this.#options;
    let left = messages.map((message, at) => ({ ...message, Id: `${at}` }));
    for (let attempt = 1; ; attempt += 1) {
      const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left }));
      if (Failed.length === 0) return;
      const refused =
        Failed.find(({ SenderFault }) => SenderFault) ?? (attempt === MAX_ATTEMPTS ? Failed[0] : undefined);
      if (refused)
        throw new Error(
          `SQS accepted ${left.length - Failed.length} of ${left.length} keys: ${refused.Message ?? refused.Code}`,
        );
      left = left.filter((entry) => Failed.some(({ Id }) => Id === entry.Id));
      await sleep(clock, RETRY_BASE_MS * 2 ** attempt * ids.random());
    }
  }
}
