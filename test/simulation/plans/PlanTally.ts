import type { Plan } from './Plan.ts';

/** Counts what a plan may strike, and says when it strikes. */
export class PlanTally {
  readonly #plan: Plan | undefined;
  readonly counts: Record<Plan['what'], number> = { oldRead: 0, unobserved: 0, killed: 0 };
  /** The version at which the story's change began; infinite before. */
  sinceVersion = Number.POSITIVE_INFINITY;

  constructor(plan: Plan | undefined) {
    this.#plan = plan;
  }

  isNext(what: Plan['what']): boolean {
    if (this.sinceVersion === Number.POSITIVE_INFINITY) return false;
    this.counts[what] += 1;
    return this.#plan?.what === what && this.#plan.nth === this.counts[what];
  }
}
