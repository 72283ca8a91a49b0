import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import { parseIpAddress } from '../../../objects/addresses/IpAddress.ts';
import type { FieldError } from '../../../objects/FieldError.ts';
import { oneInOrder, optionalEnum } from '../checks.ts';
import { duplicate, invalid, required } from '../fieldErrors.ts';
import { type Fields, isPresent, textOf, textsOf } from '../fieldsOf.ts';
import { addressOrKept } from './addressChecks.ts';

type Spec = Fields<ServiceSpec>;

const IPS = 'spec.clusterIPs';
const FAMILIES = 'spec.ipFamilies';
const POLICY = 'spec.ipFamilyPolicy';
const UNCHANGEABLE = 'may not change once set';
const MOST = 2;

/** True for a Service that wants no address of its own. */
export function isHeadless({ clusterIPs }: Spec): boolean {
  const addresses = textsOf(clusterIPs);
  return addresses.length === 1 && addresses[0] === 'None';
}

/** `IPv4` or `IPv6`. */
export function familyOf(address: string): 'IPv4' | 'IPv6' | undefined {
  const parsed = parseIpAddress(address);
  return parsed && (parsed.family === 4 ? 'IPv4' : 'IPv6');
}

/** `clusterIP` and the first of `clusterIPs` are the same. */
function unequalErrors({ clusterIP, clusterIPs }: Spec): FieldError[] {
  const [one, several] = [textOf(clusterIP), textsOf(clusterIPs)];
  if (one === '')
    return several.length === 0 ? [] : [invalid(IPS, several, 'must be empty when `clusterIP` is not specified')];
  if (several.length === 0) return [required(IPS)];
  return several[0] === one ? [] : [invalid(IPS, several, 'first value must match `clusterIP`')];
}

function familyErrors({ ipFamilies, ipFamilyPolicy }: Spec): FieldError[] {
  const named = textsOf(ipFamilies);
  return [
    ...named.flatMap((family, index) => {
      const path = `${FAMILIES}[${index}]`;
      const repeats = named.indexOf(family) < index;
      return [...oneInOrder('IPv4', 'IPv6')(family, path), ...(repeats ? [duplicate(path, family)] : [])];
    }),
    ...optionalEnum('PreferDualStack', 'RequireDualStack', 'SingleStack')(ipFamilyPolicy, POLICY),
  ];
}

/** The addresses one by one. `None` may be the only one. */
function formErrors(addresses: readonly string[], kept: readonly string[]): FieldError[] {
  return addresses.flatMap((address, index) => {
    if (index > 0 || address !== 'None') return addressOrKept(kept)(address, `${IPS}[${index}]`);
    return addresses.length > 1 ? [invalid(IPS, addresses, "'None' must be the first and only value")] : [];
  });
}

/** No two addresses of a family, and each of the family that is named in its place. */
function stackErrors(spec: Spec): FieldError[] {
  const addresses = textsOf(spec.clusterIPs);
  const named = isHeadless(spec) ? [] : textsOf(spec.ipFamilies);
  const isDual = addresses.length < MOST || new Set(addresses.map(familyOf)).size === MOST;
  return [
    ...(isDual ? [] : [invalid(IPS, addresses, 'may specify no more than one IP for each IP family')]),
    ...addresses.slice(0, named.length).flatMap((address, index) => {
      const family = named[index];
      if ((family !== 'IPv4' && family !== 'IPv6') || family === familyOf(address)) return [];
      const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
      return [invalid(`${IPS}[${index}]`, address, detail)];
    }),
  ];
}

/**
 * Returns the errors of a Service's addresses and families, in Kubernetes' order. The addresses in `kept` may stay in a form that new ones cannot have. Upstream's `ValidateServiceClusterIPsRelatedFields`. Pure.
 */
export function addressErrors(spec: Spec, kept: readonly string[] = []): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const addresses = textsOf(spec.clusterIPs);
  const misformed = formErrors(addresses, kept);
  const tooMany = addresses.length > MOST ? [invalid(IPS, addresses, `may only hold up to ${MOST} values`)] : [];
  return [
    ...unequalErrors(spec),
    ...familyErrors(spec),
    ...misformed,
    ...tooMany,
    ...(misformed.length > 0 ? [] : stackErrors(spec)),
  ];
}

/** Returns the errors of a change: the first address and the first family stay, and a second one may come, or go if the policy says so. Pure. */
export function changedAddressErrors(spec: Spec, old: Spec): FieldError[] {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return [];
  if (isHeadless(spec) && isHeadless(old)) return [];
  return [...changedIps(spec, old), ...(isHeadless(spec) === isHeadless(old) ? changedFamilies(spec, old) : [])];
}

function changedIps(spec: Spec, old: Spec): FieldError[] {
  const [now, before] = [textsOf(spec.clusterIPs), textsOf(old.clusterIPs)];
  if (now.length === before.length)
    return before.flatMap((address, index) =>
      address === now[index] ? [] : [invalid(`${IPS}[${index}]`, now, UNCHANGEABLE)],
    );
  if (now.length === 0) return [invalid(`${IPS}[0]`, now, 'primary clusterIP can not be unset')];
  const changed = before.length > 0 && now[0] !== before[0] ? [invalid(`${IPS}[0]`, now, UNCHANGEABLE)] : [];
  const isReleased = before.length > now.length && now.length === 1;
  return [...changed, ...(isReleased ? policyErrors(spec, 'clusterIP') : [])];
}

function changedFamilies(spec: Spec, old: Spec): FieldError[] {
  const [now, before] = [textsOf(spec.ipFamilies), textsOf(old.ipFamilies)];
  const first = `${FAMILIES}[0]`;
  if (now.length === before.length)
    return before.flatMap((family, index) => (family === now[index] ? [] : [invalid(first, now, UNCHANGEABLE)]));
  const addresses = textsOf(spec.clusterIPs);
  const isReleased = before.length > now.length;
  const unset = isReleased && addresses.length === 0 ? [invalid(first, now, 'primary ipFamily can not be unset')] : [];
  const isChanged = before.length > 0 && now.length > 0 && now[0] !== before[0];
  return [
    ...unset,
    // Kubernetes shows the addresses here.
    ...(isChanged ? [invalid(first, addresses, UNCHANGEABLE)] : []),
    ...(isReleased && now.length === 1 ? policyErrors(spec, 'ipFamily') : []),
  ];
}

function policyErrors({ ipFamilyPolicy }: Spec, released: string): FieldError[] {
  if (ipFamilyPolicy === 'SingleStack') return [];
  const shown = isPresent(ipFamilyPolicy) ? ipFamilyPolicy : null;
  return [invalid(POLICY, shown, `must be set to 'SingleStack' when releasing the secondary ${released}`)];
}
