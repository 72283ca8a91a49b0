import { isIP } from 'node:net';
import type { HostAlias, PodDNSConfig, PodDNSConfigOption } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { invalid, invalidEach, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf, textsOf } from '../fieldsOf.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_BYTES = 2_048;

/** Validates a pod's DNS configuration. With the policy None it must list a name server. */
export function validateDnsConfig(config: unknown, policy: string, path: string): FieldError[] {
  const { nameservers, searches, options } = fieldsOf<PodDNSConfig>(config);
  const servers = textsOf(nameservers);
  if (policy === 'None' && !isPresent(config)) {
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if (policy === 'None' && servers.length === 0) {
    return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  return [
    ...(servers.length > MAX_NAMESERVERS
      ? [invalid(`${path}.nameservers`, nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`)]
      : []),
    ...servers.flatMap((server, index) => validateIp(server, `${path}.nameservers[${index}]`)),
    ...validateSearches(textsOf(searches), `${path}.searches`),
    ...itemsOf<PodDNSConfigOption>(options).flatMap((option, index) =>
      textOf(option.name) === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
}

function validateSearches(searches: readonly string[], path: string): FieldError[] {
  const tooManyBytes = `must not have more than ${MAX_SEARCH_BYTES} characters (including spaces) in the search list`;
  return [
    ...(searches.length > MAX_SEARCHES
      ? [invalid(path, searches, `must not have more than ${MAX_SEARCHES} search paths`)]
      : []),
    ...(Buffer.byteLength(searches.join(' ')) > MAX_SEARCH_BYTES ? [invalid(path, searches, tooManyBytes)] : []),
    ...searches.flatMap((search, index) => {
      const name = search.replace(/\.$/, '');
      return invalidEach(`${path}[${index}]`, name, isDns1123Subdomain(name));
    }),
  ];
}

/** Validates the lines for the pod's hosts file. */
export function validateHostAliases(aliases: unknown, path: string): FieldError[] {
  return itemsOf<HostAlias>(aliases).flatMap((alias, index) => [
    ...validateIp(textOf(alias.ip), `${path}[${index}].ip`),
    ...textsOf(alias.hostnames).flatMap((name, place) =>
      invalidEach(`${path}[${index}].hostnames[${place}]`, name, isDns1123Subdomain(name)),
    ),
  ]);
}

export function validateIp(address: string, path: string): FieldError[] {
  if (isIP(address) !== 0) return [];
  return [invalid(path, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}
