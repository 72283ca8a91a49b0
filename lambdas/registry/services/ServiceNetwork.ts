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

/** kubeadm's service network, and Kubernetes' node ports. */
const DEFAULT_CLUSTER_IPS = '10.96.0.0/12';
const DEFAULT_NODE_PORTS = '30000-32767';

/** kube-apiserver's limit on the size of a range of IPv4; of one of IPv6 it uses no more. */
const MAX_HOST_BITS = 20;
/** An IPv4 range loses two addresses, and one more is the API server's. */
const MIN_ADDRESSES = 4n;

/** Parses one range, or two of different families: `10.96.0.0/12,fd00:10:96::/112`. Throws a TypeError that says what the text must be. */
export function parseClusterIpRanges(text: string = DEFAULT_CLUSTER_IPS): readonly AddressRange[] {
  const ranges = text.split(',').map((part) => parseRange(part.trim(), text));
  if (new Set(ranges.map(({ address }) => address.family)).size !== ranges.length)
    throw new TypeError(`must be ranges of different families, not ${text}`);
  return ranges;
}

function parseRange(part: string, text: string): AddressRange {
  const range = parseAddressRange(part);
  if (!range || range.address.bits !== range.first)
    throw new TypeError(`must be a range such as ${DEFAULT_CLUSTER_IPS}, not ${text}`);
  const isHuge = range.address.family === 4 && range.size > 1n << BigInt(MAX_HOST_BITS);
  if (isHuge || range.size < MIN_ADDRESSES)
    throw new TypeError(`must have between ${MIN_ADDRESSES} and 2^${MAX_HOST_BITS} addresses, not ${text}`);
  return range;
}

/** Parses two ports, `30000-32767`. Throws a TypeError that says what the text must be. */
export function parseNodePortRange(text: string = DEFAULT_NODE_PORTS): PortRange {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text.trim()) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (first === undefined || range.first < 1 || range.last > 65_535 || range.first > range.last)
    throw new TypeError(`must be two ports such as ${DEFAULT_NODE_PORTS}, not ${text}`);
  return range;
}

export const DEFAULT_SERVICE_NETWORK: ServiceNetwork = {
  ranges: parseClusterIpRanges(),
  nodePorts: parseNodePortRange(),
};

/** The address of the API server inside of its own cluster: the first that a Service can have. */
export function apiServerAddress({ ranges: [range] }: ServiceNetwork): string {
  if (!range) throw new Error('a cluster has a range of addresses');
  return formatIpAddress({ bits: range.first + 1n, family: range.address.family });
}
