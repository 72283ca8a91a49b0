import type { StreamRecord } from './decodeStreamRecord.ts';
import type { ObjectItem } from '../objects/objectItem.ts';

/** The heartbeats' item in the objects table. It holds no object, so no reader of the stream finds a change in its records. No resource has this name. */
export const HEARTBEAT_KEY = { place: { S: 'heartbeats#' }, name: { S: 'stream' } };

/** Returns when the heartbeat of which the stream's record tells was written, in milliseconds; `undefined` for every other record. Pure. */
export function heartbeatTime({ dynamodb }: StreamRecord): number | undefined {
  const { place } = (dynamodb?.Keys ?? {}) as ObjectItem;
  if (place?.S !== HEARTBEAT_KEY.place.S) return undefined;
  const writtenAtMs = Number(((dynamodb?.NewImage ?? {}) as ObjectItem)['writtenAtMs']?.N);
  return Number.isFinite(writtenAtMs) ? writtenAtMs : undefined;
}
