import { isIPv4, isIPv6 } from 'node:net';
import { bitsOfIpv4, bitsOfIpv6, formatIpAddress } from '../../../objects/addresses/IpAddress.ts';
import { parseUrl } from '../../apiextensions/values/parseUrl.ts';
import { CelError, CelList, CelMap, type CelResult, LiteralMap } from '../evaluate/CelValue.ts';
import { CidrValue, IpValue, UrlValue } from '../evaluate/LibraryValue.ts';
import { type Overload, overload } from './Overload.ts';

/** Kubernetes' libraries of IP addresses, CIDRs and URLs. */
export const NETWORK: readonly Overload[] = [
  overload('string_to_ip', 'ip', '(string) net.IP', (text: string) => parseIp(text)),
  overload('is_ip', 'isIP', '(string) bool', (text: string) => parseIp(text) instanceof IpValue),
  overload('ip_is_canonical', 'ip.isCanonical', '(string) bool', isCanonical),
  overload('ip_family', 'family', 'net.IP.() int', (ip: IpValue) => BigInt(ip.family)),
  overload('ip_is_unspecified', 'isUnspecified', 'net.IP.() bool', (ip: IpValue) => ip.bits === 0n),
  overload('ip_is_loopback', 'isLoopback', 'net.IP.() bool', isLoopback),
  overload('ip_is_link_local_multicast', 'isLinkLocalMulticast', 'net.IP.() bool', isLinkLocalMulticast),
  overload('ip_is_link_local_unicast', 'isLinkLocalUnicast', 'net.IP.() bool', isLinkLocalUnicast),
  overload('ip_is_global_unicast', 'isGlobalUnicast', 'net.IP.() bool', isGlobalUnicast),
  overload('ip_to_string', 'string', '(net.IP) string', formatIpAddress),
  overload('string_to_cidr', 'cidr', '(string) net.CIDR', (text: string) => parseCidr(text)),
  overload('is_cidr', 'isCIDR', '(string) bool', (text: string) => parseCidr(text) instanceof CidrValue),
  overload('cidr_contains_ip_string', 'containsIP', 'net.CIDR.(string) bool', (cidr: CidrValue, text: string) => {
    const ip = parseIp(text);
    return ip instanceof IpValue ? containsIp(cidr, ip) : ip;
  }),
  overload('cidr_contains_ip_ip', 'containsIP', 'net.CIDR.(net.IP) bool', containsIp),
  overload('cidr_contains_cidr_string', 'containsCIDR', 'net.CIDR.(string) bool', (cidr: CidrValue, text: string) => {
    const other = parseCidr(text);
    return other instanceof CidrValue ? containsCidr(cidr, other) : other;
  }),
  overload('cidr_contains_cidr', 'containsCIDR', 'net.CIDR.(net.CIDR) bool', containsCidr),
  overload('cidr_ip', 'ip', 'net.CIDR.() net.IP', (cidr: CidrValue) => cidr.ip),
  overload('cidr_prefix_length', 'prefixLength', 'net.CIDR.() int', (cidr: CidrValue) => BigInt(cidr.prefixLength)),
  overload('cidr_masked', 'masked', 'net.CIDR.() net.CIDR', masked),
  overload(
    'cidr_to_string',
    'string',
    '(net.CIDR) string',
    (cidr: CidrValue) => `${formatIpAddress(cidr.ip)}/${cidr.prefixLength}`,
  ),
  overload('string_to_url', 'url', '(string) kubernetes.URL', toUrl),
  overload('is_url_string', 'isURL', '(string) bool', (text: string) => parseUrl(text) !== undefined),
  overload('url_get_scheme', 'getScheme', 'kubernetes.URL.() string', ({ url }: UrlValue) => url.scheme),
  overload('url_get_host', 'getHost', 'kubernetes.URL.() string', ({ url }: UrlValue) => url.host),
  overload('url_get_hostname', 'getHostname', 'kubernetes.URL.() string', ({ url }: UrlValue) =>
    url.host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'),
  ),
  overload(
    'url_get_port',
    'getPort',
    'kubernetes.URL.() string',
    ({ url }: UrlValue) => /:(\d*)$/.exec(url.host)?.[1] ?? '',
  ),
  overload('url_get_escaped_path', 'getEscapedPath', 'kubernetes.URL.() string', ({ url }: UrlValue) => url.path),
  overload('url_get_query', 'getQuery', 'kubernetes.URL.() map(string, list(string))', queryOf),
];

/** Parses an address strictly: no zone, no leading zeros, no IPv4 within IPv6. */
function parseIp(text: string): IpValue | CelError {
  if (isIPv4(text)) {
    return new IpValue(bitsOfIpv4(text), 4);
  }
  if (!isIPv6(text))
    return new CelError(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    );
  if (text.includes('%')) return new CelError(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  const bits = bitsOfIpv6(text);
  return bits >> 32n === 0xffffn
    ? new CelError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
    : new IpValue(bits, 6);
}

function isCanonical(text: string): CelResult {
  const ip = parseIp(text);
  return ip instanceof IpValue ? formatIpAddress(ip) === text : ip;
}

/** True if the address begins with the bits of another. */
function startsWith({ bits, family }: IpValue, prefix: string): boolean {
  const cidr = parseCidr(prefix);
  return (
    cidr instanceof CidrValue &&
    cidr.ip.family === family &&
    networkBits(bits, cidr) === networkBits(cidr.ip.bits, cidr)
  );
}

function networkBits(bits: bigint, { ip, prefixLength }: CidrValue): bigint {
  return bits >> BigInt((ip.family === 4 ? 32 : 128) - prefixLength);
}

function isLoopback(ip: IpValue): boolean {
  return startsWith(ip, '127.0.0.0/8') || startsWith(ip, '::1/128');
}

function isLinkLocalMulticast(ip: IpValue): boolean {
  return startsWith(ip, '224.0.0.0/24') || (startsWith(ip, 'ff00::/8') && ((ip.bits >> 112n) & 0xfn) === 2n);
}

function isLinkLocalUnicast(ip: IpValue): boolean {
  return startsWith(ip, '169.254.0.0/16') || startsWith(ip, 'fe80::/10');
}

function isGlobalUnicast(ip: IpValue): boolean {
  const isMulticast = startsWith(ip, '224.0.0.0/4') || startsWith(ip, 'ff00::/8');
  const isBroadcast = ip.family === 4 && ip.bits === 0xffff_ffffn;
  return !isMulticast && !isBroadcast && ip.bits !== 0n && !isLoopback(ip) && !isLinkLocalUnicast(ip);
}

function parseCidr(text: string): CidrValue | CelError {
  const [address = '', length = '', ...rest] = text.split('/');
  const ip = parseIp(address);
  const isLength = rest.length === 0 && /^(?:0|[1-9]\d{0,2})$/.test(length);
  if (!(ip instanceof IpValue) || !isLength || Number(length) > (ip.family === 4 ? 32 : 128))
    return new CelError(
      `network address parse error during conversion from string: network address ${JSON.stringify(text)} is invalid`,
    );
  return new CidrValue(ip, Number(length));
}

function containsIp(cidr: CidrValue, ip: IpValue): boolean {
  return ip.family === cidr.ip.family && networkBits(ip.bits, cidr) === networkBits(cidr.ip.bits, cidr);
}

function containsCidr(cidr: CidrValue, other: CidrValue): boolean {
  return cidr.prefixLength <= other.prefixLength && containsIp(cidr, other.ip);
}

function masked({ ip, prefixLength }: CidrValue): CidrValue {
  const hostBits = BigInt((ip.family === 4 ? 32 : 128) - prefixLength);
  return new CidrValue(new IpValue((ip.bits >> hostBits) << hostBits, ip.family), prefixLength);
}

function toUrl(text: string): CelResult {
  const url = parseUrl(text);
  return url === undefined
    ? new CelError(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      )
    : new UrlValue(text, url);
}

function queryOf({ url }: UrlValue): CelMap {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.query)) values.set(name, [...(values.get(name) ?? []), value]);
  const result = new LiteralMap();
  for (const [name, list] of values) result.add(name, new CelList(list));
  return new CelMap(result);
}
