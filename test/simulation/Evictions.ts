import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../../lambdas/objects/ApiError.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { evictPod } from '../../lambdas/rest/subresources/evictPod.ts';
import type { Trace } from './Trace.ts';

/** When the eviction began that is running, wherever its promises lead. */
export const currentEvictionBeganMs = new AsyncLocalStorage<number>();

/** Evicts pods as the API does. Each eviction is a request of its own. */
export class Evictions {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #trace: Trace;

  constructor(registry: Registry, clock: Clock, trace: Trace) {
    this.#registry = registry;
    this.#clock = clock;
    this.#trace = trace;
  }

  /** A refusal is an answer, too. Throws when no answer came. */
  async evict(namespace: string, name: string): Promise<void> {
    const deps = { registry: this.#registry, clock: this.#clock, servesBudgets: true };
    try {
      const evicting = () => evictPod(deps, { resource: 'pods', namespace, name }, {});
      await currentEvictionBeganMs.run(this.#clock.now(), evicting);
      this.#trace.add(`client has evicted ${name}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#trace.add(`client may not evict ${name}: ${error.details?.causes?.[0]?.message ?? error.message}`);
    }
  }
}
