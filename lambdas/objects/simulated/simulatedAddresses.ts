import { stableInteger } from '../stableHash.ts';

/**
 * The addresses of simulated nodes and pods lie in 198.18.0.0/15, which RFC 2544 sets aside for benchmarks. No host of the internet and of usual private networks has one, so a program that dials an address which it has read
 * from a pod or a node reaches nobody. The lower half belongs to the pods.
 */
export const POD_NETWORK = '198.18.0.0/16';

/** The largest prime below the number of the pods' addresses, which is 256 × 254. Versions that are drawn in steps of any size visit so many addresses before one comes again. */
const POD_ADDRESSES = 65_011;

/**
 * Returns a pod's address. It is derived from the version of the pod's last write, which no other pod has, so no store of addresses is needed: two pods share an address only if 65,011 writes of pods lie between the writes
 * from which they were derived. Without a version it is derived from the UID. Pure.
 */
export function simulatedPodAddress({ resourceVersion, uid }: { resourceVersion?: string; uid: string }): string {
  const version = Number(resourceVersion);
  const place = (Number.isSafeInteger(version) && version > 0 ? version : stableInteger('ip', uid)) % POD_ADDRESSES;
  return `198.18.${Math.floor(place / 254)}.${1 + (place % 254)}`;
}

/** Returns the address of the simulated node with this number, which counts from 1. Pure. */
export function simulatedNodeAddress(number: number): string {
  return `198.19.${(number >>> 8) & 0x7f}.${number & 0xff}`;
}

/** Returns an address for a node that has none, or that does not exist. Pure. */
export function madeUpNodeAddress(nodeName: string): string {
  const hash = stableInteger(nodeName);
  return `198.19.${128 + ((hash >>> 8) & 0x7f)}.${1 + (hash % 254)}`;
}
