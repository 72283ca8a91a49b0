import { type IpAddress, parseIpAddress } from './IpAddress.ts';

/** A subnet as it is written, `10.96.0.0/12`: its address may have bits beyond its length. */
export interface AddressRange {
  readonly text: string;
  readonly address: IpAddress;
  readonly length: number;
  /** Its first address. */
  readonly first: bigint;
  /** How many addresses it has. */
  readonly size: bigint;
}

/** Parses a subnet as Kubernetes does, with zeros before its numbers. `undefined` for anything else. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [, place = '', digits = ''] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  const address = parseIpAddress(place);
  const length = Number(digits);
  if (!address || length > (place.includes(':') ? 128 : 32)) return undefined;
  // An IPv4 address that is written as an IPv6 one has a length of 128 bits.
  const own = address.family === 4 && place.includes(':') ? Math.max(length - 96, 0) : length;
  const rest = BigInt((address.family === 4 ? 32 : 128) - own);
  return { text, address, length: own, first: (address.bits >> rest) << rest, size: 1n << rest };
}
