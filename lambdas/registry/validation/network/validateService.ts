import { isIP } from 'node:net';
import type { Service as ApiService, ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../../objects/KubernetesObject.ts';
import { isDns1123Subdomain, isValidPortName, isValidPortNumber } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  dnsLabel,
  fields,
  given,
  ifSet,
  items,
  matching,
  nonEmptyList,
  nonEmptyText,
  requiredEnum,
  when,
} from '../checks.ts';
import { duplicate, invalid, invalidEach } from '../fieldErrors.ts';
import { itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { validateLabels } from '../validateLabels.ts';

const port: Check = (value, path) => invalidEach(path, numberOf(value), isValidPortNumber(numberOf(value)));
const targetPort: Check = (value, path) =>
  invalidEach(path, value, typeof value === 'string' ? isValidPortName(value) : isValidPortNumber(Number(value)));
const protocol = requiredEnum('SCTP', 'TCP', 'UDP');

/** Several ports need names. */
function servicePort(needsName: boolean): Check {
  const name = needsName ? nonEmptyText('', dnsLabel) : ifSet(dnsLabel);
  return fields<ServicePort>({ name, port, protocol, targetPort });
}

/** No two ports have the same name, or the same number and protocol. */
const distinctPorts: Check = (ports, path) => {
  const [names, numbers] = [new Set<string>(), new Set<string>()];
  return itemsOf<ServicePort>(ports).flatMap(({ name, port: number, protocol: of }, index) => {
    const [text, key] = [textOf(name), `${textOf(of)}/${String(number)}`];
    const errors = [
      ...(text !== '' && names.has(text) ? [duplicate(`${path}[${index}].name`, text)] : []),
      ...(numbers.has(key) ? [duplicate(`${path}[${index}]`, { port: number, protocol: textOf(of) })] : []),
    ];
    names.add(text);
    numbers.add(key);
    return errors;
  });
};

const clusterIP = matching(
  (address) => address === '' || address === 'None' || isIP(address) !== 0,
  'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
);
const externalName: Check = nonEmptyText('', (value, path) => {
  const name = textOf(value).replace(/\.$/, '');
  return invalidEach(path, name, isDns1123Subdomain(name));
});

const spec = given<ServiceSpec>((service) => {
  const isExternal = service.type === 'ExternalName';
  const needsPorts = !isExternal && service.clusterIP !== 'None';
  const each = items(servicePort(itemsOf(service.ports).length > 1));
  return all(
    fields<ServiceSpec>({
      ports: all(when(needsPorts, nonEmptyList()), each, distinctPorts),
      selector: validateLabels,
      sessionAffinity: requiredEnum('ClientIP', 'None'),
      type: requiredEnum('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
    }),
    () => clusterIP(service.clusterIP, 'spec.clusterIPs[0]'),
    fields<ServiceSpec>({ externalName: when(isExternal, externalName) }),
  );
});

/** Returns the errors of a service, except those of its metadata. Pure. */
export function validateService(object: KubernetesObject): FieldError[] {
  return spec(object['spec'], 'spec');
}

/** Returns the errors of a changed service. Its cluster IP cannot change. Pure. */
export function validateServiceUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now, before] = [object, old].map((one) => (one as Stored<ApiService>).spec ?? {}) as [
    ServiceSpec,
    ServiceSpec,
  ];
  const keeps = now.type !== 'ExternalName' && before.type !== 'ExternalName' && (before.clusterIP ?? '') !== '';
  return [
    ...(keeps && now.clusterIP !== before.clusterIP
      ? [invalid('spec.clusterIPs[0]', [now.clusterIP], 'may not change once set')]
      : []),
    ...validateService(object),
  ];
}
