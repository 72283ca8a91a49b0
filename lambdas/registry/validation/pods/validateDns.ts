import { isIP } from 'node:net';
import type * as core from 'kubernetes-types/core/v1.js';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { all, at, type Check, dnsSubdomain, fields, items, matching, missing } from '../checks.ts';
import { invalid, invalidEach, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf, textsOf } from '../fieldsOf.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_BYTES = 2_048;

export const validateIp: Check = matching(
  (address) => isIP(address) !== 0,
  'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
);

function atMostTexts(most: number, what: string): Check {
  return (value, path) =>
    textsOf(value).length > most ? [invalid(path, textsOf(value), `must not have more than ${most} ${what}`)] : [];
}

const searchBytes: Check = (value, path) => {
  const tooMany = `must not have more than ${MAX_SEARCH_BYTES} characters (including spaces) in the search list`;
  return Buffer.byteLength(textsOf(value).join(' ')) > MAX_SEARCH_BYTES ? [invalid(path, textsOf(value), tooMany)] : [];
};

const searchDomain: Check = (value, path) => {
  const name = textOf(value).replace(/\.$/, '');
  return invalidEach(path, name, isDns1123Subdomain(name));
};

const dnsConfig = fields<core.PodDNSConfig>({
  nameservers: all(atMostTexts(MAX_NAMESERVERS, 'nameservers'), items(validateIp)),
  searches: all(atMostTexts(MAX_SEARCHES, 'search paths'), searchBytes, items(searchDomain)),
  options: items((option, path) =>
    textOf(fieldsOf<core.PodDNSConfigOption>(option).name) === '' ? [required(path, 'must not be empty')] : [],
  ),
});

/** A pod's DNS configuration. With the policy None it must list a name server. */
export function validateDnsConfig(policy: string): Check {
  return (config, path) => {
    const isNone = policy === 'None';
    const hasServers = textsOf(fieldsOf<core.PodDNSConfig>(config).nameservers).length > 0;
    if (isNone && !isPresent(config)) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    const needed = missing('must provide at least one DNS nameserver when `dnsPolicy` is None');
    return isNone && !hasServers ? at('.nameservers', needed)(config, path) : dnsConfig(config, path);
  };
}

/** The lines for the pod's hosts file. */
export const validateHostAliases = items(fields<core.HostAlias>({ ip: validateIp, hostnames: items(dnsSubdomain) }));
