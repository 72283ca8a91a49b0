import type { EndpointSubset } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isDns1123Label, isValidPortNumber } from '../../../objects/nameFormats.ts';
import { all, type Check, dnsLabel, dnsSubdomain, fields, ifPresent, ifSet, items } from '../checks.ts';
import { appProtocol, ipAddress, protocol, reachable } from './endpointChecks.ts';
import { invalidEach, required } from '../fieldErrors.ts';
import { fieldsOf, itemsOf, numberOf, textOf } from '../fieldsOf.ts';

/** Returns the errors of new Endpoints, except those of their metadata, as upstream's `ValidateEndpoints`. Pure. */
export function validateEndpoints(endpoints: KubernetesObject): FieldError[] {
  return items(subset)(endpoints['subsets'], 'subsets');
}

/** Subsets that stay may be older than the rules. */
export function validateEndpointsUpdate(endpoints: KubernetesObject, old: KubernetesObject): FieldError[] {
  return jsonEqual(endpoints['subsets'] ?? [], old['subsets'] ?? []) ? [] : validateEndpoints(endpoints);
}

const address: Check = all(
  fields({ ip: ipAddress, hostname: ifSet(dnsLabel), nodeName: ifPresent(dnsSubdomain) }),
  fields({ ip: reachable }),
);

const subset: Check = (value, path) => {
  const { addresses, notReadyAddresses, ports } = fieldsOf<EndpointSubset>(value);
  const isEmpty = itemsOf(addresses).length === 0 && itemsOf(notReadyAddresses).length === 0;
  return [
    ...(isEmpty ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...items(address)(addresses, `${path}.addresses`),
    ...items(address)(notReadyAddresses, `${path}.notReadyAddresses`),
    ...items(portOf(itemsOf(ports).length > 1))(ports, `${path}.ports`),
  ];
};

/** Several ports need names. */
function portOf(needsName: boolean): Check {
  const name: Check = (value, path) => {
    const text = textOf(value);
    if (text !== '') return invalidEach(path, text, isDns1123Label(text));
    return needsName ? [required(path)] : [];
  };
  const port: Check = (value, path) => invalidEach(path, numberOf(value), isValidPortNumber(numberOf(value)));
  return fields({ name, port, protocol, appProtocol });
}
