import { type AddressRange, parseAddressRange } from '../../../objects/addresses/AddressRange.ts';
import { hasLeadingZeros, isMappedAddress, parseIpAddress } from '../../../objects/addresses/IpAddress.ts';
import type { Check } from '../checks.ts';
import { invalid } from '../fieldErrors.ts';
import { textOf } from '../fieldsOf.ts';

/*
 * Fields that took addresses in odd forms before Kubernetes 1.36 still take those that the old object has: upstream's `IsValidIPForLegacyField` and `IsValidCIDRForLegacyField`.
 */

/** An address without leading zeros that is not an IPv4 address in the form of an IPv6 one. What is in `kept` may stay. */
export function addressOrKept(kept: readonly string[]): Check {
  return (value, path) => {
    const text = textOf(value);
    const detail = kept.includes(text) ? undefined : addressProblem(text);
    return detail === undefined ? [] : [invalid(path, text, detail)];
  };
}

function addressProblem(text: string): string | undefined {
  if (!parseIpAddress(text)) return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  if (hasLeadingZeros(text)) return 'must not have leading 0s';
  return isMappedAddress(text) ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

/** A subnet without leading zeros and without bits beyond its length. What is in `kept` may stay. */
export function rangeOrKept(kept: readonly string[]): Check {
  return (value, path) => {
    const text = textOf(value);
    const detail = kept.includes(text) ? undefined : rangeProblem(text, parseAddressRange(text));
    return detail === undefined ? [] : [invalid(path, text, detail)];
  };
}

function rangeProblem(text: string, range: AddressRange | undefined): string | undefined {
  if (!range) return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  const [address = '', length = ''] = text.split('/');
  if (hasLeadingZeros(address) || /^0\d/.test(length)) return 'must not have leading 0s in IP or prefix length';
  if (isMappedAddress(address)) return 'must not have an IPv4-mapped IPv6 address';
  return range.address.bits === range.first ? undefined : 'must not have bits set beyond the prefix length';
}
