import { createHash } from 'node:crypto';
import { NAME_ALPHABET } from '../../ports/Ids.ts';
import type { Intent } from '../../ports/KeyLocks.ts';

/** A pod that an intent names before it exists. */
export interface PlannedPod {
  readonly name: string;
  readonly uid: string;
}

/** Generated names end in so many letters, and a name with them is at most 63 long: apiserver's `names.SimpleNameGenerator`. */
export const SUFFIX_LENGTH = 5;
const MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH;
/** 27^5 suffixes, which is 3^15: any stride that 3 does not divide visits each once. */
const SUFFIXES = NAME_ALPHABET.length ** SUFFIX_LENGTH;

/** All pods that the intent names, in order. Pure. */
export function plannedPods(intent: Pick<Intent, 'id' | 'count'>, ownerName: string): PlannedPod[] {
  const path = suffixPath(intent.id);
  return Array.from({ length: intent.count }, (_, index) => planPod(intent.id, path, ownerName, index));
}

/**
 * Name and UID of the pod that stands at `index` of an intent: the same to every holder, for ever. Within one intent no name comes twice.
 * Pure.
 */
export function plannedPod(intent: Pick<Intent, 'id'>, ownerName: string, index: number): PlannedPod {
  return planPod(intent.id, suffixPath(intent.id), ownerName, index);
}

interface SuffixPath {
  readonly start: number;
  readonly stride: number;
}

/** Leads through all suffixes, from a place and by a stride that the id decides: spread like random ones, yet never twice the same. */
function suffixPath(id: string): SuffixPath {
  const seed = createHash('sha256').update(id).digest();
  return {
    start: seed.readUIntBE(0, 6) % SUFFIXES,
    stride: 3 * (seed.readUIntBE(6, 6) % (SUFFIXES / 3)) + 1,
  };
}

function planPod(id: string, { start, stride }: SuffixPath, ownerName: string, index: number): PlannedPod {
  const prefix = `${ownerName}-`.slice(0, MAX_PREFIX_LENGTH);
  return { name: `${prefix}${encodeSuffix((start + stride * index) % SUFFIXES)}`, uid: plannedUid(id, index) };
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
