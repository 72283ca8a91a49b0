import type { SQSEvent } from 'aws-lambda';
import type { VersionsByResource } from '../../ports/ChangeLog.ts';
import type { ResyncRequest } from './createResyncHandler.ts';
import type { ResyncAll } from './queueAllKeys.ts';

/** What `resync` can be asked for. */
export type ResyncEvent = ResyncRequest | Heartbeat | GivenUp | Restored;

/** Every trigger is to have something to do. */
export interface Heartbeat {
  readonly what: 'heartbeat';
}

/** Stream batches were given up, so the logs of their resources and the controllers may have missed changes. */
export interface GivenUp {
  readonly what: 'givenUp';
  /** The versions of the changes that were given up, as far as they are known, by resource. Absent: any change of any resource. */
  readonly changes?: VersionsByResource;
  /** Where the records of one batch are in the stream, if that is all that is known. */
  readonly batch?: {
    readonly streamArn: string;
    readonly shardId: string;
    readonly first: string;
    readonly last: string;
  };
}

/** The tables come from copies of different ages. */
export interface Restored {
  readonly what: 'restored';
  /** Identifies the restore, after which the tables are made to fit each other once. Absent: they are in any case. */
  readonly id?: string;
  /** Where an earlier run stopped. */
  readonly from?: string;
}

/**
 * Parses an event that triggers `resync`: the request of a schedule or a deployment, or a batch of the queue of given-up records, whose messages are requests or Lambda's notices of stream
 * batches. A notice says where in the stream the batch is, but not what it is. A message that cannot be read counts as one. Throws for any other event.
 */
export function parseResyncEvent(event: unknown): readonly ResyncEvent[] {
  const { Records } = (event ?? {}) as { readonly Records?: unknown };
  if (Array.isArray(Records)) return (event as SQSEvent).Records.map(({ body }) => parseMessage(body));
  const request = parseRequest(event);
  if (!request) throw new Error(`resync does not know this event: ${JSON.stringify(event)?.slice(0, 500)}`);
  return [request];
}

function parseMessage(body: string): ResyncEvent {
  try {
    const value: unknown = JSON.parse(body);
    return parseRequest(value) ?? parseNotice(value);
  } catch {
    return { what: 'givenUp' };
  }
}

/** Parses Lambda's notice of a batch that it gave up. What is no such notice counts as one that does not say where the batch is. */
function parseNotice(value: unknown): GivenUp {
  const { DDBStreamBatchInfo } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const info = (DDBStreamBatchInfo ?? {}) as Readonly<Record<string, unknown>>;
  const place = [info['streamArn'], info['shardId'], info['startSequenceNumber'], info['endSequenceNumber']];
  if (!isTexts(place)) return { what: 'givenUp' };
  const [streamArn = '', shardId = '', first = '', last = ''] = place;
  return { what: 'givenUp', batch: { streamArn, shardId, first, last } };
}

function parseRequest(value: unknown): ResyncEvent | undefined {
  const { what, graceMs, lost, changes, from, spread, id } = (value ?? {}) as Readonly<Record<string, unknown>>;
  switch (what) {
    case 'overdue':
      return typeof graceMs === 'number' && graceMs >= 0 ? { what, graceMs } : undefined;
    case 'heartbeat':
      return { what };
    case 'all':
      return {
        what,
        ...(isTexts(lost) && { lost }),
        ...(isPlace(from) && { from }),
        ...(isSpread(spread) && { spread }),
      };
    case 'givenUp':
      return { what, ...(areVersions(changes) && { changes }) };
    case 'restored':
      return { what, ...(typeof id === 'string' && { id }), ...(typeof from === 'string' && { from }) };
    default:
      return undefined;
  }
}

function isSpread(value: unknown): value is NonNullable<ResyncAll['spread']> {
  const { sent } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Number.isSafeInteger(sent) && Number(sent) >= 0;
}

function areVersions(value: unknown): value is VersionsByResource {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((one) => Array.isArray(one) && one.every(isVersion));
}

function isVersion(value: unknown): boolean {
  const { namespace, name, version } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof namespace === 'string' && typeof name === 'string' && Number.isSafeInteger(version);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isPlace(value: unknown): value is NonNullable<ResyncAll['from']> {
  const { resource, after } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { namespace, name } = (after ?? { namespace: '', name: '' }) as Readonly<Record<string, unknown>>;
  return [resource, namespace, name].every((text) => typeof text === 'string');
}
