import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { KeyToSend, ReceivedMessage, WorkQueue } from '../../ports/WorkQueue.ts';
import { encodeQueueMessage, toBatches } from './queueMessage.ts';

export interface SqsWorkQueueOptions {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  /** Absent for who only sends keys, and never receives any. */
  readonly deadLetterQueueUrl?: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** SQS ends no message's time in flight later than 12 hours after it was received; the function that received it ran for up to a quarter of an hour. */
const MAX_HIDE_SECONDS = 12 * 3600 - 900;
/** So many batches are on their way at a time. */
const PARALLEL_BATCHES = 8;
const MAX_ATTEMPTS = 6;
const RETRY_BASE_MS = 50;

/** What SQS answers when a message has left the hands of its receiver: it was deleted, or its time was up and it is to be had again. */
const GONE = ['MessageNotInflight', 'ReceiptHandleIsInvalid'];

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

  async hide({ receipt }: ReceivedMessage, delayMs: number): Promise<void> {
    const { sqs, queueUrl } = this.#options;
    // The first retries after a failure come at once, as fast as client-go's would: the queue knows no parts of a second.
    const seconds = delayMs < 1000 ? 0 : Math.min(Math.ceil(delayMs / 1000), MAX_HIDE_SECONDS);
    const hidden = new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receipt,
      VisibilityTimeout: seconds,
    });
    await sqs.send(hidden).catch((error: unknown) => {
      if (!(error instanceof Error && GONE.includes(error.name))) throw error;
    });
  }

  async bury({ key, receiveCount }: ReceivedMessage, why: string): Promise<void> {
    const { sqs, deadLetterQueueUrl } = this.#options;
    if (deadLetterQueueUrl === undefined) throw new Error('there is no dead-letter queue to bury a key in');
    const MessageAttributes = {
      why: { DataType: 'String', StringValue: why },
      receiveCount: { DataType: 'Number', StringValue: `${receiveCount}` },
    };
    await sqs.send(
      new SendMessageCommand({ ...encodeQueueMessage({ key }), MessageAttributes, QueueUrl: deadLetterQueueUrl }),
    );
  }

  /** Sends what the service did not take again, after a while; throws what it will never take, and when it takes too long. */
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
          `SQS took ${left.length - Failed.length} of ${left.length} keys: ${refused.Message ?? refused.Code}`,
        );
      left = left.filter((entry) => Failed.some(({ Id }) => Id === entry.Id));
      await sleep(clock, RETRY_BASE_MS * 2 ** attempt * ids.random());
    }
  }
}
