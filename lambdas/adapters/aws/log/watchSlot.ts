import { createHash } from 'node:crypto';
import type { WatchRequest } from '../../../ports/WatchSlots.ts';

/** What a taken slot tells of its watch. */
export interface WatchSlot {
  /** Until when it is taken, in milliseconds since the epoch. */
  readonly untilMs: number;
  readonly beganMs: number;
  /** Of a user's name, eight digits. */
  readonly user: string;
  readonly isOfOne: boolean;
}

/** A slot as it is stored: a number, whose whole part is `untilMs`. */
export type StoredSlot = string;

/** A watch may end a moment late. */
const MARGIN_MS = 5_000;
const LIFETIME_DIGITS = 6;
const USER_DIGITS = 8;
const NONCE_DIGITS = 9;
const FRACTION_DIGITS = LIFETIME_DIGITS + 1 + USER_DIGITS + NONCE_DIGITS;
const LONGEST_MS = 10 ** LIFETIME_DIGITS - 1;

/**
 * Encodes the slot of a watch that begins now. The whole part is all that a release before this one reads. The digits after the point say how long the watch lasts, whether it is of one object, and whose it is; the last
 * ones, drawn from `random` in [0, 1), distinguish claims of the same millisecond. 37 digits of the 38 that DynamoDB keeps.
 */
export function encodeWatchSlot(
  { user, isOfOne, lifetimeMs }: Pick<WatchRequest, 'user' | 'isOfOne' | 'lifetimeMs'>,
  nowMs: number,
  random: number,
): StoredSlot {
  const lastsMs = Math.min(Math.ceil(lifetimeMs) + MARGIN_MS, LONGEST_MS);
  const lifetime = `${lastsMs}`.padStart(LIFETIME_DIGITS, '0');
  // DynamoDB cuts zeros at the end, so the last digit is none.
  const nonce = `${Math.floor(random * 10 ** (NONCE_DIGITS - 1))}1`.padStart(NONCE_DIGITS, '0');
  return `${Math.floor(nowMs) + lastsMs}.${lifetime}${isOfOne ? 1 : 0}${userDigits(user)}${nonce}`;
}

/** Decodes a slot. Of one that a release before this one took, only `untilMs` is known: it counts as just begun. */
export function decodeWatchSlot(stored: StoredSlot): WatchSlot {
  const [whole = '', fraction = ''] = stored.split('.');
  const untilMs = Number(whole);
  if (fraction.length !== FRACTION_DIGITS) {
    return { untilMs, beganMs: Number.POSITIVE_INFINITY, user: '', isOfOne: false };
  }
  const userAt = LIFETIME_DIGITS + 1;
  return {
    untilMs,
    beganMs: untilMs - Number(fraction.slice(0, LIFETIME_DIGITS)),
    isOfOne: fraction[LIFETIME_DIGITS] === '1',
    user: fraction.slice(userAt, userAt + USER_DIGITS),
  };
}

/** Eight digits that stand for a user's name. */
export function userDigits(user: string): string {
  const hash = createHash('sha256').update(user).digest().readUInt32BE();
  return `${hash % 10 ** USER_DIGITS}`.padStart(USER_DIGITS, '0');
}
