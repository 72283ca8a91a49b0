import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { decodeCauses, encodeCauses } from '../../../ports/Causes.ts';
import { decodeWaits, encodeWaits } from '../../../ports/ChangeWaits.ts';
import { type KeyItem, MAX_LOCK_MS } from '../../../ports/KeyLocks.ts';
import { decodeKeyTraces, encodeKeyTraces, joinTraces, type KeyTrace } from '../../../ports/TraceContext.ts';
import type { WorkKey } from '../../../ports/WorkKey.ts';
import { assertFormat } from '../assertFormat.ts';

/** A key's item as stored; `tables.ts` lists its attributes. */
export type KeyRow = Readonly<Record<string, AttributeValue>>;

/** The partitions of the overdue index. One takes a thousand writes a second, and a burst of keys with wake-ups spreads over all of them. */
export const OVERDUE_SHARDS = ['0', '1', '2', '3'] as const;

/** Returns when the lock in this row ends; 0 if it is not held. */
export function heldUntilMs(row: KeyRow): number {
  return Number(row['heldUntil']?.N ?? 0);
}

/** What a key's item says of its intent: the intent itself, as JSON, or the id of the item that has it (see `IntentItems`). */
export type IntentAttribute =
  | { readonly intent: AttributeValue; readonly intentAt?: undefined }
  | { readonly intentAt: AttributeValue; readonly intent?: undefined };

/** Decodes all but the intent, which `IntentItems` reads. */
export function decodeKeyItem(row: KeyRow): Omit<KeyItem, 'intent'> {
  const { failures, wakeAt, syncedFrom, failedFrom } = row;
  const seen = decodeCauses(row['seen']?.S);
  const waited = decodeWaits(row['waited']?.S);
  return {
    failures: Number(failures?.N ?? 0),
    ...(wakeAt?.N !== undefined && { wakeAtMs: Number(wakeAt.N) }),
    ...(syncedFrom?.N !== undefined && { syncedFromMs: Number(syncedFrom.N) }),
    ...(failedFrom?.N !== undefined && { failedFromMs: Number(failedFrom.N) }),
    ...(seen.size > 0 && { seen }),
    ...(waited && { waited }),
  };
}

/** Returns the partition of the overdue index for a key with a wake-up. Pure. */
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
  /** What stands for attributes whose names DynamoDB reserves. */
  readonly names?: Record<string, string>;
}

/** The number of this layout of key items. */
const FORMAT = 2;
export const FORMAT_NAME = { '#format': 'format' };
export const FORMAT_VALUE = { ':format': { N: `${FORMAT}` } };

/** Throws if a newer release wrote the item: this one might misread it. */
export function assertKnownKeyFormat(row: KeyRow): void {
  assertFormat(row, FORMAT, String(row['key']?.S));
}

/**
 * How long an item without failures, wake-up and intent is kept for its `syncedFrom`: longer than any message can be under way, which is 15 minutes of delay
 * plus a visibility timeout.
 */
const FORGET_AFTER_MS = 3_600_000;

/** Takes a lock that is free, has ended, or would last longer than any lock does. It also succeeds for the present holder, whose first answer was lost. */
export function takeLock(holder: string, nowMs: number, untilMs: number): KeyUpdate {
  return {
    // Removes `expiresAt`, since DynamoDB must not delete an item that holds a lock.
    expression: 'SET #format = :format, holder = :holder, heldUntil = :until REMOVE marks, markedFor, expiresAt',
    condition:
      '(attribute_not_exists(holder) OR heldUntil <= :now OR heldUntil > :latest OR holder = :holder) ' +
      'AND (attribute_not_exists(#format) OR #format <= :format)',
    values: { ...FORMAT_VALUE, ':holder': { S: holder }, ':until': { N: `${untilMs}` }, ...heldAt(nowMs) },
    names: FORMAT_NAME,
  };
}

/** Counts one more worker that met a held lock. `met` is the item with that lock. If the worker's message names traces, they are added to those of earlier marks, with the holder whom they are for: the release before leaves them in the item. */
export function markDirty(nowMs: number, met: KeyRow = {}, traces: readonly KeyTrace[] = []): KeyUpdate {
  const named = traces.length > 0 && encodeKeyTraces(joinTraces(markedTraces(met).traces, traces));
  return {
    expression: named ? 'ADD marks :one SET markedFor = :markedFor' : 'ADD marks :one',
    condition: 'attribute_exists(holder) AND heldUntil > :now AND heldUntil <= :latest',
    values: {
      ':one': { N: '1' },
      ...heldAt(nowMs),
      ...(named && { ':markedFor': { S: `${met['holder']?.S} ${named}` } }),
    },
  };
}

/** Returns the traces of the messages that met this lock. */
export function markedTraces({ holder, markedFor }: KeyRow): { readonly traces?: readonly KeyTrace[] } {
  const prefix = `${holder?.S} `;
  // The names of changes have spaces, too.
  const traces = markedFor?.S?.startsWith(prefix) ? decodeKeyTraces(markedFor.S.slice(prefix.length)) : [];
  return traces.length > 0 ? { traces } : {};
}

/** The bounds between which the end of a lock lies that is held at `nowMs`. */
function heldAt(nowMs: number): Record<':now' | ':latest', AttributeValue> {
  return { ':now': { N: `${nowMs}` }, ':latest': { N: `${nowMs + MAX_LOCK_MS}` } };
}

export function marksOf(row: KeyRow): number {
  return Number(row['marks']?.N ?? 0);
}

export function writeIntent(holder: string, stored: IntentAttribute | undefined): KeyUpdate {
  const values = { ':holder': { S: holder } };
  const condition = 'holder = :holder';
  if (!stored) return { expression: 'REMOVE intent, intentAt', condition, values };
  const [name, other] = stored.intent ? ['intent', 'intentAt'] : ['intentAt', 'intent'];
  return {
    expression: `SET ${name} = :stored REMOVE ${other}`,
    condition,
    values: { ...values, ':stored': stored.intent ?? stored.intentAt },
  };
}

/** Writes the whole item without its lock. Fails if the lock has more than `coveredMarks`. */
export function releaseLock(
  key: WorkKey,
  holder: string,
  { item, stored }: { readonly item: KeyItem; readonly stored: IntentAttribute | undefined },
  nowMs: number,
  coveredMarks: number,
): KeyUpdate {
  const attributes = { ...itemAttributes(key, item, nowMs), ...stored, lastHolder: { S: holder } };
  const set = Object.keys(attributes).map((name) => `${name} = :${name}`);
  const removed = [
    'holder',
    'heldUntil',
    'marks',
    'markedFor',
    ...OPTIONAL_ATTRIBUTES.filter((name) => !(name in attributes)),
  ];
  const values = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value]));
  return {
    expression: `SET ${set.join(', ')} REMOVE ${removed.join(', ')}`,
    condition: 'holder = :lastHolder AND (attribute_not_exists(marks) OR marks <= :covered)',
    values: { ...values, ':covered': { N: `${coveredMarks}` } },
  };
}

const OPTIONAL_ATTRIBUTES = [
  'wakeAt',
  'overdueShard',
  'syncedFrom',
  'failedFrom',
  'seen',
  'waited',
  'intent',
  'intentAt',
  'expiresAt',
] as const;

function itemAttributes(
  key: WorkKey,
  { failures, wakeAtMs, syncedFromMs, failedFromMs, intent, seen, waited }: KeyItem,
  nowMs: number,
): Partial<Record<'failures' | (typeof OPTIONAL_ATTRIBUTES)[number], AttributeValue>> {
  const named = seen && encodeCauses(seen);
  const saysNothing = failures === 0 && wakeAtMs === undefined && !intent;
  return {
    failures: { N: `${failures}` },
    ...(wakeAtMs !== undefined && { wakeAt: { N: `${wakeAtMs}` }, overdueShard: { S: overdueShardOf(key) } }),
    ...(syncedFromMs !== undefined && { syncedFrom: { N: `${syncedFromMs}` } }),
    ...(failedFromMs !== undefined && { failedFrom: { N: `${failedFromMs}` } }),
    ...(named !== undefined && { seen: { S: named } }),
    ...(waited && { waited: { S: encodeWaits(waited) } }),
    ...(saysNothing && { expiresAt: { N: `${Math.ceil((nowMs + FORGET_AFTER_MS) / 1000)}` } }),
  };
}
