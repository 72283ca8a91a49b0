import { createHash } from 'node:crypto';
import { NAME_ALPHABET } from '../../ports/Ids.ts';
import type { Intent } from '../../ports/KeyLocks.ts';

/** Where the pods of an intent belong, in the order of its pods: a part of its memory. Absent where the pods are all the same. */
export interface PlannedPlaces {
  /** The completion index of each pod of a Job, or the ordinal of each pod of a StatefulSet. */
  readonly indexes?: readonly number[] | undefined;
  /** The node of each pod of a DaemonSet. */
  readonly nodes?: readonly string[] | undefined;
}

/** A pod that an intent names before it exists. */
export interface PlannedPod {
  readonly name: string;
  readonly uid: string;
  /** For a pod of a Job with indexes. */
  readonly completionIndex?: number;
  /** For a pod of a DaemonSet: the node that it is meant for. */
  readonly nodeName?: string;
}

/** The length of a generated name's random part. The whole name has at most 63 characters: apiserver's `names.SimpleNameGenerator`. */
export const SUFFIX_LENGTH = 5;
const MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH;
/** There are 27^5 suffixes, which is 3^15. A stride that 3 does not divide visits each of them once. */
const SUFFIXES = NAME_ALPHABET.length ** SUFFIX_LENGTH;

/**
 * Returns all pods that the intent names, in order. Name and UID of a pod depend only on the intent's id and the pod's index: every sync computes the
 * same, for ever. No name comes twice within one intent. Pure.
 */
export function plannedPods(intent: Pick<Intent, 'id' | 'count' | 'memory'>, ownerName: string): PlannedPod[] {
  const { indexes, nodes }: PlannedPlaces = intent.memory ?? {};
  const path = suffixPath(intent.id);
  return Array.from({ length: intent.count }, (_, nth) => {
    const completionIndex = indexes?.[nth];
    const nodeName = nodes?.[nth];
    const name = `${namePrefix(ownerName, completionIndex)}${nthSuffix(path, nth)}`;
    return {
      name,
      uid: plannedUid(intent.id, nth),
      ...(completionIndex !== undefined && { completionIndex }),
      ...(nodeName !== undefined && { nodeName }),
    };
  });
}

interface SuffixPath {
  readonly start: number;
  readonly stride: number;
}

/** Derives from the id a start and a stride through all suffixes. The suffixes are spread like random ones, and none comes twice. */
function suffixPath(id: string): SuffixPath {
  const seed = createHash('sha256').update(id).digest();
  return {
    start: seed.readUIntBE(0, 6) % SUFFIXES,
    stride: 3 * (seed.readUIntBE(6, 6) % (SUFFIXES / 3)) + 1,
  };
}

/** `web-`, or `web-3-` for completion index 3 of a Job: `podGenerateNameWithIndex`. Only the owner's name is cut. */
function namePrefix(ownerName: string, completionIndex: number | undefined): string {
  if (completionIndex === undefined) return `${ownerName}-`.slice(0, MAX_PREFIX_LENGTH);
  const end = `-${completionIndex}-`;
  return `${ownerName.slice(0, MAX_PREFIX_LENGTH - end.length)}${end}`;
}

function nthSuffix({ start, stride }: SuffixPath, nth: number): string {
  return encodeSuffix((start + stride * nth) % SUFFIXES);
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

/** Returns a UUID of version 8, whose content RFC 9562 leaves to the application: always the same for this id and index. Pure. */
export function plannedUid(id: string, index: number): string {
  const hash = createHash('sha256').update(`${id}/${index}`).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
