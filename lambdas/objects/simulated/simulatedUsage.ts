import type { Container } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../kinds.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '../quantities/quantity.ts';
import { readSimulatedAmount } from './simulatedAmounts.ts';

/** Amounts of CPU and memory: `{ cpu: '100m', memory: '64Mi' }`. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

export interface ContainerUsage {
  readonly name: string;
  readonly usage: Usage;
}

export const MEASURED_RESOURCES = ['cpu', 'memory'] as const;
export type MeasuredResource = (typeof MEASURED_RESOURCES)[number];

/** What one pod bears of the loads of its workload; absent: the workload has no such load. */
export type LoadShares = Readonly<Partial<Record<MeasuredResource, Quantity>>>;

/** What a container uses that requests nothing: an idle process. */
const IDLE: Usage = { cpu: '1m', memory: '10Mi' };

/**
 * Returns what each running container of a simulated pod uses: the amounts that the annotations `simulate.driftless.dev/cpu-usage` and `memory-usage` give, otherwise an equal part of what the pod bears of its workload's load,
 * otherwise what the container requests, otherwise a little. An annotation that cannot be read counts as absent. `undefined` for a pod of which no container runs. Pure.
 */
export function podUsage(pod: Pod, nowMs: number, shares: LoadShares = {}): readonly ContainerUsage[] | undefined {
  const running = runningContainers(pod);
  if (running.length === 0) return undefined;
  const parts = partsOf(shares, running.length);
  return running.map((container) => ({ name: container.name, usage: containerUsage(pod, container, nowMs, parts) }));
}

/** A smallest amount of each resource: a billionth of a CPU, a byte. */
const SMALLEST: Readonly<Record<MeasuredResource, bigint>> = { cpu: 1n, memory: 1_000_000_000n };

/** Divides the shares by the number of containers, and rounds down. */
function partsOf(shares: LoadShares, containers: number): LoadShares {
  const parts = MEASURED_RESOURCES.flatMap((name) => {
    const share = shares[name];
    const part = (share?.nanos ?? 0n) / BigInt(containers);
    return share ? [[name, { ...share, nanos: part - (part % SMALLEST[name]) }] as const] : [];
  });
  return Object.fromEntries(parts);
}

function runningContainers({ spec, status }: Pod): readonly Container[] {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const running = new Set(statuses.filter(({ state }) => state?.running).map(({ name }) => name));
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].filter(({ name }) => running.has(name));
}

function containerUsage(pod: Pod, { resources }: Container, nowMs: number, parts: LoadShares): Usage {
  const amountOf = (name: MeasuredResource) => {
    const annotated = readSimulatedAmount(pod, `${name}-usage`, nowMs);
    if (annotated.status === 'read') return formatQuantity(annotated.amount);
    const share = parts[name];
    if (share) return formatQuantity(share);
    const requested = parseQuantity(resources?.requests?.[name]);
    return requested && requested.nanos >= 0n ? formatQuantity(requested) : IDLE[name];
  };
  return { cpu: amountOf('cpu'), memory: amountOf('memory') };
}

const NOTHING: Readonly<Record<MeasuredResource, Quantity>> = {
  cpu: { nanos: 0n, format: 'DecimalSI' },
  memory: { nanos: 0n, format: 'BinarySI' },
};

/** Returns what all these containers use together: the usage of a node. Pure. */
export function totalUsage(containers: readonly ContainerUsage[]): Usage {
  const total = (name: MeasuredResource) =>
    formatQuantity(
      containers.reduce((sum, { usage }) => addQuantities(sum, parseQuantity(usage[name]) ?? sum), NOTHING[name]),
    );
  return { cpu: total('cpu'), memory: total('memory') };
}
