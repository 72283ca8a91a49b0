import { parseQuantity, type Quantity } from '../../objects/quantities/quantity.ts';
import type { PodUsage } from '../../ports/MetricsClient.ts';

/** One value of a pod, in thousandths, when it was measured, and over which time before that (milliseconds): Kubernetes' `PodMetric`. */
export interface PodMetric {
  readonly valueMilli: number;
  readonly timestampMs: number;
  readonly windowMs: number;
}

/** The values by the pods' names; a pod of which nothing is known is not in it. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

const NANOS_PER_MILLI = 1_000_000n;

/** Returns the quantity in thousandths, rounded up: Kubernetes' `MilliValue`. Amounts above 2^53 lose their last digits. Pure. */
export function milliValue({ nanos }: Quantity): number {
  const rounded = nanos >= 0n ? (nanos + NANOS_PER_MILLI - 1n) / NANOS_PER_MILLI : nanos / NANOS_PER_MILLI;
  return Number(rounded);
}

/** Returns thousandths as a quantity: Kubernetes' `NewMilliQuantity`. Pure. */
export function milliQuantity(milli: number): Quantity {
  return { nanos: BigInt(Math.trunc(milli)) * NANOS_PER_MILLI, format: 'DecimalSI' };
}

/** Adds up what the containers of each pod use of a resource: `getPodMetrics`. A pod one of whose containers was not measured has no value. Pure. */
export function getPodMetrics(usages: readonly PodUsage[], resource: string): PodMetrics {
  return new Map(
    usages.flatMap((usage) => {
      const values = usage.containers.map((container) => usedMilli(container.usage, resource));
      const known = values.filter((value) => value !== undefined);
      if (values.length === 0 || known.length < values.length) return [];
      const valueMilli = known.reduce((sum, value) => sum + value, 0);
      return [[usage.pod.metadata.name, measured(usage, valueMilli)] as const];
    }),
  );
}

/** Returns what one container of each pod uses: `getContainerMetrics`. A text says which pod has no such container. Pure. */
export function getContainerMetrics(
  usages: readonly PodUsage[],
  resource: string,
  container: string,
): PodMetrics | string {
  const metrics = new Map<string, PodMetric>();
  for (const usage of usages) {
    const { namespace, name } = usage.pod.metadata;
    const found = usage.containers.find((one) => one.name === container);
    if (!found) return `container ${container} not present in metrics for pod ${namespace}/${name}`;
    const valueMilli = usedMilli(found.usage, resource);
    if (valueMilli !== undefined) metrics.set(name, measured(usage, valueMilli));
  }
  return metrics;
}

function usedMilli(usage: object, resource: string): number | undefined {
  const quantity = parseQuantity((usage as Readonly<Record<string, string>>)[resource]);
  return quantity && milliValue(quantity);
}

function measured({ timestampMs, windowMs }: PodUsage, valueMilli: number): PodMetric {
  return { valueMilli, timestampMs, windowMs };
}
