import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import { parseAddressRange } from '../../../objects/addresses/AddressRange.ts';
import {
  formatIpAddress,
  hasLeadingZeros,
  isMappedAddress,
  parseIpAddress,
} from '../../../objects/addresses/IpAddress.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { type Fields, fieldsOf, isPresent, textOf, textsOf } from '../fieldsOf.ts';

type Spec = Fields<ServiceSpec>;

const HINTS = 'service.kubernetes.io/topology-aware-hints';
const MODE = 'service.kubernetes.io/topology-mode';

/** Returns what a client is told of a valid Service: upstream's `GetWarningsForService`. Pure. */
export function serviceWarnings({ metadata, ...service }: KubernetesObject): string[] {
  const spec = fieldsOf<ServiceSpec>(service['spec']);
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  return [
    ...told(
      isPresent(fieldsOf<Record<string, unknown>>(metadata.annotations)[HINTS]),
      `annotation ${HINTS} is deprecated, please use ${MODE} instead`,
    ),
    ...(isHeadless ? headlessWarnings(spec) : addressWarnings(textsOf(spec.clusterIPs), 'spec.clusterIPs')),
    ...externalWarnings(spec, isHeadless),
    ...(textOf(spec.loadBalancerIP) === '' ? [] : addressWarning(textOf(spec.loadBalancerIP), 'spec.loadBalancerIP')),
    ...textsOf(spec.loadBalancerSourceRanges).flatMap((range, index) =>
      rangeWarning(range.trim(), `spec.loadBalancerSourceRanges[${index}]`),
    ),
    ...typeWarnings(spec),
  ];
}

function told(isSo: boolean, warning: string): string[] {
  return isSo ? [warning] : [];
}

function headlessWarnings(spec: Spec): string[] {
  return [
    ...told(textOf(spec.loadBalancerIP) !== '', 'spec.loadBalancerIP is ignored for headless services'),
    ...told(textsOf(spec.externalIPs).length > 0, 'spec.externalIPs is ignored for headless services'),
    ...told(spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'),
  ];
}

function externalWarnings(spec: Spec, isHeadless: boolean): string[] {
  const addresses = textsOf(spec.externalIPs);
  const isUsed = addresses.length > 0 && !isHeadless && spec.type !== 'ExternalName';
  return [
    ...addressWarnings(addresses, 'spec.externalIPs'),
    ...told(isUsed, 'spec.externalIPs is deprecated and may no longer be implemented in some clusters'),
  ];
}

function typeWarnings(spec: Spec): string[] {
  const isExternal = spec.type === 'ExternalName';
  return [
    ...told(
      isExternal && textsOf(spec.externalIPs).length > 0,
      'spec.externalIPs is ignored when spec.type is "ExternalName"',
    ),
    ...told(
      !isExternal && textOf(spec.externalName) !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ),
    ...told(
      fieldsOf<{ trafficDistribution: unknown }>(spec).trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ];
}

function addressWarnings(addresses: readonly string[], path: string): string[] {
  return addresses.flatMap((address, index) => addressWarning(address, `${path}[${index}]`));
}

/** Says of an address in an odd form what its usual form is. */
function addressWarning(text: string, path: string): string[] {
  const parsed = parseIpAddress(text);
  if (!parsed) return [];
  const usual = formatIpAddress(parsed);
  if (hasLeadingZeros(text) || isMappedAddress(text))
    return [`${path}: non-standard IP address "${text}" is invalid: use "${usual}"`];
  return told(usual !== text, `${path}: IPv6 address "${text}" should be in RFC 5952 canonical format ("${usual}")`);
}

function rangeWarning(text: string, path: string): string[] {
  const range = parseAddressRange(text);
  if (!range) return [];
  const { family, bits } = range.address;
  const [network, single] = [range.first, bits].map((one) => formatIpAddress({ bits: one, family }));
  const usual = `${network}/${range.length}`;
  const [address = '', length = ''] = text.split('/');
  const isAmbiguous = bits !== range.first;
  const isOdd = hasLeadingZeros(address) || isMappedAddress(address) || /^0\d/.test(length);
  return [
    ...told(
      isAmbiguous,
      `${path}: CIDR value "${text}" is ambiguous in this context (should be "${usual}" or "${single}/${family === 4 ? 32 : 128}"?)`,
    ),
    ...told(isOdd, `${path}: non-standard CIDR value "${text}" is invalid: use "${usual}"`),
    ...told(
      !isAmbiguous && !isOdd && usual !== text,
      `${path}: IPv6 CIDR value "${text}" should be in RFC 5952 canonical format ("${usual}")`,
    ),
  ];
}
