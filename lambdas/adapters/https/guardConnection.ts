import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** Which hosts a connection may go to that an object names. */
export interface AllowedHosts {
  /** The host may be a name. Otherwise only an address is used, as it is. */
  readonly names: boolean;
  /** It may be on this machine. */
  readonly loopback: boolean;
}

/** The host is one that no connection of this kind may reach. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';

  constructor() {
    super('address not allowed');
  }
}

type Subnet = readonly [address: string, prefix: number];

const LOOPBACK: readonly Subnet[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];
/** The unspecified address, which the system takes for loopback; links, where a cloud's metadata service answers; and what is no host at all. */
const NEVER: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  // The services of an EC2 instance itself, with its metadata.
  ['fd00:ec2::', 32],
];
/** How an IPv6 address carries one of IPv4, beside `::ffff:`, which BlockList knows. A gateway may translate it. */
const CARRIERS = ['::', '64:ff9b::', '::ffff:0:'];
const CARRIER_BITS = 96;

const loopback = blockListOf(LOOPBACK);
const never = blockListOf(NEVER);

/**
 * Returns the options of a connection to a host that an object names. A name is resolved once, by the connection itself, and each of its addresses is compared as a number: whatever way a text has of
 * writing loopback, the connection does not go there. It fails with a ForbiddenAddressError then; for an address, and for a name where only addresses are allowed, this function throws it.
 */
export function guardConnection(
  host: string,
  allowed: AllowedHosts,
): { readonly host: string; readonly lookup: LookupFunction } {
  const isAddress = isIP(host) !== 0;
  if (isAddress ? !isAllowed(host, allowed) : !allowed.names) throw new ForbiddenAddressError();
  return { host, lookup: guardedLookup(allowed) };
}

function guardedLookup(allowed: AllowedHosts): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address, allowed)))
        return callback(new ForbiddenAddressError(), []);
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
}

function isAllowed(address: string, allowed: AllowedHosts): boolean {
  return !isIn(never, address) && (allowed.loopback || !isIn(loopback, address));
}

/** The zone after a `%` is a name of the machine's link, and no part of the number. */
function isIn(list: BlockList, address: string): boolean {
  const [number = ''] = address.split('%', 1);
  return list.check(number, isIPv4(number) ? 'ipv4' : 'ipv6');
}

function blockListOf(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) {
    if (!isIPv4(address)) list.addSubnet(address, prefix, 'ipv6');
    else {
      list.addSubnet(address, prefix, 'ipv4');
      for (const carrier of CARRIERS) list.addSubnet(carrier + address, CARRIER_BITS + prefix, 'ipv6');
    }
  }
  return list;
}
