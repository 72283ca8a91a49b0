import type * as core from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isValidPortName, isValidPortNumber } from '../../../objects/nameFormats.ts';
import { type Check, fields, format, ifSet, itemsByKey, nameOf, repeated, requiredEnum } from '../checks.ts';
import { duplicate, invalid, invalidEach, required } from '../fieldErrors.ts';
import { type Fields, itemsOf, numberOf, textOf } from '../fieldsOf.ts';

const portNumber: Check = (port, path) => invalidEach(path, numberOf(port), isValidPortNumber(numberOf(port)));

/** The ports of one container: names, numbers, protocols. Only a valid name is taken from later ports. */
export const validateContainerPorts: Check = itemsByKey(
  nameOf,
  (isTaken) =>
    fields<core.ContainerPort>({
      name: isTaken ? repeated : ifSet(format(isValidPortName)),
      containerPort: (port, at) => (numberOf(port) === 0 ? [required(at)] : portNumber(port, at)),
      hostPort: (port, at) => (numberOf(port) === 0 ? [] : portNumber(port, at)),
      protocol: requiredEnum('SCTP', 'TCP', 'UDP'),
    }),
  [],
  (name) => isValidPortName(name).length === 0,
);

/** A port that is a number or the name of a container's port. */
export const validatePortNumberOrName: Check = (port, path) =>
  typeof port === 'string' ? invalidEach(path, port, isValidPortName(port)) : portNumber(port, path);

type Containers = readonly Fields<core.Container>[];

/** Checks the host port of every port of some containers. */
function eachHostPort(
  containers: Containers,
  path: string,
  check: (port: Fields<core.ContainerPort>, path: string) => FieldError[],
): FieldError[] {
  return containers.flatMap((container, index) =>
    itemsOf<core.ContainerPort>(container.ports).flatMap((port, place) =>
      check(port, `${path}[${index}].ports[${place}].hostPort`),
    ),
  );
}

/** Refuses a host port that two ports of these containers claim. */
export function validateHostPortConflicts(containers: Containers, path: string): FieldError[] {
  const taken = new Set<string>();
  return eachHostPort(containers, path, (port, at) => {
    if (numberOf(port.hostPort) === 0) return [];
    const claim = `${textOf(port.protocol)}/${textOf(port.hostIP)}/${numberOf(port.hostPort)}`;
    if (taken.has(claim)) return [duplicate(at, claim)];
    taken.add(claim);
    return [];
  });
}

/**
 * Validates ports in the host's network, where a container's port is the host's. Templates may omit the host port, since the pod's defaults fill it in.
 */
export function validateHostNetworkPorts(containers: Containers, isPod: boolean, path: string): FieldError[] {
  return eachHostPort(containers, path, (port, at) => {
    const hostPort = numberOf(port.hostPort);
    if (hostPort === numberOf(port.containerPort) || (!isPod && hostPort === 0)) return [];
    return [invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
  });
}
