import type {
  Container,
  ContainerStatus,
  PersistentVolumeClaimSpec,
  PodSpec,
  ResourceQuotaSpec,
} from 'kubernetes-types/core/v1.js';
import type { KubernetesObject } from '../KubernetesObject.ts';
import type { Pod } from '../kinds.ts';
import { podLevelAmounts, type SizedPodStatus } from '../pods/podLevelResources.ts';
import type { GroupResource } from '../ObjectKey.ts';
import { addAmounts, maskAmounts, maxAmounts, ONE, parseAmounts, type ResourceAmounts } from './resourceAmounts.ts';

/** Resources that a quota counts under their own name in addition to `count/…`. */
const COUNTED_BY_NAME = new Set<GroupResource>([
  'configmaps',
  'secrets',
  'services',
  'replicationcontrollers',
  'resourcequotas',
]);

/** Computes how much of a quota one object uses: pods by their containers, claims by their storage, other objects by their number. Pure. */
export function quotaUsage(resource: GroupResource, object: KubernetesObject, nowMs: number): ResourceAmounts {
  if (resource === 'pods') return podUsage(object, nowMs);
  if (resource === 'persistentvolumeclaims') return claimUsage(object);
  const counts: Record<string, typeof ONE> = { [`count/${resource}`]: ONE };
  if (COUNTED_BY_NAME.has(resource)) counts[resource] = ONE;
  return counts;
}

const CLAIMS = 'persistentvolumeclaims';
const CLASS_SUFFIX = '.storageclass.storage.k8s.io/';

/** True for a limit on claims or on the storage that they ask for, of all classes or of one: `gold.storageclass.storage.k8s.io/requests.storage`. */
export function isClaimLimit(name: string): boolean {
  return name === CLAIMS || name === 'requests.storage' || name.includes(CLASS_SUFFIX);
}

/** Computes how much of a quota a claim uses, in total and of its storage class. Pure. */
function claimUsage(claim: KubernetesObject): ResourceAmounts {
  const { storageClassName = '', resources } = (claim['spec'] ?? {}) as PersistentVolumeClaimSpec;
  const { storage } = parseAmounts(resources?.requests);
  const amounts = { [CLAIMS]: ONE, ...(storage && { 'requests.storage': storage }) };
  const ofClass = Object.entries(amounts).map(([name, amount]) => [
    `${storageClassName}${CLASS_SUFFIX}${name}`,
    amount,
  ]);
  return { [`count/${CLAIMS}`]: ONE, ...amounts, ...(storageClassName !== '' && Object.fromEntries(ofClass)) };
}

/**
 * Computes how much of a quota a pod uses: `count/pods` while it exists; `pods`, `requests.…` and `limits.…` while it may still run, that is, until it
 * has succeeded or failed, or its deletion is overdue. Pure.
 */
export function podUsage(pod: Pod, nowMs: number): ResourceAmounts {
  const count = { 'count/pods': ONE };
  if (!isCharged(pod, nowMs)) return count;
  return {
    ...count,
    pods: ONE,
    ...requestUsage(effectiveAmounts(pod, 'requests')),
    ...limitUsage(effectiveAmounts(pod, 'limits')),
  };
}

function isCharged({ metadata, status }: Pod, nowMs: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  // The deletion timestamp already includes the grace period. Past it, the pod no longer counts.
  return metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > nowMs;
}

const COMPUTE = new Set(['cpu', 'memory', 'ephemeral-storage']);

function requestUsage(requests: ResourceAmounts): ResourceAmounts {
  return Object.fromEntries(
    Object.entries(requests).flatMap(([name, amount]) => [
      [`requests.${name}`, amount],
      ...(COMPUTE.has(name) || name.startsWith('hugepages-') ? [[name, amount]] : []),
    ]),
  ) as ResourceAmounts;
}

function limitUsage(limits: ResourceAmounts): ResourceAmounts {
  return Object.fromEntries(
    Object.entries(limits)
      .filter(([name]) => COMPUTE.has(name))
      .map(([name, amount]) => [`limits.${name}`, amount]),
  );
}

/**
 * Computes what a pod has or will have: while a resize is under way, the larger of what its spec asks for and what its containers have. What can never be given to it does not count. As `PodRequests` and
 * `PodLimits` of component-helpers, with the resources of the status. A container without one of the amounts in `absent` counts as if it had that amount.
 */
export function effectiveAmounts(
  { spec, status }: Pod,
  member: 'requests' | 'limits',
  absent: Amounts = {},
): ResourceAmounts {
  const whole: PodSpec = spec ?? { containers: [] };
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const sized = new Map(statuses.filter(({ resources }) => resources).map((one) => [one.name, one]));
  const { resources, allocatedResources: allocated } = (status ?? {}) as SizedPodStatus;
  const had = (of: (status: ContainerStatus) => Amounts | undefined, ofPod?: Amounts) => {
    const resized = (container: Container): Container => {
      const amounts = of(sized.get(container.name) ?? NOT_SIZED) ?? container.resources?.[member];
      return { ...container, resources: { [member]: { ...absent, ...amounts } } };
    };
    const { containers, initContainers = [] } = whole;
    return podAmounts(
      {
        ...whole,
        containers: containers.map(resized),
        initContainers: initContainers.map(resized),
        ...(ofPod && { resources: { [member]: ofPod } }),
      },
      member,
    );
  };
  const asked = Object.keys(absent).length === 0 ? podAmounts(whole, member) : had(() => undefined);
  if (sized.size === 0 && resources === undefined) return asked;
  const actual = had((one) => one.resources?.[member], resources?.[member]);
  const set = member === 'requests' ? had((one) => one.allocatedResources, allocated) : {};
  const most = maxAmounts(actual, set);
  return isResizeInfeasible(status) ? most : maxAmounts(asked, most);
}

type Amounts = Readonly<Record<string, string>>;

const NOT_SIZED: ContainerStatus = { name: '', image: '', imageID: '', ready: false, restartCount: 0 };

function isResizeInfeasible(status: Pod['status']): boolean {
  return status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
}

/**
 * Computes the most that a pod needs at one time: the larger of all containers together, and an init container with the sidecars started before it;
 * plus the overhead. What the pod has as a whole takes the place of what its containers have.
 */
export function podAmounts(spec: PodSpec, member: 'requests' | 'limits'): ResourceAmounts {
  const needed = { ...containerAmounts(spec, member), ...parseAmounts(podLevelAmounts(spec, member)) };
  const overhead = parseAmounts(spec.overhead);
  // A resource without a limit gets none from the overhead.
  return addAmounts(needed, member === 'limits' ? maskAmounts(overhead, Object.keys(needed)) : overhead);
}

/** Computes the most that the containers of a pod need at one time. */
export function containerAmounts(spec: PodSpec, member: 'requests' | 'limits'): ResourceAmounts {
  const of = (container: Container) => parseAmounts(container.resources?.[member]);
  let running = (spec.containers ?? []).map(of).reduce(addAmounts, {});
  let sidecars: ResourceAmounts = {};
  let starting: ResourceAmounts = {};
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      running = addAmounts(running, of(container));
      sidecars = addAmounts(sidecars, of(container));
      starting = maxAmounts(starting, sidecars);
    } else starting = maxAmounts(starting, addAmounts(sidecars, of(container)));
  }
  return maxAmounts(running, starting);
}

/** True if a quota with these scopes counts this object. A quota without scopes counts everything; one with scopes counts pods only. Pure. */
export function quotaSelects(spec: ResourceQuotaSpec, resource: GroupResource, object: KubernetesObject): boolean {
  const terms = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] as string[] })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ];
  if (terms.length === 0) return true;
  if (resource !== 'pods') return false;
  const pod = (object['spec'] ?? { containers: [] }) as PodSpec;
  return terms.every(({ scopeName, operator, values }) => scopeMatches(pod, scopeName, operator, values ?? []));
}

function scopeMatches(pod: PodSpec, scope: string, operator: string, values: readonly string[]): boolean {
  switch (scope) {
    case 'Terminating':
      return pod.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return pod.activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return valueMatches(pod.priorityClassName ?? '', operator, values);
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(pod);
    default:
      return false;
  }
}

function valueMatches(value: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'Exists':
      return value !== '';
    case 'DoesNotExist':
      return value === '';
    case 'In':
      return value !== '' && values.includes(value);
    case 'NotIn':
      return !values.includes(value);
    default:
      return false;
  }
}

function isBestEffort(pod: PodSpec): boolean {
  return [...(pod.containers ?? []), ...(pod.initContainers ?? [])].every(({ resources = {} }) =>
    [resources.requests, resources.limits].every(
      (list) => !Object.entries(parseAmounts(list)).some(([name, { nanos }]) => isQosResource(name) && nanos > 0n),
    ),
  );
}

function isQosResource(name: string): boolean {
  return name === 'cpu' || name === 'memory';
}

function crossesNamespaces({ affinity }: PodSpec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity]
    .flatMap((side) => [
      ...(side?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(side?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((weighted) => weighted.podAffinityTerm),
    ])
    .some((term) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined);
}
