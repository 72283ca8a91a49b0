import type { Change, LogCursor, LogScope } from '../../../ports/ChangeLog.ts';
import type { LogTail } from './LogTail.ts';

/** Where a reader begins. */
export interface CursorStart {
  readonly position: number;
  /** The last segment that need not be read. */
  readonly segment: number;
  /**
   * Set if the position is an object's version inside a segment, or one that is not logged: up to this segment the reader gets the changes logged after that
   * version's own, and those with higher versions.
   */
  readonly sievedTo?: number;
}

/** A reader's place in a log. All readers of this process read the log through one shared tail. */
export class DynamoDbLogCursor implements LogCursor {
  readonly #tail: LogTail;
  readonly #scope: LogScope;
  readonly #start: CursorStart;
  #hasMetStart = false;
  #position: number;
  #segment: number;

  constructor(tail: LogTail, start: CursorStart, scope: LogScope = {}) {
    this.#tail = tail;
    this.#scope = scope;
    this.#start = start;
    this.#position = start.position;
    this.#segment = start.segment;
  }

  get position(): number {
    return this.#position;
  }

  async next(signal: AbortSignal): Promise<readonly Change[] | 'expired'> {
    for (;;) {
      const changes = await this.readOn();
      if (changes === 'expired') return changes;
      if (changes !== 'end') return changes;
      if (signal.aborted) return [];
      await this.#tail.watch(signal);
    }
  }

  /** Returns the changes of the next known segment that has any; `end` if no known segment has. */
  async readOn(): Promise<readonly Change[] | 'expired' | 'end'> {
    for (;;) {
      const segments = await this.#tail.after(this.#segment);
      if (segments === 'gone') return 'expired';
      if (segments.length === 0) return 'end';
      for (const segment of segments) {
        const read = await this.#tail.changesOf(segment, this.#scope);
        if (read === 'gone') return 'expired';
        const changes = this.#sieve(segment.segment, read);
        this.#segment = segment.segment;
        this.#position = Math.max(this.#position, segment.position);
        if (changes.length > 0) return changes;
      }
    }
  }

  /** Does nothing: a cursor holds no resources. */
  close(): void {}

  #sieve(segment: number, changes: readonly Change[]): readonly Change[] {
    const { position, sievedTo = 0 } = this.#start;
    if (segment > sievedTo || this.#hasMetStart) return changes;
    return changes.filter(({ version }) => {
      const passes = this.#hasMetStart || version > position;
      this.#hasMetStart ||= version === position;
      return passes;
    });
  }
}
