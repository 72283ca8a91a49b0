import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TOMBSTONE_LIFETIME_MS } from '../../ports/ObjectStore.ts';
import type { ObjectItem } from './objectItem.ts';

/**
 * So many UIDs of one name are remembered, the newest. They travel with the item, so their number must be bounded; a name that is removed more often within a
 * day is written so often that a create as late as that would fail on its age elsewhere.
 */
const REMEMBERED = 64;

/** The UIDs that may not come back under an item's name, with the times in milliseconds until which. */
export function deadUids(item: ObjectItem | undefined): ReadonlyMap<string, number> {
  const entries = Object.entries(item?.['dead']?.M ?? {});
  return new Map(entries.map(([uid, until]) => [uid, Number(until.N)]));
}

/** The item's dead with one more, those whose day is over dropped. */
export function deadWith(item: ObjectItem | undefined, uid: string, nowMs: number): AttributeValue {
  const standing = [...deadUids(item)].filter(([known, untilMs]) => known !== uid && untilMs > nowMs);
  const newest = standing.sort(([, a], [, b]) => b - a).slice(0, REMEMBERED - 1);
  const all: (readonly [string, number])[] = [...newest, [uid, nowMs + TOMBSTONE_LIFETIME_MS]];
  return { M: Object.fromEntries(all.map(([known, untilMs]) => [known, { N: String(untilMs) }])) };
}

/** When DynamoDB may delete a tombstone that was written now, in seconds: it is the newest of its dead that ends last. */
export function tombstoneExpiry(nowMs: number): AttributeValue {
  return { N: String(Math.ceil((nowMs + TOMBSTONE_LIFETIME_MS) / 1000)) };
}
