import type { Container } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '../../objects/quantity.ts';
import type { Usage } from '../../registry/resources/metrics.ts';

export interface ContainerUsage {
  readonly name: string;
  readonly usage: Usage;
}

/** What a container uses that requests nothing: an idle process. */
const IDLE: Usage = { cpu: '1m', memory: '10Mi' };
const AMOUNTS = ['cpu', 'memory'] as const;

/**
 * Returns what each running container of a simulated pod uses: the amounts that the annotations `simulate.driftless.dev/cpu-usage` and `memory-usage` give, otherwise what the container requests,
 * otherwise a little. `undefined` for a pod of which no container runs. Pure.
 */
export function podUsage({ metadata, spec, status }: Pod): readonly ContainerUsage[] | undefined {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const running = new Set(statuses.filter(({ state }) => state?.running).map(({ name }) => name));
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const used = containers
    .filter(({ name }) => running.has(name))
    .map((container) => ({ name: container.name, usage: containerUsage(container, metadata.annotations ?? {}) }));
  return used.length > 0 ? used : undefined;
}

function containerUsage({ resources }: Container, annotations: Readonly<Record<string, string>>): Usage {
  const amountOf = (name: (typeof AMOUNTS)[number]) => {
    const given = [annotations[`simulate.driftless.dev/${name}-usage`], resources?.requests?.[name], IDLE[name]];
    const quantity = given.map(parseQuantity).find((one) => one !== undefined && one.nanos >= 0n);
    return quantity === undefined ? IDLE[name] : formatQuantity(quantity);
  };
  return { cpu: amountOf('cpu'), memory: amountOf('memory') };
}

const NOTHING: Readonly<Record<(typeof AMOUNTS)[number], Quantity>> = {
  cpu: { nanos: 0n, format: 'DecimalSI' },
  memory: { nanos: 0n, format: 'BinarySI' },
};

/** Returns what all these containers use together: the usage of a node. Pure. */
export function totalUsage(containers: readonly ContainerUsage[]): Usage {
  const total = (name: (typeof AMOUNTS)[number]) =>
    formatQuantity(
      containers.reduce((sum, { usage }) => addQuantities(sum, parseQuantity(usage[name]) ?? sum), NOTHING[name]),
    );
  return { cpu: total('cpu'), memory: total('memory') };
}
