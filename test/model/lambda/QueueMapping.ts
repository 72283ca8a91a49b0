import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Random } from '../../simulation/Random.ts';
import type { Scheduler } from '../../simulation/Scheduler.ts';
import type { Latencies } from '../publishedLatencies.ts';
import { drawMs } from '../Spread.ts';
import type { QueueModel } from '../sqs/QueueModel.ts';
import type { FunctionModel } from './FunctionModel.ts';
import { TriggerScaling } from './TriggerScaling.ts';

export interface QueueMappingOptions {
  readonly queue: QueueModel;
  readonly target: Pick<FunctionModel, 'invoke'>;
  readonly batchSize: number;
  readonly maxConcurrency: number;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Published times of the trigger; absent: those below. */
  readonly latencies?: Latencies | undefined;
  /** Called for each request that the mapping's pollers send to the queue. */
  readonly onRequest: (operation: string, count: number) => void;
  /** Called when messages are handed to the function, and when it has answered or never will. */
  readonly onReceive?: (records: readonly SQSRecord[]) => void;
  readonly onHandled?: (records: readonly SQSRecord[]) => void;
}

/** How long the pollers wait after the account's limit refused an invocation. */
const THROTTLED_MS = 500;

/** How long it takes until a poller's request meets a message that can be received, and from its answer to the function's invocation: AWS publishes neither, some ten milliseconds together are usual. */
const POLL_MS = [1, 10] as const;
const INVOKE_MS = [9, 30] as const;

/** How soon a trigger that may grow looks for the messages that wait. */
const GROW_MS = [100, 200] as const;

/** Lambda's event source mapping of a queue: receives messages, invokes the function, and deletes the messages that it does not keep. */
export class QueueMapping {
  readonly #options: QueueMappingOptions;
  readonly #scaling: TriggerScaling;
  #running = 0;
  /** The most batches that were under way at the same time. */
  mostRunning = 0;
  #isPolling = false;
  #isStopped = false;

  constructor(options: QueueMappingOptions) {
    this.#options = options;
    this.#scaling = new TriggerScaling(options.maxConcurrency);
    options.queue.onVisible = () => this.#poll();
  }

  get running(): number {
    return this.#running;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Messages that can be received within the same few milliseconds meet the same request. */
  #poll(afterMs = this.#options.latencies?.queuePollMs ?? POLL_MS): void {
    const { scheduler, random } = this.#options;
    if (this.#isPolling) return;
    this.#isPolling = true;
    scheduler.after(random.integer(...afterMs), () => {
      this.#isPolling = false;
      this.#receive();
    });
  }

  #receive(): void {
    const { queue, scheduler } = this.#options;
    const concurrency = this.#scaling.concurrency(scheduler.now());
    while (!this.#isStopped && this.#running < concurrency && queue.visibleCount > 0) this.#receiveBatch();
    const isWaiting = !this.#isStopped && queue.visibleCount > 0;
    this.#scaling.note(isWaiting, scheduler.now());
    if (isWaiting && this.#scaling.canGrow) this.#poll(GROW_MS);
  }

  /** A poller takes what is there, so a batch is seldom full unless many messages wait. */
  #receiveBatch(): void {
    const { queue, batchSize, random, onRequest, onReceive } = this.#options;
    const isBusy = queue.visibleCount > 2 * batchSize;
    const records = queue.receive(isBusy ? batchSize : random.integer(1, batchSize));
    onRequest('ReceiveMessage', 1);
    if (records.length === 0) return;
    onReceive?.(records);
    this.#running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.#running);
    void this.#deliver(records);
  }

  async #deliver(records: readonly SQSRecord[]): Promise<void> {
    const { queue, target, scheduler, random, latencies, onRequest, onHandled } = this.#options;
    const event = { Records: records };
    const beganMs = scheduler.now();
    await scheduler.wait(drawMs(latencies?.queueInvokeMs ?? INVOKE_MS, random));
    let outcome = await target.invoke(event);
    while (outcome.status === 'throttled' && scheduler.now() - beganMs < queue.options.visibilityTimeoutMs / 2) {
      await scheduler.wait(THROTTLED_MS);
      outcome = await target.invoke(event);
    }
    const done = outcome.status === 'returned' ? doneRecords(outcome.result as SQSBatchResponse, records) : [];
    for (const { receiptHandle } of done) queue.delete(receiptHandle);
    if (done.length > 0) onRequest('DeleteMessageBatch', 1);
    onHandled?.(records);
    this.#running -= 1;
    this.#poll();
  }
}

/** An answer that names an unknown message fails the whole batch. */
function doneRecords(answer: SQSBatchResponse | undefined, records: readonly SQSRecord[]): readonly SQSRecord[] {
  const kept = new Set((answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  for (const id of kept) if (!records.some(({ messageId }) => messageId === id)) return [];
  return records.filter(({ messageId }) => !kept.has(messageId));
}
