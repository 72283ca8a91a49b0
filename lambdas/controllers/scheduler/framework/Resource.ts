import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { podAmounts } from '../../../objects/quota.ts';
import { parseAmounts, type ResourceAmounts } from '../../../objects/resourceAmounts.ts';

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

/** Returns the most that the pod requests at one time, with its sidecars, init containers and overhead. Pure. */
export function podRequests(spec: PodSpec): Resource {
  return requestsNothing(spec) ? {} : asNumbers(podAmounts(spec, 'requests'));
}

/** Returns the requests of CPU and memory by which nodes are scored: a container without a request counts as if it had a small one. Pure. */
export function nonZeroRequests(spec: PodSpec): Resource {
  const counted = (container: Container): Container => ({
    ...container,
    resources: { ...container.resources, requests: { ...DEFAULT_REQUESTS, ...container.resources?.requests } },
  });
  const { cpu = 0, memory = 0 } = asNumbers(
    podAmounts(
      {
        ...spec,
        containers: (spec.containers ?? []).map(counted),
        ...(spec.initContainers && { initContainers: spec.initContainers.map(counted) }),
      },
      'requests',
    ),
  );
  return { cpu, memory };
}

/** Whether no container requests anything, and the pod has no overhead. Most pods of tests are like that. Pure. */
export function requestsNothing({ containers, initContainers = [], overhead }: PodSpec): boolean {
  const asks = ({ resources }: Container) => Object.values(resources?.requests ?? {}).some((amount) => amount !== '0');
  return overhead === undefined && ![...(containers ?? []), ...initContainers].some(asks);
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
