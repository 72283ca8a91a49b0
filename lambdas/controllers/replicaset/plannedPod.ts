import { createHash } from 'node:crypto';
import { NAME_ALPHABET } from '../../ports/Ids.ts';
import type { Intent } from '../../ports/KeyLocks.ts';

/** A pod that an intent names before it exists. */
export interface PlannedPod {
  readonly name: string;
  readonly uid: string;
}

/** Generated names end in so many letters, and a name with them is at most 63 long: apiserver's `names.SimpleNameGenerator`. */
const SUFFIX_LENGTH = 5;
const MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH;
/** 27^5 suffixes, which is 3^15: any stride that 3 does not divide visits each once. */
const SUFFIXES = NAME_ALPHABET.length ** SUFFIX_LENGTH;

/**
 * Name and UID of the pod that stands at `index` of an intent: the same to every holder, for ever. Within one intent no name comes twice.
 * Pure.
 */
export function plannedPod(intent: Pick<Intent, 'id'>, ownerName: string, index: number): PlannedPod {
  return { name: plannedName(intent.id, ownerName, index), uid: plannedUid(intent.id, index) };
}

/** All pods that the intent names, in order. */
export function plannedPods(intent: Pick<Intent, 'id' | 'count'>, ownerName: string): PlannedPod[] {
  return Array.from({ length: intent.count }, (_, index) => plannedPod(intent, ownerName, index));
}

/** Steps through all suffixes from a place and by a stride that the id decides: spread like random ones, yet never twice the same. */
function plannedName(id: string, ownerName: string, index: number): string {
  const seed = createHash('sha256').update(id).digest();
  const start = seed.readUIntBE(0, 6) % SUFFIXES;
  const stride = 3 * (seed.readUIntBE(6, 6) % (SUFFIXES / 3)) + 1;
  const suffix = Number((BigInt(start) + BigInt(stride) * BigInt(index)) % BigInt(SUFFIXES));
  return `${`${ownerName}-`.slice(0, MAX_PREFIX_LENGTH)}${encodeSuffix(suffix)}`;
}

function encodeSuffix(value: number): string {
  let rest = value;
  let suffix = '';
  for (let place = 0; place < SUFFIX_LENGTH; place += 1) {
    suffix += NAME_ALPHABET[rest % NAME_ALPHABET.length];
    rest = Math.floor(rest / NAME_ALPHABET.length);
  }
  return suffix;
}

/** A UUID of version 8, which RFC 9562 leaves to whoever makes it. */
function plannedUid(id: string, index: number): string {
  const hash = createHash('sha256').update(`${id}/${index}`).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
