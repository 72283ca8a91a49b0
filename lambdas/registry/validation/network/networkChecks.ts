import { BlockList, isIP } from 'node:net';
import {
  isDns1123Subdomain,
  isHttpPath,
  isPathSegmentName,
  isWildcardDns1123Subdomain,
} from '../../../objects/nameFormats.ts';
import { type Check, dnsSubdomain, fields, format, ifPresent, nonEmptyText } from '../checks.ts';
import { invalid, invalidEach, required } from '../fieldErrors.ts';
import { textOf } from '../fieldsOf.ts';

/** A host name, which may stand for every host below a domain. */
export const hostOrWildcard: Check = (value, path) => {
  const host = textOf(value);
  return invalidEach(path, host, host.includes('*') ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host));
};

/** A subnet as address and length: `10.9.8.0/24`. */
interface Subnet {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly length: number;
}

function parseSubnet(text: string): Subnet | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || Number(length) > (version === 4 ? 32 : 128)) return undefined;
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', length: Number(length) };
}

/** A subnet: `10.9.8.0/24`, `2001:db8::/64`. */
export const cidr: Check = (value, path) =>
  parseSubnet(textOf(value)) === undefined
    ? [invalid(path, textOf(value), 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
    : [];

/** True if both are subnets, and the first is inside of the second and smaller. */
export function isStrictlyInside(inner: string, outer: string): boolean {
  const [a, b] = [parseSubnet(inner), parseSubnet(outer)];
  if (!a || !b || a.family !== b.family || a.length <= b.length) return false;
  const list = new BlockList();
  list.addSubnet(b.address, b.length, b.family);
  return list.check(a.address, a.family);
}

/** A reference to an object of the same namespace by API group, kind and name. */
export const typedLocalReference: Check = fields({
  apiGroup: ifPresent(dnsSubdomain),
  kind: nonEmptyText('', format(isPathSegmentName)),
  name: nonEmptyText('', format(isPathSegmentName)),
});

/** A path below a domain that someone owns: `acme.io/foo`. */
export const domainPrefixedPath: Check = (value, path) => {
  const text = textOf(value);
  if (text === '') return [required(path)];
  const slash = text.indexOf('/');
  const [host, rest] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash <= 0 || rest === '') return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [...invalidEach(path, host, isDns1123Subdomain(host)), ...invalidEach(path, rest, isHttpPath(rest))];
};
