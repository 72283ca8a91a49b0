import { setTimeout as pause } from 'node:timers/promises';
import type { EmulatedFunction } from '../functions/EmulatedFunction.ts';
import type { EmulatedQueues, Message } from '../services/EmulatedQueues.ts';
import type { MappingSpec } from '../template/readTriggers.ts';
import { REGION } from '../template/Template.ts';
import { doneMessages } from './batchOutcome.ts';

export interface QueueMappingOptions {
  readonly spec: MappingSpec;
  readonly target: EmulatedFunction;
  readonly queues: EmulatedQueues;
  /** The most concurrent batches that are useful on this machine; the mapping may allow fewer. */
  readonly maxConcurrency: number;
  /** Called for each request that the mapping sends to the queue. */
  readonly onRequest: (operation: string) => void;
}

const LONG_POLL_SECONDS = 20;
const RETRY_MS = 100;

/** Lambda's event source mapping for a queue: receives messages, invokes the function and deletes the messages that are done. Others stay hidden until their visibility timeout. */
export class QueueMapping {
  readonly #options: QueueMappingOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #polling: Promise<void> = Promise.resolve();

  constructor(options: QueueMappingOptions) {
    this.#options = options;
  }

  start(): void {
    this.#polling = this.#poll();
  }

  /** Resolves when the running batches have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#polling;
    await Promise.all(this.#running);
  }

  async #poll(): Promise<void> {
    const { spec, queues, maxConcurrency } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const messages = await this.#receive(queues, signal);
      if (messages.length === 0) continue;
      const running = this.#deliver(messages).finally(() => this.#running.delete(running));
      this.#running.add(running);
      if (this.#running.size >= Math.min(spec.maxConcurrency, maxConcurrency)) await Promise.race(this.#running);
    }
  }

  async #receive(queues: EmulatedQueues, signal: AbortSignal): Promise<readonly Message[]> {
    const { eventSourceArn, batchSize } = this.#options.spec;
    try {
      this.#options.onRequest('ReceiveMessage');
      return await queues.receive(eventSourceArn, Math.min(batchSize, 10), LONG_POLL_SECONDS, signal);
    } catch {
      if (!signal.aborted) await pause(RETRY_MS);
      return [];
    }
  }

  async #deliver(messages: readonly Message[]): Promise<void> {
    const { spec, target, queues, onRequest } = this.#options;
    const Records = messages.map((message) => queueRecord(message, spec.eventSourceArn));
    const outcome = await target.invoke(JSON.stringify({ Records }));
    const done = doneMessages(outcome, messages, spec.reportsFailures);
    if (done.length === 0) return;
    onRequest('DeleteMessageBatch');
    await queues.delete(spec.eventSourceArn, done).catch(() => {});
  }
}

/** Returns a message in the format of Lambda's SQS events. Pure. */
export function queueRecord(message: Message, eventSourceARN: string) {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue, DataType }]) => [
        name,
        { stringValue: StringValue, stringListValues: [], binaryListValues: [], dataType: DataType },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: REGION,
  };
}
