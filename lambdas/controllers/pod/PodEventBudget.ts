import type { Clock } from '../../ports/Clock.ts';
import type { EventToRecord } from '../EventRecorder.ts';

/**
 * Which events of pods are written: `all`; `limited`: warnings, and normal events within a limit, by default a kubelet's own (100 at once, 50 a second); `warnings` only; `none`. A pod that starts well has five
 * normal events. When a thousand pods are created at once, these would be most of the writes.
 */
export type PodEventsPolicy = 'all' | 'limited' | 'warnings' | 'none';

/** How many normal events are written at once, and how many more a second. */
export interface EventLimits {
  readonly burst: number;
  readonly perSecond: number;
  /** While it returns true, none are written. Absent: never. */
  readonly isOverloaded?: () => boolean;
}

/** A kubelet's eventBurst and eventRecordQPS. */
const KUBELET: EventLimits = { burst: 100, perSecond: 50 };

/** Decides which of a sync's events are written. */
export class PodEventBudget {
  readonly #policy: PodEventsPolicy;
  readonly #clock: Clock;
  readonly #limits: EventLimits;
  #tokens: number;
  #refilledMs = 0;

  constructor(policy: PodEventsPolicy, clock: Clock, limits: EventLimits = KUBELET) {
    this.#policy = policy;
    this.#clock = clock;
    this.#limits = limits;
    this.#tokens = limits.burst;
  }

  /** Returns the warnings, and either all of the normal events or none, so that a pod's story is complete or absent. */
  admit(events: readonly EventToRecord[]): readonly EventToRecord[] {
    if (this.#policy === 'all' || events.length === 0) return events;
    if (this.#policy === 'none') return [];
    const warnings = events.filter(({ type }) => type === 'Warning');
    const ordinary = events.length - warnings.length;
    return this.#policy === 'limited' && this.#take(ordinary) ? events : warnings;
  }

  #take(count: number): boolean {
    const nowMs = this.#clock.steadyMs();
    const { burst, perSecond, isOverloaded } = this.#limits;
    if (isOverloaded?.()) return false;
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#refilledMs) / 1000) * perSecond);
    this.#refilledMs = nowMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}
