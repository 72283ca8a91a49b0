import { isIPv4, isIPv6 } from 'node:net';

/** An address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly bits: bigint;
  readonly family: 4 | 6;
}

/** Zeros before the decimal parts of an address. */
const LEADING_ZEROS = /(^|\.)0+(?=\d)/g;

/**
 * Parses an address as Kubernetes does: with zeros before the decimal parts, which it has always ignored, and with an IPv4 address written as an IPv6 one, which is then IPv4. `undefined` for all else, zones
 * included.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const plain = text.includes(':') ? text : text.replace(LEADING_ZEROS, '$1');
  if (isIPv4(plain)) return { bits: bitsOfIpv4(plain), family: 4 };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const bits = bitsOfIpv6(text);
  return bits >> 32n === 0xffffn ? { bits: bits & 0xffff_ffffn, family: 4 } : { bits, family: 6 };
}

/** True for a decimal address with zeros before its parts: other software reads those as octal. */
export function hasLeadingZeros(text: string): boolean {
  return !text.includes(':') && text.replace(LEADING_ZEROS, '$1') !== text;
}

/** True for an IPv4 address that is written as an IPv6 one: `::ffff:10.0.0.1`. */
export function isMappedAddress(text: string): boolean {
  return text.includes(':') && parseIpAddress(text)?.family === 4;
}

/** The bits of a valid IPv4 address. */
export function bitsOfIpv4(text: string): bigint {
  return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

/** The bits of a valid IPv6 address. */
export function bitsOfIpv6(text: string): bigint {
  const v4 = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const hex = (high: string | undefined, low: string | undefined) => (Number(high) * 256 + Number(low)).toString(16);
  const plain = v4 === null ? text : `${v4[1]}${hex(v4[2], v4[3])}:${hex(v4[4], v4[5])}`;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const words =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return words.reduce((sum, word) => sum * 65_536n + BigInt(`0x${word}`), 0n);
}

/** Prints an address in its canonical form: the longest run of zeros is `::`. */
export function formatIpAddress({ bits, family }: IpAddress): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const words = Array.from({ length: 8 }, (_, index) => (bits >> BigInt(112 - index * 16)) & 0xffffn);
  const text = words.map((word) => word.toString(16)).join(':');
  const runs = text.match(/(?:^|(?<=:))0(?::0)+(?![^:])/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const start = text.search(new RegExp(`(?:^|(?<=:))${longest}(?![^:])`));
  return `${text.slice(0, start).replace(/:$/, '')}::${text.slice(start + longest.length).replace(/^:/, '')}`;
}
