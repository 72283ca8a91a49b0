import type { AuditEvent } from '../../../objects/audit/AuditEvent.ts';
import { AuditLosses } from '../../../objects/audit/AuditLosses.ts';
import type { AuditLog } from '../../../ports/AuditLog.ts';
import { type Clock, sleep } from '../../../ports/Clock.ts';
import type { Ids } from '../../../ports/Ids.ts';
import { BYTES_BESIDES, fittingLine, MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from './fittingLine.ts';
import { type LogsClient, LogsError, type RejectedEvents } from './LogsClient.ts';

export interface CloudWatchAuditLogOptions {
  readonly client: Pick<LogsClient, 'call'>;
  /** The name of the log group, which must exist. Each process makes a stream of its own in it. */
  readonly logGroup: string;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uid'>;
  /** Receives a line when events begin to be lost, and when that is over. */
  readonly report: (line: Readonly<Record<string, unknown>>) => void;
}

interface LogEvent {
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly message: string;
}

export { MAX_EVENT_BYTES } from './fittingLine.ts';

/** The events of one short request go together. */
const LINGER_MS = 100;
/** While CloudWatch does not answer, as much waits in memory. What comes then is lost. */
const MAX_WAITING_BYTES = 8 * MAX_BATCH_BYTES;
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;

/**
 * An audit log in a log group of CloudWatch, one event an entry. No request waits for it: events are sent in batches, one after the other, and a function awaits `flush` after its answer, since it stands still
 * afterwards. What is throttled, or not answered, is tried three times.
 */
export class CloudWatchAuditLog implements AuditLog {
  readonly #options: CloudWatchAuditLogOptions;
  readonly #losses: AuditLosses;
  readonly #stream: string;
  #hasStream = false;
  #waiting: LogEvent[] = [];
  #waitingBytes = 0;
  #sent: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: CloudWatchAuditLogOptions) {
    this.#options = options;
    this.#losses = new AuditLosses(options.report);
    const day = new Date(options.clock.now()).toISOString().slice(0, 10).replaceAll('-', '/');
    this.#stream = `${day}/${options.ids.uid()}`;
  }

  write(event: AuditEvent): void {
    if (this.#isClosed) return;
    const message = fittingLine(event);
    if (message === undefined) return this.#losses.add(1, new Error('an event is larger than CloudWatch takes'));
    if (this.#waitingBytes > MAX_WAITING_BYTES)
      return this.#losses.add(1, new Error('CloudWatch does not keep up with the audit log'));
    // Within a batch, times must not go back. A clock that was ahead for a while is forgotten with the batch.
    const newestMs = this.#waiting.at(-1)?.timestamp ?? 0;
    this.#waiting.push({ timestamp: Math.max(newestMs, this.#options.clock.now()), message });
    this.#waitingBytes += bytesOf(message);
    this.#cancelTimer ??= this.#options.clock.setTimer(LINGER_MS, () => void this.flush());
  }

  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sent = this.#sent.then(() => this.#sendWaiting());
    return this.#sent;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.flush();
  }

  async #sendWaiting(): Promise<void> {
    const batches = batchesOf(this.#waiting);
    this.#waiting = [];
    for (const batch of batches) {
      await this.#sendBatch(batch);
      for (const { message } of batch) this.#waitingBytes -= bytesOf(message);
    }
  }

  async #sendBatch(logEvents: readonly LogEvent[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const rejected = await this.#put(logEvents);
        if (rejected === 0) this.#losses.endFailure();
        else this.#losses.add(rejected, new Error('events are too old or too new for CloudWatch: look at the clock'));
        return;
      } catch (error) {
        const isFinal = error instanceof LogsError && !error.isTransient;
        if (isFinal || attempt === ATTEMPTS) return this.#losses.add(logEvents.length, error);
        await sleep(this.#options.clock, FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }

  /** Returns how many of the events were not taken. */
  async #put(logEvents: readonly LogEvent[]): Promise<number> {
    const place = { logGroupName: this.#options.logGroup, logStreamName: this.#stream };
    if (!this.#hasStream) await this.#createStream(place);
    const { rejected } = await this.#options.client.call('PutLogEvents', { ...place, logEvents });
    return rejected ? countRejected(rejected, logEvents.length) : 0;
  }

  async #createStream(place: object): Promise<void> {
    try {
      await this.#options.client.call('CreateLogStream', place);
    } catch (error) {
      // An attempt without an answer may have made it.
      if (!(error instanceof LogsError) || error.name !== 'ResourceAlreadyExistsException') throw error;
    }
    this.#hasStream = true;
  }
}

function countRejected(rejected: RejectedEvents, count: number): number {
  const { expiredLogEventEndIndex = 0, tooOldLogEventEndIndex = 0, tooNewLogEventStartIndex = count } = rejected;
  return Math.max(expiredLogEventEndIndex, tooOldLogEventEndIndex) + (count - tooNewLogEventStartIndex);
}

function bytesOf(message: string): number {
  return Buffer.byteLength(message) + BYTES_BESIDES;
}

/** The events in their order, as many together as one request may hold. Pure. */
function batchesOf(events: readonly LogEvent[]): LogEvent[][] {
  const batches: LogEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = bytesOf(event.message);
    bytes += size;
    if (bytes > MAX_BATCH_BYTES || batches.at(-1)?.length === MAX_BATCH_EVENTS) {
      batches.push([]);
      bytes = size;
    }
    batches.at(-1)?.push(event);
  }
  return batches;
}
