import {
  GetRecordsCommand,
  type GetRecordsCommandInput,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
} from '@aws-sdk/client-dynamodb-streams';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import { STREAMS } from '../publishedLimits.ts';
import type { DynamoStream } from './DynamoStream.ts';
import type { StreamShard, TableRecord } from './StreamShard.ts';

/** What an iterator says, as JSON. */
interface Place {
  readonly shardId: string;
  /** The sequence number of the next record, or of one before it. */
  readonly from: string;
  readonly isInclusive: boolean;
  readonly issuedAtMs: number;
}

/** DynamoDB's API of streams over one stream: the commands by which `resync` reads a batch again. */
export class StreamsModel {
  readonly #stream: DynamoStream;
  readonly #clock: Clock;

  constructor(stream: DynamoStream, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
  }

  /** Throws the service's errors. */
  execute(command: object): object {
    if (command instanceof GetShardIteratorCommand) return this.#open(command.input);
    if (command instanceof GetRecordsCommand) return this.#read(command.input);
    throw new TypeError(`the model of streams has no ${command.constructor.name}`);
  }

  /** Returns the id of the shard that has a record with this sequence number; `undefined` if none has it any more. */
  shardOf(sequence: string): string | undefined {
    const has = (shard: StreamShard) =>
      shard.read(undefined, Number.POSITIVE_INFINITY, this.#clock.now()).some(is(sequence));
    return this.#stream.shards.find(has)?.id;
  }

  #open({ ShardId, ShardIteratorType, SequenceNumber = '' }: GetShardIteratorCommandInput): object {
    if (ShardIteratorType !== 'AT_SEQUENCE_NUMBER') throw new TypeError(`the model has no ${ShardIteratorType}`);
    const issuedAtMs = this.#clock.now();
    const place: Place = { shardId: ShardId ?? '', from: SequenceNumber, isInclusive: true, issuedAtMs };
    const [oldest] = this.#shard(place).read(undefined, 1, issuedAtMs);
    if (!oldest || sequenceOf(oldest) > SequenceNumber) throw serviceError('TrimmedDataAccessException');
    return { ShardIterator: JSON.stringify(place) };
  }

  #read({ ShardIterator = '{}', Limit = STREAMS.recordsPerPage }: GetRecordsCommandInput): object {
    const nowMs = this.#clock.now();
    const place = JSON.parse(ShardIterator) as Place;
    if (nowMs >= place.issuedAtMs + STREAMS.iteratorLifeMs) throw serviceError('ExpiredIteratorException');
    const shard = this.#shard(place);
    const all = shard.read(undefined, Number.POSITIVE_INFINITY, nowMs);
    const rest = all.filter((record) => {
      const sequence = sequenceOf(record);
      return sequence > place.from || (place.isInclusive && sequence === place.from);
    });
    const Records = rest.slice(0, Limit);
    const last = Records.at(-1);
    const isAtEnd = shard.isClosed && Records.length === rest.length;
    const from = last && { from: sequenceOf(last), isInclusive: false };
    const next: Place = { ...place, ...from, issuedAtMs: nowMs };
    return { Records, ...(!isAtEnd && { NextShardIterator: JSON.stringify(next) }) };
  }

  #shard({ shardId }: Place): StreamShard {
    const found = this.#stream.shards.find(({ id }) => id === shardId);
    if (!found) throw serviceError('ResourceNotFoundException');
    return found;
  }
}

/** Sequence numbers of one stream have as many digits, so that their texts are in their order. */
function sequenceOf({ dynamodb }: TableRecord): string {
  return dynamodb.SequenceNumber;
}

const is = (sequence: string) => (record: TableRecord) => sequenceOf(record) === sequence;

function serviceError(name: string): Error {
  return Object.assign(new Error(`the model of streams: ${name}`), { name });
}
