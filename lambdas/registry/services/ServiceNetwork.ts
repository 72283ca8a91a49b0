import { type AddressRange, parseAddressRange } from '../../objects/addresses/AddressRange.ts';
import { formatIpAddress } from '../../objects/addresses/IpAddress.ts';

/** From what Services get addresses and ports: kube-apiserver's `--service-cluster-ip-range` and `--service-node-port-range`. */
export interface ServiceNetwork {
  /** One range, or one of each family. The first one's family is that of Services that name none. */
  readonly ranges: readonly AddressRange[];
  readonly nodePorts: PortRange;
}

/** Both ends are included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The ranges as they are written: `10.96.0.0/12,fd00:10:96::/112`, and `30000-32767`. */
export interface ServiceRanges {
  readonly clusterIps?: string | undefined;
  readonly nodePorts?: string | undefined;
}

/** kubeadm's service network, and Kubernetes' node ports. */
const DEFAULTS = { clusterIps: '10.96.0.0/12', nodePorts: '30000-32767' };

/** kube-apiserver's limit on the size of a range of IPv4; of one of IPv6 it uses no more. */
const MAX_HOST_BITS = 20;
/** An IPv4 range loses two addresses, and one more is the API server's. */
const MIN_ADDRESSES = 4n;

/** Parses the ranges of a cluster. Throws a TypeError that says what is wrong with them. */
export function parseServiceNetwork(given: ServiceRanges = {}): ServiceNetwork {
  const { clusterIps = DEFAULTS.clusterIps, nodePorts = DEFAULTS.nodePorts } = given;
  const ranges = clusterIps.split(',').map(parseRange);
  const families = new Set(ranges.map(({ address }) => address.family));
  if (families.size !== ranges.length)
    throw new TypeError(`The ranges of cluster IPs, ${clusterIps}, must be of different families.`);
  return { ranges, nodePorts: parsePorts(nodePorts) };
}

function parseRange(text: string): AddressRange {
  const range = parseAddressRange(text.trim());
  if (!range || range.address.bits !== range.first)
    throw new TypeError(`The range of cluster IPs, ${text}, must be a CIDR such as ${DEFAULTS.clusterIps}.`);
  const isHuge = range.address.family === 4 && range.size > 1n << BigInt(MAX_HOST_BITS);
  if (isHuge || range.size < MIN_ADDRESSES)
    throw new TypeError(
      `The range of cluster IPs, ${text}, must have between ${MIN_ADDRESSES} and 2^${MAX_HOST_BITS} addresses.`,
    );
  return range;
}

function parsePorts(text: string): PortRange {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text.trim()) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (first === undefined || range.first < 1 || range.last > 65_535 || range.first > range.last)
    throw new TypeError(`The range of node ports, ${text}, must be two ports such as ${DEFAULTS.nodePorts}.`);
  return range;
}

export const DEFAULT_SERVICE_NETWORK = parseServiceNetwork();

/** The address of the API server inside of its own cluster: the first that a Service can have. */
export function apiServerAddress({ ranges: [range] }: ServiceNetwork): string {
  if (!range) throw new Error('a cluster has a range of addresses');
  return formatIpAddress({ bits: range.first + 1n, family: range.address.family });
}
