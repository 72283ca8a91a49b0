import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  type DynamoDBStreamsClient,
} from '@aws-sdk/client-dynamodb-streams';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { type ReadVersion, subjectOf, type VersionsByResource } from '../../../ports/ChangeLog.ts';
import { heartbeatTime } from './heartbeatTime.ts';
import { decodeStreamRecord, type StreamRecord } from './decodeStreamRecord.ts';

/** Where a batch of records is in a stream: in one shard, from the first sequence number to the last. */
export interface StreamBatch {
  readonly streamArn: string;
  readonly shardId: string;
  readonly first: string;
  readonly last: string;
}

export type StreamsSender = Pick<DynamoDBStreamsClient, 'send'>;

/** A batch has at most a thousand records, and a page at most 1 MB of them. Pages may be empty, so the search is bounded. */
const MOST_PAGES = 200;
const GONE = new Set(['TrimmedDataAccessException', 'ResourceNotFoundException', 'ExpiredIteratorException']);

/**
 * Reads the records of a batch from the stream, and returns the objects and versions of the changes in it, for each resource that it concerns; that of a record that cannot be read is not known. `any`: records expired, a day after they were written, or their stream does not exist any more, or the function was frozen between two pages for the 15 minutes for which an iterator can be used, or one of them names no
 * resource, or one is a heartbeat. A heartbeat changes no object, so it was given up for its age alone, or with everything else; then the stream may have dropped others before it. Throws if the stream cannot be read now. It costs two or three requests to the stream, about $0.0000006.
 */
export async function readStreamBatch(streams: StreamsSender, batch: StreamBatch): Promise<VersionsByResource | 'any'> {
  try {
    const records = await readRecords(streams, batch);
    return records ? versionsOf(records) : 'any';
  } catch (error) {
    if (error instanceof Error && GONE.has(error.name)) return 'any';
    throw error;
  }
}

/** Returns the records from the first to the last; `undefined` if one of these two is not found. */
async function readRecords(
  streams: StreamsSender,
  { streamArn, shardId, first, last }: StreamBatch,
): Promise<readonly StreamRecord[] | undefined> {
  const place = { StreamArn: streamArn, ShardId: shardId };
  const opened = await streams.send(
    new GetShardIteratorCommand({ ...place, ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: first }),
  );
  const records: StreamRecord[] = [];
  let iterator = opened.ShardIterator;
  for (let page = 0; page < MOST_PAGES && iterator !== undefined; page += 1) {
    const read = await streams.send(new GetRecordsCommand({ ShardIterator: iterator }));
    for (const record of (read.Records ?? []) as readonly StreamRecord[]) {
      const sequence = record.dynamodb?.SequenceNumber;
      if (records.length === 0 && sequence !== first) return undefined;
      records.push(record);
      if (sequence === last) return records;
    }
    iterator = read.NextShardIterator;
  }
  return undefined;
}

function versionsOf(records: readonly StreamRecord[]): VersionsByResource | 'any' {
  const versions: Record<GroupResource, ReadVersion[]> = {};
  for (const record of records) {
    if (heartbeatTime(record) !== undefined) return 'any';
    const decoded = decodeStreamRecord(record);
    if (decoded.status === 'none') continue;
    const resource = decoded.status === 'change' ? decoded.change.resource : decoded.resource;
    if (resource === undefined) return 'any';
    const ofResource = (versions[resource] ??= []);
    if (decoded.status !== 'change') continue;
    const { namespace = '', name } = subjectOf(decoded.change).metadata;
    ofResource.push({ namespace, name, version: decoded.change.version });
  }
  return versions;
}
