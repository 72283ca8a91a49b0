import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { type NewMessage, QueueModel, type QueueOptions, type QueueParts } from './QueueModel.ts';

/** SQS' limits: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html, read in November 2025. */
const LIMITS = {
  batchMessages: 10,
  /** Of a message, and of all messages of a batch. */
  bytes: 1_048_576,
  delaySeconds: 900,
  hideSeconds: 43_200,
} as const;

const BYTES_PER_REQUEST = 65_536;

/** XML's characters, as SQS demands: no control characters, and no half of a pair. */
const REFUSED_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

export interface SqsParts extends QueueParts {
  /** Called for each request that is billed. */
  readonly onRequest: (operation: string, count: number) => void;
}

/** SQS with a few standard queues. Each command takes effect at one instant; what lies between sender and service is not its part. */
export class SqsModel {
  readonly #parts: SqsParts;
  readonly #queues = new Map<string, QueueModel>();

  constructor(parts: SqsParts) {
    this.#parts = parts;
  }

  createQueue(options: QueueOptions): QueueModel {
    const queue = new QueueModel(options, this.#parts);
    this.#queues.set(options.url, queue);
    return queue;
  }

  /** Carries out a command as SQS would. Throws what SQS refuses. */
  execute(command: object): object {
    return this.#execute(command, (queue, message) => queue.send(message));
  }

  /** The same for a sender whose delayed messages may be lost once what it stores stands in for them. */
  get forgetful(): { readonly execute: (command: object) => object } {
    return { execute: (command) => this.#execute(command, (queue, message) => queue.sendForgettable(message)) };
  }

  #execute(command: object, send: Send): object {
    if (command instanceof SendMessageBatchCommand) return this.#sendBatch(command, send);
    if (command instanceof SendMessageCommand) return this.#send(command, send);
    if (command instanceof ChangeMessageVisibilityCommand) return this.#hide(command);
    if (command instanceof ReceiveMessageCommand) return this.#receive(command);
    if (command instanceof DeleteMessageBatchCommand) return this.#delete(command);
    throw new Error(`the model of SQS does not know ${command.constructor.name}`);
  }

  #sendBatch({ input: { QueueUrl, Entries = [] } }: SendMessageBatchCommand, send: Send): object {
    const { random, faults } = this.#parts;
    const queue = this.#queueOf(QueueUrl);
    const bytes = Entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
    if (Entries.length === 0) throw refusal('EmptyBatchRequest');
    if (Entries.length > LIMITS.batchMessages) throw refusal('TooManyEntriesInBatchRequest');
    if (new Set(Entries.map(({ Id }) => Id)).size < Entries.length) throw refusal('BatchEntryIdsNotDistinct');
    if (bytes > LIMITS.bytes) throw refusal('BatchRequestTooLong');
    this.#parts.onRequest('SendMessageBatch', Math.ceil(bytes / BYTES_PER_REQUEST));
    const Successful: object[] = [];
    const Failed: object[] = [];
    for (const entry of Entries) {
      const problem = problemOf(entry);
      if (problem === undefined && random.chance(faults().refusedMessage ?? 0))
        Failed.push({ Id: entry.Id, SenderFault: false, Code: 'InternalError', Message: 'the service is busy' });
      else if (problem === undefined) Successful.push({ Id: entry.Id, MessageId: send(queue, messageOf(entry)) });
      else Failed.push({ Id: entry.Id, SenderFault: true, Code: problem, Message: problem });
    }
    return { Successful, Failed };
  }

  #send({ input }: SendMessageCommand, send: Send): object {
    const problem = problemOf(input);
    if (problem !== undefined) throw refusal(problem);
    this.#parts.onRequest('SendMessage', Math.ceil(sizeOf(input) / BYTES_PER_REQUEST));
    return { MessageId: send(this.#queueOf(input.QueueUrl), messageOf(input)) };
  }

  #hide({ input: { QueueUrl, ReceiptHandle = '', VisibilityTimeout = 0 } }: ChangeMessageVisibilityCommand): object {
    if (!isWithin(VisibilityTimeout, LIMITS.hideSeconds)) throw refusal('InvalidParameterValue');
    this.#parts.onRequest('ChangeMessageVisibility', 1);
    const hidden = this.#queueOf(QueueUrl).hide(ReceiptHandle, VisibilityTimeout);
    if (hidden === 'stale') throw refusal('MessageNotInflight');
    return {};
  }

  /** Answers at once, as with `WaitTimeSeconds: 0`. */
  #receive({ input: { QueueUrl, MaxNumberOfMessages = 1, WaitTimeSeconds = 0 } }: ReceiveMessageCommand): object {
    if (MaxNumberOfMessages > LIMITS.batchMessages) throw refusal('InvalidParameterValue');
    if (WaitTimeSeconds > 0) throw new Error('the model of SQS does not wait for messages');
    this.#parts.onRequest('ReceiveMessage', 1);
    return { Messages: this.#queueOf(QueueUrl).receive(MaxNumberOfMessages).map(toMessage) };
  }

  #delete({ input: { QueueUrl, Entries = [] } }: DeleteMessageBatchCommand): object {
    if (Entries.length > LIMITS.batchMessages) throw refusal('TooManyEntriesInBatchRequest');
    this.#parts.onRequest('DeleteMessageBatch', 1);
    const queue = this.#queueOf(QueueUrl);
    for (const { ReceiptHandle = '' } of Entries) queue.delete(ReceiptHandle);
    return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
  }

  #queueOf(url: string | undefined): QueueModel {
    const queue = this.#queues.get(url ?? '');
    if (!queue) throw refusal('QueueDoesNotExist');
    return queue;
  }
}

/** Puts a message into a queue, and returns its id. */
type Send = (queue: QueueModel, message: NewMessage) => string;

type Sent = Pick<SendMessageBatchRequestEntry, 'MessageBody' | 'DelaySeconds' | 'MessageAttributes'>;

function toMessage({ messageId, receiptHandle, body, attributes, messageAttributes }: SQSRecord): Message {
  const values = Object.entries(messageAttributes).map(([name, { stringValue, dataType }]) => [
    name,
    { StringValue: stringValue, DataType: dataType },
  ]);
  return {
    MessageId: messageId,
    ReceiptHandle: receiptHandle,
    Body: body,
    Attributes: { ...attributes } as NonNullable<Message['Attributes']>,
    MessageAttributes: Object.fromEntries(values) as NonNullable<Message['MessageAttributes']>,
  };
}

function messageOf({ MessageBody = '', DelaySeconds = 0, MessageAttributes = {} }: Sent) {
  return { body: MessageBody, delaySeconds: DelaySeconds, attributes: MessageAttributes };
}

function problemOf(sent: Sent): string | undefined {
  const { MessageBody = '', DelaySeconds = 0 } = sent;
  if (MessageBody === '') return 'MissingParameter';
  if (REFUSED_CHARACTER.test(MessageBody)) return 'InvalidMessageContents';
  return isWithin(DelaySeconds, LIMITS.delaySeconds) ? undefined : 'InvalidParameterValue';
}

function isWithin(seconds: number, most: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= most;
}

function sizeOf({ MessageBody = '', MessageAttributes = {} }: Sent): number {
  const attributes = Object.entries(MessageAttributes).map(([name, { DataType = '', StringValue = '' }]) => {
    return Buffer.byteLength(name + DataType + StringValue);
  });
  return attributes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(MessageBody));
}

function refusal(name: string): Error {
  return Object.assign(new Error(name), { name, $fault: 'client' });
}
