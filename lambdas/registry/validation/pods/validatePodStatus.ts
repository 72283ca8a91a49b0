import type { ContainerState, ContainerStatus, PodCondition, PodSpec, PodStatus } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isDns1123Subdomain, isQualifiedName } from '../../../objects/nameFormats.ts';
import { forbidden, invalid, invalidEach } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { validateIp } from './validateDns.ts';
import { validateAnnotationChanges } from './validatePodUpdate.ts';

const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Returns the errors of a pod's changed status, except those of its metadata. Pure. */
export function validatePodStatusUpdate(pod: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [status, oldStatus] = [fieldsOf<PodStatus>(pod['status']), fieldsOf<PodStatus>(old['status'])];
  const [spec, oldSpec] = [fieldsOf<PodSpec>(pod['spec']), fieldsOf<PodSpec>(old['spec'])];
  const restartPolicy = textOf(oldSpec.restartPolicy);
  const nominated = textOf(status.nominatedNodeName);
  return [
    ...validateAnnotationChanges(pod, old),
    ...validateConditions(status.conditions, 'status.conditions'),
    ...(textOf(spec.nodeName) === textOf(oldSpec.nodeName)
      ? []
      : [forbidden('status.nodeName', 'may not be changed directly')]),
    ...(nominated === '' || nominated === textOf(oldStatus.nominatedNodeName)
      ? []
      : invalidEach('status.nominatedNodeName', nominated, isDns1123Subdomain(nominated))),
    ...validateQosClass(textOf(status.qosClass), textOf(oldStatus.qosClass)),
    ...(['containerStatuses', 'initContainerStatuses'] as const).flatMap((list) =>
      validateRestarts(status[list], oldStatus[list], restartPolicy, sidecarsOf(list, oldSpec.initContainers), list),
    ),
    ...validateIps(status.podIPs, 'status.podIPs'),
    ...validateHostIps(status.hostIP, status.hostIPs),
  ];
}

/** Refuses a changed QoS class: it follows from the spec's resources, which never change. An absent class is no change. */
function validateQosClass(qosClass: string, old: string): FieldError[] {
  if (qosClass === '' || old === '' || qosClass === old) return [];
  return [invalid('status.qosClass', qosClass, 'field is immutable')];
}

function validateConditions(conditions: unknown, path: string): FieldError[] {
  return itemsOf<PodCondition>(conditions).flatMap((condition, index) => {
    const type = textOf(condition.type);
    return SYSTEM_CONDITIONS.has(type) ? [] : invalidEach(`${path}[${index}].Type`, type, isQualifiedName(type));
  });
}

function sidecarsOf(list: 'containerStatuses' | 'initContainerStatuses', initContainers: unknown): Set<string> {
  if (list === 'containerStatuses') return new Set();
  const containers = itemsOf<{ name: string; restartPolicy: string }>(initContainers);
  return new Set(containers.filter((each) => each.restartPolicy === 'Always').map(({ name }) => textOf(name)));
}

/** Refuses a status in which a container that has ended for good runs again. */
function validateRestarts(
  statuses: unknown,
  oldStatuses: unknown,
  restartPolicy: string,
  sidecars: ReadonlySet<string>,
  list: string,
): FieldError[] {
  if (restartPolicy === 'Always') return [];
  const now = itemsOf<ContainerStatus>(statuses);
  return itemsOf<ContainerStatus>(oldStatuses).flatMap((before, index) => {
    const { terminated } = fieldsOf<ContainerState>(before.state);
    const { exitCode } = fieldsOf<{ exitCode: number }>(terminated);
    const mayRestart = restartPolicy === 'OnFailure' && isPresent(exitCode) && exitCode !== 0;
    if (!isPresent(terminated) || mayRestart || sidecars.has(textOf(before.name))) return [];
    return now
      .filter(({ name, state }) => name === before.name && !isPresent(fieldsOf<ContainerState>(state).terminated))
      .map(() => forbidden(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state'));
  });
}

/** Validates addresses: at most one of each family. */
function validateIps(addresses: unknown, path: string): FieldError[] {
  const ips = itemsOf<{ ip: string }>(addresses).map(({ ip }) => textOf(ip));
  const families = ips.map((ip) => ip.includes(':'));
  return [
    ...ips.flatMap((ip, index) => validateIp(ip, `${path}[${index}]`)),
    ...(new Set(families).size === families.length
      ? []
      : [invalid(path, addresses, 'may specify no more than one IP for each IP family')]),
  ];
}

function validateHostIps(hostIp: unknown, hostIps: unknown): FieldError[] {
  const [first] = itemsOf<{ ip: string }>(hostIps);
  if (first === undefined) return [];
  return [
    ...(textOf(hostIp) === textOf(first.ip)
      ? []
      : [invalid('status.hostIPs[0].ip', first.ip, 'must be equal to `hostIP`')]),
    ...validateIps(hostIps, 'status.hostIPs'),
  ];
}
