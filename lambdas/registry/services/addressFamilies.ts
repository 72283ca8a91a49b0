import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { invalid } from '../validation/fieldErrors.ts';
import { textOf } from '../validation/fieldsOf.ts';
import { addressErrors, familyOf } from '../validation/network/serviceAddresses.ts';
import type { ServiceNetwork } from './ServiceNetwork.ts';

type Family = 'IPv4' | 'IPv6';

const POLICY = 'spec.ipFamilyPolicy';
const other = (family: string): Family => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/** The families of a cluster's ranges, its own family first. */
export function familiesOf({ ranges }: ServiceNetwork): readonly Family[] {
  return ranges.map(({ address }) => (address.family === 4 ? 'IPv4' : 'IPv6'));
}

/**
 * Decides the families of a Service and their policy, as the allocators of kube-apiserver do before they choose addresses. Changes the spec; the errors say what of it contradicts itself or the cluster. A change of a Service that
 * prefers both families leaves alone what it has.
 */
export function decideFamilies(spec: ServiceSpec, old: ServiceSpec | undefined, network: ServiceNetwork): FieldError[] {
  if (spec.type === 'ExternalName' || keepsPreference(spec, old)) return [];
  spec.ipFamilyPolicy ||= old?.ipFamilyPolicy ?? (isFree(spec) ? 'RequireDualStack' : 'SingleStack');
  const malformed = addressErrors(spec, old?.clusterIPs);
  if (malformed.length > 0) return malformed;
  const errors = [...releaseErrors(spec, old), ...singleErrors(spec), ...inferFamilies(spec, network)];
  if (errors.length > 0) return errors;
  return isFree(spec) ? completeFree(spec, network) : complete(spec, network);
}

/** True for a Service without addresses and without pods that are chosen: who manages its endpoints may use both families, whatever the cluster has. */
function isFree({ clusterIP, selector }: ServiceSpec): boolean {
  return clusterIP === 'None' && Object.keys(selector ?? {}).length === 0;
}

/** True for a change that leaves the addresses and families of a Service that prefers both families. The cluster may have got a second one since. */
export function keepsPreference(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  const prefers = (policy: string | undefined) => policy === 'PreferDualStack';
  if (!old || old.type !== spec.type || !prefers(spec.ipFamilyPolicy)) return false;
  if (old.ipFamilyPolicy !== undefined && !prefers(old.ipFamilyPolicy)) return false;
  return sameTexts(spec.clusterIPs, old.clusterIPs) && sameTexts(spec.ipFamilies, old.ipFamilies);
}

export function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

/** A change to one family drops the second, if nothing else is said of it. Any other change that drops something must say so. */
function releaseErrors(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (!old) return [];
  if (spec.ipFamilyPolicy === 'SingleStack') {
    for (const name of ['clusterIPs', 'ipFamilies'] as const) {
      const values = spec[name] ?? [];
      if (values.length > 1 && sameTexts(values, old[name])) spec[name] = values.slice(0, 1);
    }
    return [];
  }
  const names = { clusterIPs: 'cluster IP', ipFamilies: 'IP family' } as const;
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((name) => {
    const count = (spec[name] ?? []).length;
    if (count === 0 || count >= (old[name] ?? []).length) return [];
    return [invalid(POLICY, spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${names[name]}`)];
  });
}

function singleErrors({ ipFamilyPolicy, clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const several = [
    { is: clusterIPs.length === 2, what: 'cluster IPs' },
    { is: ipFamilies.length === 2, what: 'IP families' },
  ];
  const detail = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return several.flatMap(({ is, what }) =>
    is ? [invalid(POLICY, ipFamilyPolicy, `${detail} ${what} are specified`)] : [],
  );
}

/** Names the families of addresses that are given without. */
function inferFamilies(spec: ServiceSpec, network: ServiceNetwork): FieldError[] {
  const addresses = spec.clusterIPs ?? [];
  if (addresses[0] === 'None') return [];
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    if (index < (spec.ipFamilies ?? []).length) continue;
    const family = familyOf(address) ?? 'IPv4';
    if (familiesOf(network).includes(family)) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else errors.push(invalid(`spec.clusterIPs[${index}]`, addresses, `${family} is not configured on this cluster`));
  }
  return errors;
}

function completeFree(spec: ServiceSpec, network: ServiceNetwork): FieldError[] {
  const [first = 'IPv4'] = familiesOf(network);
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = [first];
  const [own = first, second] = spec.ipFamilies ?? [];
  if (second === undefined && spec.ipFamilyPolicy !== 'SingleStack') spec.ipFamilies = [own, other(own)];
  return [];
}

function complete(spec: ServiceSpec, network: ServiceNetwork): FieldError[] {
  const configured = familiesOf(network);
  const isSingle = configured.length < 2;
  const errors = [
    ...(spec.ipFamilyPolicy === 'RequireDualStack' && isSingle
      ? [invalid(POLICY, spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...(spec.ipFamilies ?? []).flatMap((family, index) =>
      configured.some((one) => one === textOf(family))
        ? []
        : [invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
  if (errors.length > 0) return errors;
  const [first = 'IPv4'] = configured;
  const families = (spec.ipFamilies ?? []).length === 0 ? [first] : (spec.ipFamilies ?? []);
  const [own = first] = families;
  const addsOther = spec.ipFamilyPolicy !== 'SingleStack' && families.length === 1 && !isSingle;
  spec.ipFamilies = addsOther ? [own, other(own)] : families;
  return [];
}
