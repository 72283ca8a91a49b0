import type { Change, LogCursor } from '../../ports/ChangeLog.ts';
import type { LogTail } from './LogTail.ts';

export interface CursorStart {
  readonly position: number;
  /** The last segment that needs not be read any more. */
  readonly segment: number;
  /** Changes of the segments behind, up to where the log stands by now, that came after the position or under a higher number. */
  readonly pending: readonly Change[];
  /** The last segment that `pending` covers, and the position behind it. */
  readonly pendingSegment: number;
  readonly pendingPosition: number;
}

/** Reads on through the tail of a log that all readers of this process share. */
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

  /** It holds nothing but a place. */
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
