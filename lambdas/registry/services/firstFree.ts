import type { AddressRange } from '../../objects/addresses/AddressRange.ts';
import { formatIpAddress } from '../../objects/addresses/IpAddress.ts';
import { fnv1a } from '../../objects/fnv1a.ts';
import { type Holding, portHolding } from './Holding.ts';
import type { PortRange } from './ServiceNetwork.ts';

/** Kubernetes leaves a sixteenth of a range, and at most so many addresses, to Services that choose their own. */
const MAX_BAND = 256n;

/**
 * Returns the first free address after a start that depends on the seed; `undefined` if the range is full. Addresses that Services tend to choose themselves come last. It looks at no more addresses than are held and one.
 */
export function firstFree(range: AddressRange, seed: string, held: ReadonlySet<Holding>): string | undefined {
  for (const place of placesOf(range, seed)) {
    const text = formatIpAddress({ bits: range.first + place, family: range.address.family });
    if (!held.has(`ip/${text}`)) return text;
  }
  return undefined;
}

/** The places of a range that a Service can have, in the order in which they are tried: not the network's own address, and not that for broadcasts, which IPv4 has. */
function* placesOf({ address, size }: AddressRange, seed: string): Generator<bigint> {
  const band = atLeastOne(size / 16n > MAX_BAND ? MAX_BAND : size / 16n);
  const count = size - 2n * band;
  const start = BigInt(fnv1a(seed)) % atLeastOne(count);
  for (let step = 0n; step < count; step += 1n) yield band + ((start + step) % count);
  const end = address.family === 4 ? size - 1n : size;
  for (let place = size - band; place < end; place += 1n) yield place;
  for (let place = 1n; place < band; place += 1n) yield place;
}

function atLeastOne(count: bigint): bigint {
  return count < 1n ? 1n : count;
}

/** Returns the first free port after one that depends on the seed; `undefined` if all are held. */
export function firstFreePort(
  { first, last }: PortRange,
  seed: string,
  held: ReadonlySet<Holding>,
): number | undefined {
  const count = last - first + 1;
  const start = fnv1a(seed) % count;
  for (let step = 0; step < count; step += 1) {
    const port = first + ((start + step) % count);
    if (!held.has(portHolding(port))) return port;
  }
  return undefined;
}
