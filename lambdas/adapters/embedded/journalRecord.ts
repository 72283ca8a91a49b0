import type { GroupResource } from '../../objects/ObjectKey.ts';
import { addChecksum, removeChecksum } from './checksum.ts';
import type { JournalEntry, NewEntry } from './Journal.ts';
import { DatabaseDamage } from './LmdbFile.ts';

export const FORMAT_KEY = 'format';
/** Format 2 gave each record a checksum. Records of format 1 are read as they are, and may stand among those of format 2. */
export const FORMAT = '2';
export const FLOOR_PREFIX = 'floor:';

export function isKnownFormat(format: string): boolean {
  return format === '1' || format === FORMAT;
}

/** Encodes an entry as JSON without its version, which is the key. */
export function encodeEntry({ entry, json }: NewEntry): string {
  const { version, trace: _, ...rest } = entry;
  if (rest.type !== 'PUT') return addChecksum(version, JSON.stringify(rest));
  const { object, bytes: __, ...place } = rest;
  return addChecksum(version, `${JSON.stringify(place).slice(0, -1)},"object":${json ?? JSON.stringify(object)}}`);
}

export function encodeFloor(resource: GroupResource, floor: number): [key: string, value: string] {
  const key = FLOOR_PREFIX + resource;
  return [key, addChecksum(key, String(floor))];
}

/** Throws a DatabaseDamage if the floor is not as it was written. */
export function decodeFloor(key: string, value: string): readonly [GroupResource, number] {
  const floor = explained(`record ${key}`, () => Number(removeChecksum(key, value)));
  if (!Number.isSafeInteger(floor)) throw new DatabaseDamage(`record ${key} of its journal is damaged`);
  return [key.slice(FLOOR_PREFIX.length), floor];
}

/**
 * Decodes a key as LMDB's pages hold it. A version is a number in lmdb's ordered binary: the digit 1 and the 16 hexadecimal digits of a float, without its last
 * zeros. So 12,345 (`40c81c80…`) is `140c81c8`. Any other key is text.
 */
export function decodeKey(key: Buffer): number | string {
  const digits = key.toString('hex').padEnd(17, '0');
  return digits.startsWith('1') ? Buffer.from(digits.slice(1, 17), 'hex').readDoubleBE() : key.toString();
}

/** Decodes any record of a journal, and returns its entry if it is one. Throws a DatabaseDamage if the record is not as it was written. */
export function decodeJournalRecord(key: unknown, value: string): { readonly entry?: JournalEntry } {
  if (typeof key === 'number') return { entry: decodeEntry(key, value) };
  if (key === FORMAT_KEY) return {};
  const name = String(key);
  if (!name.startsWith(FLOOR_PREFIX)) throw new DatabaseDamage('the key of a record of its journal is damaged');
  decodeFloor(name, value);
  return {};
}

function decodeEntry(version: number, value: string): JournalEntry {
  const parse = () => JSON.parse(removeChecksum(version, value)) as JournalEntry;
  const parsed = explained(`entry ${version}`, parse);
  const entry = { ...parsed, version, ...(parsed.type === 'PUT' && { bytes: value.length }) };
  const isWhole = entry.type === 'PUT' ? entry.object?.metadata?.name === entry.name : entry.uid !== undefined;
  if (!isWhole || !entry.resource) throw new DatabaseDamage(`entry ${version} of its journal is damaged`);
  return entry;
}

function explained<T>(record: string, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseDamage(`${record} of its journal is damaged: ${why}`, { cause });
  }
}
