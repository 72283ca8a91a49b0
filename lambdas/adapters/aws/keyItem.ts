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

/** One conditional write of a key's item, in DynamoDB's expressions. */
export interface KeyUpdate {
  readonly expression: string;
  readonly condition: string;
  readonly values: Record<string, AttributeValue>;
}

/**
 * How long an item that says nothing is kept for its `syncedFrom`: longer than any message can have been on its way, which is a quarter of an hour of delay
 * or a thousand seconds of backoff, and a visibility timeout.
 */
const FORGET_AFTER_MS = 3_600_000;

/** Takes a lock that nobody has, or that has ended. Who has it already is answered as if it had just taken it: its first answer was lost. */
export function takeLock(holder: string, nowMs: number, untilMs: number): KeyUpdate {
  return {
    // Without `expiresAt`, for the table forgets items in its own time, and must not forget a lock.
    expression: 'SET holder = :holder, heldUntil = :until REMOVE dirty, expiresAt',
    condition: 'attribute_not_exists(holder) OR heldUntil <= :now OR holder = :holder',
    values: { ':holder': { S: holder }, ':until': { N: `${untilMs}` }, ':now': { N: `${nowMs}` } },
  };
}

/** Marks a lock that somebody has. */
export function markDirty(nowMs: number): KeyUpdate {
  return {
    expression: 'SET dirty = :true',
    condition: 'attribute_exists(holder) AND heldUntil > :now',
    values: { ':true': { BOOL: true }, ':now': { N: `${nowMs}` } },
  };
}

export function writeIntent(holder: string, intent: Intent | undefined): KeyUpdate {
  return {
    expression: intent ? 'SET intent = :intent' : 'REMOVE intent',
    condition: 'holder = :holder',
    values: { ':holder': { S: holder }, ...(intent && { ':intent': { S: JSON.stringify(intent) } }) },
  };
}

/** Writes the item whole and takes the lock out of it; whatever marks it has, if the key was sent again for them. */
export function giveBackLock(
  key: WorkKey,
  holder: string,
  item: KeyItem,
  nowMs: number,
  wasResent: boolean,
): KeyUpdate {
  const attributes = { ...itemAttributes(key, item, nowMs), lastHolder: { S: holder } };
  const set = Object.keys(attributes).map((name) => `${name} = :${name}`);
  const removed = ['holder', 'heldUntil', 'dirty', ...OPTIONAL_ATTRIBUTES.filter((name) => !(name in attributes))];
  const values = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value]));
  return {
    expression: `SET ${set.join(', ')} REMOVE ${removed.join(', ')}`,
    condition: `holder = :lastHolder${wasResent ? '' : ' AND attribute_not_exists(dirty)'}`,
    values,
  };
}

const OPTIONAL_ATTRIBUTES = ['wakeAt', 'overdueShard', 'syncedFrom', 'intent', 'expiresAt'] as const;

function itemAttributes(
  key: WorkKey,
  { failures, wakeAtMs, syncedFromMs, intent }: KeyItem,
  nowMs: number,
): Partial<Record<'failures' | (typeof OPTIONAL_ATTRIBUTES)[number], AttributeValue>> {
  const saysNothing = failures === 0 && wakeAtMs === undefined && !intent;
  return {
    failures: { N: `${failures}` },
    ...(wakeAtMs !== undefined && { wakeAt: { N: `${wakeAtMs}` }, overdueShard: { S: overdueShardOf(key) } }),
    ...(syncedFromMs !== undefined && { syncedFrom: { N: `${syncedFromMs}` } }),
    ...(intent && { intent: { S: JSON.stringify(intent) } }),
    ...(saysNothing && { expiresAt: { N: `${Math.ceil((nowMs + FORGET_AFTER_MS) / 1000)}` } }),
  };
}
