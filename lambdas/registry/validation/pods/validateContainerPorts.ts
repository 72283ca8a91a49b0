import type { Container, ContainerPort } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isValidPortName, isValidPortNumber } from '../../../objects/nameFormats.ts';
import { duplicate, invalid, invalidEach, oneOf, required } from '../fieldErrors.ts';
import { type Fields, itemsOf, numberOf, textOf } from '../fieldsOf.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Validates the ports of one container: names, numbers, protocols. */
export function validateContainerPorts(ports: unknown, path: string): FieldError[] {
  const names = new Set<string>();
  return itemsOf<ContainerPort>(ports).flatMap((port, index) => {
    const portPath = `${path}[${index}]`;
    return [
      ...validatePortName(textOf(port.name), names, `${portPath}.name`),
      ...validateContainerPort(numberOf(port.containerPort), `${portPath}.containerPort`),
      ...(numberOf(port.hostPort) === 0 ? [] : validatePortNumber(numberOf(port.hostPort), `${portPath}.hostPort`)),
      ...oneOf(`${portPath}.protocol`, textOf(port.protocol), PROTOCOLS),
    ];
  });
}

function validatePortName(name: string, names: Set<string>, path: string): FieldError[] {
  if (name === '') return [];
  const errors = invalidEach(path, name, isValidPortName(name));
  if (errors.length > 0) return errors;
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return [];
}

function validateContainerPort(port: number, path: string): FieldError[] {
  return port === 0 ? [required(path)] : validatePortNumber(port, path);
}

function validatePortNumber(port: number, path: string): FieldError[] {
  return invalidEach(path, port, isValidPortNumber(port));
}

/** Validates a port that is a number or the name of a container's port. */
export function validatePortNumberOrName(port: unknown, path: string): FieldError[] {
  if (typeof port === 'string') return invalidEach(path, port, isValidPortName(port));
  return validatePortNumber(numberOf(port), path);
}

/** Refuses a host port that two ports of these containers claim. */
export function validateHostPortConflicts(containers: readonly Fields<Container>[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    itemsOf<ContainerPort>(container.ports).flatMap((port, portIndex) => {
      if (numberOf(port.hostPort) === 0) return [];
      const claim = `${textOf(port.protocol)}/${textOf(port.hostIP)}/${numberOf(port.hostPort)}`;
      if (taken.has(claim)) return [duplicate(`${path}[${index}].ports[${portIndex}].hostPort`, claim)];
      taken.add(claim);
      return [];
    }),
  );
}

/**
 * Validates ports in the host's network, where a container's port is the host's. Templates may omit the host port, since the pod's defaults fill it in.
 */
export function validateHostNetworkPorts(
  containers: readonly Fields<Container>[],
  isPod: boolean,
  path: string,
): FieldError[] {
  return containers.flatMap((container, index) =>
    itemsOf<ContainerPort>(container.ports).flatMap((port, portIndex) => {
      const hostPort = numberOf(port.hostPort);
      if (hostPort === numberOf(port.containerPort) || (!isPod && hostPort === 0)) return [];
      const portPath = `${path}[${index}].ports[${portIndex}].hostPort`;
      return [invalid(portPath, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}
