import type { Pod } from '../../lambdas/objects/kinds.ts';
import { isPodActive, isPodReady } from '../../lambdas/objects/pods/podState.ts';
import { formatTime } from '../../lambdas/ports/Clock.ts';
import type { WriterStore } from './AuditedStore.ts';
import { formatMs, type GateParts } from './Gate.ts';
import type { SimulatedQueue } from './SimulatedQueue.ts';
import type { World } from './World.ts';

const PERIOD_MS = 1_000;

/** The troubles of running pods, as their kubelets report them: a probe that fails for a while, or an eviction. */
export class PodTroubles {
  readonly #parts: GateParts;
  readonly #store: Pick<WriterStore, 'replace'>;
  readonly #world: World;
  readonly #queue: Pick<SimulatedQueue, 'send'>;

  constructor(
    parts: GateParts,
    store: Pick<WriterStore, 'replace'>,
    world: World,
    queue: Pick<SimulatedQueue, 'send'>,
  ) {
    this.#parts = parts;
    this.#store = store;
    this.#world = world;
    this.#queue = queue;
  }

  start(): void {
    const { scheduler, random, faults } = this.#parts;
    scheduler.setTimer(PERIOD_MS, () => {
      const ready = this.#world.pods().filter((pod) => isPodActive(pod) && isPodReady(pod));
      const { podUnready, podFailure } = faults.rates;
      if (ready.length > 0 && random.chance(podUnready)) void this.#becomeUnready(random.pick(ready));
      else if (ready.length > 0 && random.chance(podFailure)) void this.#fail(random.pick(ready));
      this.start();
    });
  }

  /** A probe fails; when it succeeds again, the kubelet looks at the pod. */
  async #becomeUnready(pod: Pod): Promise<void> {
    const { random, scheduler } = this.#parts;
    await this.#report(pod, { ...pod.status, conditions: unready(pod, scheduler.now()) });
    const { namespace = '', name } = pod.metadata;
    scheduler.after(random.integer(500, 15_000), () =>
      this.#queue.send([{ key: { controller: 'pod', namespace, name } }], 'change'),
    );
  }

  async #fail(pod: Pod): Promise<void> {
    const conditions = unready(pod, this.#parts.scheduler.now());
    await this.#report(pod, { ...pod.status, phase: 'Failed', reason: 'Evicted', conditions });
  }

  async #report(pod: Pod, status: NonNullable<Pod['status']>): Promise<void> {
    const { trace, scheduler } = this.#parts;
    const outcome = await this.#store.replace({ by: 'kubelet' }, 'pods', { ...pod, status });
    trace.add(
      `${formatMs(scheduler.now())} kubelet: ${pod.metadata.name} ${status.reason ?? 'is not ready'}: ${outcome.status}`,
    );
  }
}

function unready(pod: Pod, nowMs: number): NonNullable<NonNullable<Pod['status']>['conditions']> {
  const falls = new Set(['Ready', 'ContainersReady']);
  return (pod.status?.conditions ?? []).map((condition) =>
    falls.has(condition.type) ? { ...condition, status: 'False', lastTransitionTime: formatTime(nowMs) } : condition,
  );
}
