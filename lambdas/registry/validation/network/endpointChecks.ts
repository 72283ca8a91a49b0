import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { isDns1123Label, isDns1123Subdomain, isQualifiedName } from '../../../objects/nameFormats.ts';
import { type Check, enumOf, format, ifPresent, nonEmptyText } from '../checks.ts';
import { invalid, required } from '../fieldErrors.ts';
import { textOf } from '../fieldsOf.ts';

type Subnet = readonly [address: string, length: number];

/** Addresses that no endpoint can have, as others could not reach it there. */
const SPECIAL: readonly (readonly [detail: string, v4: Subnet, v6: Subnet])[] = [
  ['may not be in the loopback range (127.0.0.0/8, ::1/128)', ['127.0.0.0', 8], ['::1', 128]],
  ['may not be in the link-local range (169.254.0.0/16, fe80::/10)', ['169.254.0.0', 16], ['fe80::', 10]],
  ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)', ['224.0.0.0', 24], ['ff02::', 16]],
];
const RANGES = SPECIAL.map(([detail, v4, v6]) => {
  const range = new BlockList();
  range.addSubnet(...v4, 'ipv4');
  range.addSubnet(...v6, 'ipv6');
  return { detail, range };
});
const UNSPECIFIED = new BlockList();
UNSPECIFIED.addAddress('0.0.0.0', 'ipv4');
UNSPECIFIED.addAddress('::', 'ipv6');

/** An address at which others can reach an endpoint: upstream's `ValidateNonSpecialIP`. */
export const reachable: Check = (value, path) => {
  const address = textOf(value);
  const version = isIP(address);
  if (version === 0) return [invalid(path, address, 'must be a valid IP address')];
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const within = RANGES.filter(({ range }) => range.check(address, family)).map(({ detail }) => detail);
  const details = UNSPECIFIED.check(address, family) ? [`may not be unspecified (${address})`, ...within] : within;
  return details.map((detail) => invalid(path, address, detail));
};

/** A host name with a domain: upstream's `IsFullyQualifiedDomainName`. */
const qualifiedHost: Check = (value, path) => {
  const name = textOf(value).replace(/\.$/, '');
  if (textOf(value) === '') return [required(path)];
  const errors = isDns1123Subdomain(name);
  if (errors.length > 0) return [invalid(path, name, errors.join(','))];
  const labels = name.split('.');
  if (labels.length < 2)
    return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  const wrong = labels.find((label) => isDns1123Label(label).length > 0);
  return wrong === undefined ? [] : [invalid(path, wrong, isDns1123Label(wrong).join(','))];
};

/** The checks of an endpoint's address, by the type of its slice. */
export const ADDRESSES: Readonly<Record<string, Check>> = {
  IPv4: (value, path) => [
    ...(isIPv4(textOf(value)) ? [] : [invalid(path, value, 'must be a valid IPv4 address')]),
    ...reachable(value, path),
  ],
  IPv6: (value, path) => [
    ...(isIPv6(textOf(value)) ? [] : [invalid(path, value, 'must be a valid IPv6 address')]),
    ...reachable(value, path),
  ],
  FQDN: qualifiedHost,
};

/** An address of either family. */
export const ipAddress: Check = (value, path) =>
  isIP(textOf(value)) === 0
    ? [invalid(path, textOf(value), 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
    : [];

/** What the ports of Endpoints and of slices have in common, besides their names. */
export const protocol: Check = nonEmptyText('', enumOf('SCTP', 'TCP', 'UDP'));
export const appProtocol: Check = ifPresent(format(isQualifiedName));
