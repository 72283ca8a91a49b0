import type { DynamoDBRecord } from 'aws-lambda';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import type { DynamoStream } from './DynamoStream.ts';
import { streamEventRecord } from './streamEvent.ts';
import type { StreamShard } from './StreamShard.ts';

/** A shard as Lambda reads it. */
interface SourceShard {
  readonly id: string;
  /** It gets no further record. */
  readonly isClosed: boolean;
  readonly parentId: string | undefined;
  /** The records behind that sequence number that can be read by now, the oldest first. */
  read(after: string | undefined, limit: number): readonly DynamoDBRecord[];
}

interface StreamSource {
  shards(): readonly SourceShard[];
  /** Calls `wake` whenever a shard has records that can be read, or is new or closed. Never from within the write. */
  subscribe(wake: (shardId: string) => void): void;
}

export interface StreamSourceOptions {
  readonly stream: DynamoStream;
  readonly clock: Clock;
  /** Calls `act` after a delay: the scheduler's work. */
  readonly after: (delayMs: number, act: () => void) => void;
  /** `base64`: records as JSON carries them. `bytes`: the stored items themselves, which costs nothing. */
  readonly binary: 'base64' | 'bytes';
}

/** A table's stream for a reader that is woken when there is something to read. */
export function streamSource({ stream, clock, after, binary }: StreamSourceOptions): StreamSource {
  const shards = new WeakMap<StreamShard, SourceShard>();
  const known = (shard: StreamShard) => {
    const source = shards.get(shard) ?? sourceShard(shard, clock, binary);
    shards.set(shard, source);
    return source;
  };
  return {
    shards: () => stream.shards.map(known),
    subscribe: (wake) => {
      const alarms = new WeakMap<StreamShard, Alarm>();
      stream.subscribe((shard) => {
        const alarm = alarms.get(shard) ?? new Alarm(shard, clock, after, wake);
        alarms.set(shard, alarm);
        alarm.set();
      });
    },
  };
}

function sourceShard(shard: StreamShard, clock: Clock, binary: 'base64' | 'bytes'): SourceShard {
  return {
    id: shard.id,
    parentId: shard.parent?.id,
    get isClosed() {
      return shard.isClosed;
    },
    read: (after, limit) => {
      const records = shard.read(after, limit, clock.now());
      return (binary === 'base64' ? records.map(streamEventRecord) : records) as unknown as readonly DynamoDBRecord[];
    },
  };
}

/** Wakes a reader of one shard once for all records that can be read by then. */
class Alarm {
  readonly #shard: StreamShard;
  readonly #clock: Clock;
  readonly #after: (delayMs: number, act: () => void) => void;
  readonly #wake: (shardId: string) => void;
  /** The first record of which the reader was not told. */
  #place: number;
  #isSet = false;

  constructor(
    shard: StreamShard,
    clock: Clock,
    after: (delayMs: number, act: () => void) => void,
    wake: (shardId: string) => void,
  ) {
    this.#shard = shard;
    this.#clock = clock;
    this.#after = after;
    this.#wake = wake;
    this.#place = Math.max(shard.first, shard.end - 1);
  }

  set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    const dueMs = this.#shard.visibleAtMs(this.#place) ?? 0;
    this.#after(Math.max(0, dueMs - this.#clock.now()), () => this.#ring());
  }

  #ring(): void {
    this.#isSet = false;
    const nowMs = this.#clock.now();
    this.#place = Math.max(this.#place, this.#shard.first);
    for (let dueMs = this.#shard.visibleAtMs(this.#place); dueMs !== undefined && dueMs <= nowMs; ) {
      this.#place += 1;
      dueMs = this.#shard.visibleAtMs(this.#place);
    }
    this.#wake(this.#shard.id);
    if (this.#place < this.#shard.end) this.set();
  }
}
