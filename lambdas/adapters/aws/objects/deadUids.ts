import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TOMBSTONE_LIFETIME_MS } from '../../../ports/ObjectStore.ts';
import type { ObjectItem } from './objectItem.ts';

/**
 * How many dead UIDs of one name are remembered, the newest ones. They are part of the item, so their number must be bounded. A name that is removed more
 * often within a day is written so often that no create of it can be so late.
 */
const REMEMBERED = 64;

/** Returns the UIDs that may not come back under an item's name, each with the time in milliseconds at which its ban ends. */
export function deadUids(item: ObjectItem | undefined): ReadonlyMap<string, number> {
  const entries = Object.entries(item?.['dead']?.M ?? {});
  return new Map(entries.map(([uid, until]) => [uid, Number(until.N)]));
}

/** Returns the item's dead UIDs with one more, and without those whose ban has ended. */
export function deadWith(item: ObjectItem | undefined, uid: string, nowMs: number): AttributeValue {
  const standing = [...deadUids(item)].filter(([known, untilMs]) => known !== uid && untilMs > nowMs);
  const newest = standing.sort(([, a], [, b]) => b - a).slice(0, REMEMBERED - 1);
  const all: (readonly [string, number])[] = [...newest, [uid, nowMs + TOMBSTONE_LIFETIME_MS]];
  return { M: Object.fromEntries(all.map(([known, untilMs]) => [known, { N: String(untilMs) }])) };
}

/** Returns the time in seconds at which DynamoDB may delete a tombstone that is written now: the end of its newest dead UID's ban. */
export function tombstoneExpiry(nowMs: number): AttributeValue {
  return { N: String(Math.ceil((nowMs + TOMBSTONE_LIFETIME_MS) / 1000)) };
}
