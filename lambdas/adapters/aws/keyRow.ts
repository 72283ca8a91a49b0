import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Intent, KeyItem } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';

/** A key's item as the table holds it; see `tables.ts` for its attributes. */
export type KeyRow = Readonly<Record<string, AttributeValue>>;

/** One partition of an index takes a thousand writes a second; a burst of keys with wake-ups spreads over these. */
export const OVERDUE_SHARDS = ['0', '1', '2', '3'] as const;

/** When the lock in this row ends; 0 if it is not held. */
export function heldUntilMs(row: KeyRow): number {
  return Number(row['heldUntil']?.N ?? 0);
}

export function decodeKeyItem(row: KeyRow): KeyItem {
  const { failures, wakeAt, syncedFrom, intent } = row;
  return {
    failures: Number(failures?.N ?? 0),
    ...(wakeAt?.N !== undefined && { wakeAtMs: Number(wakeAt.N) }),
    ...(syncedFrom?.N !== undefined && { syncedFromMs: Number(syncedFrom.N) }),
    ...(intent?.S !== undefined && { intent: JSON.parse(intent.S) as Intent }),
  };
}

/** Which partition of the overdue index a key with a wake-up stands in. Pure. */
export function overdueShardOf({ name }: WorkKey): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return OVERDUE_SHARDS[sum % OVERDUE_SHARDS.length] ?? OVERDUE_SHARDS[0];
}
