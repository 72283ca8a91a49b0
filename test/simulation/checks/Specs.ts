import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';

/** What a spec asks for, as far as pods are bounded by it. */
export interface Spec {
  readonly replicas: number;
  readonly minReadySeconds: number;
  /** Of Deployments only. */
  readonly strategy: string | undefined;
  /** Of Deployments only. */
  readonly isPaused: boolean;
  readonly ceiling: number;
  readonly floor: number;
}

/** Every spec that an object ever had, by generation: a sync is judged by the one that it read. */
export class Specs {
  readonly #specs = new Map<string, Map<number, Spec>>();

  onWrite({ change: { after } }: AuditedWrite): void {
    if (!after || after['spec'] === undefined || after.metadata.generation === undefined) return;
    const specs = this.#specs.get(after.metadata.uid) ?? new Map<number, Spec>();
    this.#specs.set(after.metadata.uid, specs.set(after.metadata.generation, specOf(after)));
  }

  at({ metadata }: KubernetesObject): Spec | undefined {
    return this.#specs.get(metadata.uid)?.get(metadata.generation ?? 0);
  }

  /** All of them from that generation on, the oldest first. */
  from({ metadata }: KubernetesObject): readonly Spec[] {
    const specs = [...(this.#specs.get(metadata.uid) ?? [])];
    return specs.filter(([generation]) => generation >= (metadata.generation ?? 0)).map(([, spec]) => spec);
  }
}

/** The bounds are computed here once more, so that the product's own arithmetic is not its judge. */
function specOf(object: KubernetesObject): Spec {
  const { replicas = 1, minReadySeconds = 0, strategy, paused } = (object as unknown as Deployment).spec ?? {};
  const { maxSurge = 0, maxUnavailable = 0 } = strategy?.rollingUpdate ?? {};
  const surge = resolve(maxSurge, replicas, Math.ceil);
  const unavailable = resolve(maxUnavailable, replicas, Math.floor);
  const floor = replicas - (surge === 0 && unavailable === 0 ? 1 : unavailable);
  return {
    replicas,
    minReadySeconds,
    strategy: strategy?.type,
    isPaused: paused === true,
    ceiling: replicas + surge,
    floor,
  };
}

function resolve(value: number | string, replicas: number, round: (exact: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * replicas) / 100);
}
