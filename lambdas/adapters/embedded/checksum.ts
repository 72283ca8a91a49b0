import zlib from 'node:zlib';
import { DatabaseDamage } from './LmdbFile.ts';

/** The mark of a text with a checksum. Texts of earlier releases have none: they are bare JSON, which never begins like this. */
const MARK = '2:';
const CHECKSUM_DIGITS = 8;
const TEXT_BEGINS = MARK.length + CHECKSUM_DIGITS + 1;

/** Adds a checksum to the text of a record: `2:1c291ca3:{…}`. It is the CRC-32 of the record's key and text, so a text under another key is noticed, too. */
export function addChecksum(key: string | number, text: string): string {
  return `${MARK}${checksum(key, text)}:${text}`;
}

export function hasChecksum(value: string): boolean {
  return value.startsWith(MARK);
}

/** Returns the text of a record; that of an earlier release, without checksum, as it is. Throws a DatabaseDamage if the text is not what was written under this key. */
export function removeChecksum(key: string | number, value: string): string {
  if (!hasChecksum(value)) return value;
  const text = value.slice(TEXT_BEGINS);
  if (value.slice(MARK.length, TEXT_BEGINS) === `${checksum(key, text)}:`) return text;
  throw new DatabaseDamage('its checksum is wrong');
}

function checksum(key: string | number, text: string): string {
  return crc32(text, crc32(`${key}:`, 0))
    .toString(16)
    .padStart(CHECKSUM_DIGITS, '0');
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** Computes the CRC-32 of the text's UTF-8 bytes, continuing from `start`, the CRC-32 of the bytes before. */
export function crc32ByTable(text: string, start: number): number {
  let crc = ~start;
  for (const byte of Buffer.from(text)) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

/** Node 20.15 and 22.2 brought `zlib.crc32`. */
const crc32: (text: string, start: number) => number = zlib.crc32 ?? crc32ByTable;
