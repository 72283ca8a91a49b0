import type { Container, ContainerPort, EnvVar, PodSpec, ResourceRequirements } from 'kubernetes-types/core/v1.js';
import { goQuote } from '../../../objects/go/goQuote.ts';
import { parseQuantity } from '../../../objects/quantities/quantity.ts';
import { type Fields, fieldsOf, itemsOf, isPresent, numberOf, textOf } from '../fieldsOf.ts';

const NANO = 1_000_000_000n;
/** Bytes, of which there are no fractions. */
const BYTES = ['memory', 'ephemeral-storage'] as const;

/** A container of a pod with its place: `spec.containers[0]`. */
export interface PlacedContainer {
  readonly container: Fields<Container>;
  readonly path: string;
}

/** All containers of a pod's spec in Kubernetes' order. Pure. */
export function placedContainers(spec: Fields<PodSpec>, path: string): PlacedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    itemsOf<Container>(spec[list]).map((container, index) => ({ container, path: `${path}.${list}[${index}]` })),
  );
}

/** What a client is told of one container: fractions of bytes, and variables that hide others. Pure. */
export function containerWarnings({ container, path }: PlacedContainer): string[] {
  const { limits, requests } = fieldsOf<ResourceRequirements>(container.resources);
  return [
    ...BYTES.flatMap((resource) => [
      ...fractionWarnings(limits, resource, `${path}.resources.limits`),
      ...fractionWarnings(requests, resource, `${path}.resources.requests`),
    ]),
    ...hiddenVariables(container.env, `${path}.env`),
  ];
}

/** Warns of an amount of bytes that is no integer. */
export function fractionWarnings(amounts: unknown, resource: string, path: string): string[] {
  const amount = fieldsOf<Record<string, unknown>>(amounts)[resource];
  const nanos = parseQuantity(amount)?.nanos ?? 0n;
  if (nanos % NANO === 0n) return [];
  return [`${path}[${resource}]: fractional byte value ${goQuote(String(amount))} is invalid, must be an integer`];
}

/** Warns of each variable that takes the place of another one, unless its value refers to that. */
function hiddenVariables(env: unknown, path: string): string[] {
  const seen = new Set<string>();
  return itemsOf<EnvVar>(env).flatMap(({ name: given, value, valueFrom }, index) => {
    const name = textOf(given);
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const text = textOf(value);
    const extendsOther = !isPresent(valueFrom) && text !== reference && text.includes(reference);
    if (isFirst || extendsOther) return [];
    return [`${path}[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`];
  });
}

interface PlacedPort {
  readonly port: Fields<ContainerPort>;
  readonly path: string;
}

/** What a client is told of the ports of all containers of a pod, which share one network. Pure. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const earlier = new Map<string, PlacedPort[]>();
  return containers.flatMap(({ container, path }) =>
    itemsOf<ContainerPort>(container.ports).flatMap((port, index) => {
      const here = { port, path: `${path}.ports[${index}]` };
      const key = `${numberOf(port.containerPort)}/${textOf(port.protocol)}`;
      const others = earlier.get(key) ?? [];
      earlier.set(key, [...others, here]);
      return [...addressWarnings(here), ...others.flatMap((other) => clashOf(here, other))];
    }),
  );
}

function addressWarnings({ port, path }: PlacedPort): string[] {
  const [name, hostIp] = [textOf(port.name), textOf(port.hostIP)];
  const [hostPort, containerPort] = [numberOf(port.hostPort), numberOf(port.containerPort)];
  if (hostIp === '' || hostPort !== 0) return [];
  const printed = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${textOf(port.protocol)} HostIP:${hostIp}}`;
  return [`${path}: hostIP set without hostPort: ${printed}`];
}

/** Two ports of the same number and protocol. */
function clashOf({ port, path }: PlacedPort, other: PlacedPort): string[] {
  const [hostPort, otherHostPort] = [numberOf(port.hostPort), numberOf(other.port.hostPort)];
  const [hostIp, otherHostIp] = [textOf(port.hostIP), textOf(other.port.hostIP)];
  if (hostPort === otherHostPort && hostIp === otherHostIp)
    return [`${path}: duplicate port definition with ${other.path}`];
  if (hostPort === 0 || otherHostPort === 0) return [`${path}: overlapping port definition with ${other.path}`];
  if (hostPort === otherHostPort && (hostIp === '') !== (otherHostIp === ''))
    return [`${path}: dangerously ambiguous port definition with ${other.path}`];
  return [];
}
