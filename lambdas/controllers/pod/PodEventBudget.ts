import type { Clock } from '../../ports/Clock.ts';
import type { EventToRecord } from '../EventRecorder.ts';

/**
 * Which events of pods are written: `all`; `limited`: warnings, and normal events within a kubelet's own limit (100 at once, 50 a second); `warnings` only; `none`. A pod that starts well has five
 * normal events. When a thousand pods are created at once, these would be most of the writes.
 */
export type PodEventsPolicy = 'all' | 'limited' | 'warnings' | 'none';

// A kubelet's eventBurst and eventRecordQPS.
const BURST = 100;
const PER_SECOND = 50;

/** Decides which of a sync's events are written. */
export class PodEventBudget {
  readonly #policy: PodEventsPolicy;
  readonly #clock: Clock;
  #tokens = BURST;
  #refilledMs = 0;

  constructor(policy: PodEventsPolicy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
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
    this.#tokens = Math.min(BURST, this.#tokens + ((nowMs - this.#refilledMs) / 1000) * PER_SECOND);
    this.#refilledMs = nowMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}
