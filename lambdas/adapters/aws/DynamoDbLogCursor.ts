import type { Change, LogCursor } from '../../ports/ChangeLog.ts';
import type { LogTail } from './LogTail.ts';

export interface CursorStart {
  readonly position: number;
  /** The last segment that need not be read. */
  readonly segment: number;
  /** The changes of the later segments, up to the log's present end, that were logged after the position or have a higher version. */
  readonly pending: readonly Change[];
  /** The last segment that `pending` covers, and the position behind it. */
  readonly pendingSegment: number;
  readonly pendingPosition: number;
}

/** A reader's place in a log. All readers of this process read the log through one shared tail. */
export class DynamoDbLogCursor implements LogCursor {
  readonly #tail: LogTail;
  #start: CursorStart | undefined;
  #position: number;
  #segment: number;

  constructor(tail: LogTail, start: CursorStart) {
    this.#tail = tail;
    this.#start = start;
    this.#position = start.position;
    this.#segment = start.segment;
  }

  get position(): number {
    return this.#position;
  }

  async next(signal: AbortSignal): Promise<readonly Change[] | 'expired'> {
    for (;;) {
      const pending = this.#takePending();
      if (pending === 'expired' || pending.length > 0) return pending;
      const segments = await this.#tail.after(this.#segment);
      if (segments === 'gone') return 'expired';
      const last = segments.at(-1)?.state;
      if (last) {
        this.#segment = last.segment;
        this.#position = last.position;
        const changes = segments.flatMap((segment) => segment.changes);
        if (changes.length > 0) return changes;
      }
      if (signal.aborted) return [];
      await this.#tail.wait(signal);
    }
  }

  /** Does nothing: a cursor holds no resources. */
  close(): void {}

  #takePending(): readonly Change[] | 'expired' {
    const start = this.#start;
    if (!start) return [];
    this.#start = undefined;
    if (start.segment < this.#tail.state.epochSegment) return 'expired';
    this.#segment = start.pendingSegment;
    this.#position = start.pendingPosition;
    return start.pending;
  }
}
