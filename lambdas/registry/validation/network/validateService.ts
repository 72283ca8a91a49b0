import { isIP } from 'node:net';
import type { Service as ApiService, ServicePort } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../../objects/KubernetesObject.ts';
import {
  isDns1123Label,
  isDns1123Subdomain,
  isValidPortName,
  isValidPortNumber,
} from '../../../objects/nameFormats.ts';
import { duplicate, invalid, invalidEach, oneOf, required } from '../fieldErrors.ts';
import { validateLabels } from '../validateLabels.ts';

type Service = Stored<ApiService>;

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Returns the errors of a service, except those of its metadata. Pure. */
export function validateService(object: KubernetesObject): FieldError[] {
  const spec = (object as Service).spec ?? {};
  const ports = spec.ports ?? [];
  const needsPorts = spec.type !== 'ExternalName' && spec.clusterIP !== 'None';
  return [
    ...(needsPorts && ports.length === 0 ? [required('spec.ports')] : []),
    ...ports.flatMap((port, index) => validatePort(port, `spec.ports[${index}]`, ports.length > 1)),
    ...duplicatePorts(ports),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...oneOf('spec.sessionAffinity', spec.sessionAffinity ?? '', ['ClientIP', 'None']),
    ...oneOf('spec.type', spec.type ?? '', TYPES),
    ...clusterIpErrors(spec.clusterIP ?? ''),
    ...(spec.type === 'ExternalName' ? externalNameErrors(spec.externalName ?? '') : []),
  ];
}

/** Returns the errors of a changed service. Its cluster IP cannot change. Pure. */
export function validateServiceUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const spec = (object as Service).spec ?? {};
  const before = (old as Service).spec ?? {};
  const keeps = spec.type !== 'ExternalName' && before.type !== 'ExternalName' && (before.clusterIP ?? '') !== '';
  return [
    ...(keeps && spec.clusterIP !== before.clusterIP
      ? [invalid('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set')]
      : []),
    ...validateService(object),
  ];
}

function validatePort(port: ServicePort, path: string, nameNeeded: boolean): FieldError[] {
  const { name = '', protocol = '', targetPort } = port;
  return [
    ...(name === ''
      ? nameNeeded
        ? [required(`${path}.name`)]
        : []
      : invalidEach(`${path}.name`, name, isDns1123Label(name))),
    ...invalidEach(`${path}.port`, port.port ?? 0, isValidPortNumber(port.port ?? 0)),
    ...oneOf(`${path}.protocol`, protocol, PROTOCOLS),
    ...invalidEach(
      `${path}.targetPort`,
      targetPort,
      typeof targetPort === 'string' ? isValidPortName(targetPort) : isValidPortNumber(Number(targetPort)),
    ),
  ];
}

function duplicatePorts(ports: readonly ServicePort[]): FieldError[] {
  const errors: FieldError[] = [];
  const [names, numbers] = [new Set<string>(), new Set<string>()];
  for (const [index, { name = '', port, protocol = '' }] of ports.entries()) {
    if (name !== '' && names.has(name)) errors.push(duplicate(`spec.ports[${index}].name`, name));
    const number = `${protocol}/${port}`;
    if (numbers.has(number)) errors.push(duplicate(`spec.ports[${index}]`, { port, protocol }));
    names.add(name);
    numbers.add(number);
  }
  return errors;
}

function clusterIpErrors(address: string): FieldError[] {
  if (address === '' || address === 'None' || isIP(address) !== 0) return [];
  return invalidEach('spec.clusterIPs[0]', address, ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']);
}

function externalNameErrors(name: string): FieldError[] {
  if (name === '') return [required('spec.externalName')];
  return invalidEach('spec.externalName', name, isDns1123Subdomain(name.replace(/\.$/, '')));
}
