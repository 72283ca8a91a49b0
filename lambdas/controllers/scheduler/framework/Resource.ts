import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../../objects/kinds.ts';
import { podLevelAmounts } from '../../../objects/pods/podLevelResources.ts';
import { effectiveAmounts } from '../../../objects/quantities/quota.ts';
import { parseAmounts, type ResourceAmounts } from '../../../objects/quantities/resourceAmounts.ts';

/** Amounts by resource, as the scheduler calculates: `cpu` in thousandths, all others in their own unit; rounded up. */
export type Resource = Readonly<Record<string, number>>;

const NANOS_PER_MILLI = 1_000_000n;
const NANOS_PER_UNIT = 1_000_000_000n;

/** What a container counts for in scores if it requests nothing, so that not all such pods go to one node: Kubernetes' `DefaultMilliCPURequest` and `DefaultMemoryRequest`. */
const DEFAULT_REQUESTS = { cpu: '100m', memory: '200Mi' };

/** Parses a resource list. Pure. */
export function resourceOf(list: Readonly<Record<string, unknown>> | undefined): Resource {
  return asNumbers(parseAmounts(list));
}

const parsed = new WeakMap<Node, Resource>();

/** Reads what the node has for pods, once for each object. */
export function allocatableOf(node: Node): Resource {
  const known = parsed.get(node) ?? resourceOf(node.status?.allocatable);
  parsed.set(node, known);
  return known;
}

/** Returns the most that the pod needs at one time, with its sidecars, init containers and overhead. While it is resized, what it has counts too, if that is more than it requests. Pure. */
export function podRequests(pod: Pod): Resource {
  return pod.spec && requestsNothing(pod.spec) ? {} : asNumbers(effectiveAmounts(pod, 'requests'));
}

/** Returns the amounts of CPU and memory by which nodes are scored: a container without a request counts as if it had a small one. Pure. */
export function nonZeroRequests(pod: Pod): Resource {
  const { cpu = 0, memory = 0 } = asNumbers(effectiveAmounts(pod, 'requests', DEFAULT_REQUESTS));
  return { cpu, memory };
}

/** Whether neither the pod nor a container requests anything, and the pod has no overhead. Most pods of tests are like that. Pure. */
export function requestsNothing(spec: PodSpec): boolean {
  const { containers, initContainers = [], overhead } = spec;
  const asks = ({ resources }: Container) => Object.values(resources?.requests ?? {}).some((amount) => amount !== '0');
  if (overhead !== undefined || Object.keys(podLevelAmounts(spec, 'requests')).length > 0) return false;
  return ![...(containers ?? []), ...initContainers].some(asks);
}

function asNumbers(amounts: ResourceAmounts): Resource {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, { nanos }]) => [
      name,
      divideUp(nanos, name === 'cpu' ? NANOS_PER_MILLI : NANOS_PER_UNIT),
    ]),
  );
}

function divideUp(dividend: bigint, divisor: bigint): number {
  return Number((dividend + divisor - 1n) / divisor);
}
