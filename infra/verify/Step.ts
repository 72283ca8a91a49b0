import type { Place } from './Place.ts';

/**
 * - `ok`: as promised.
 * - `differs`: it works, but otherwise than the models or the documentation say; an issue is welcome.
 * - `failed`: it does not work.
 */
export type VerdictKind = 'ok' | 'differs' | 'failed';

export interface Verdict {
  readonly kind: VerdictKind;
  /** What was seen, and what it means, in a sentence or two. */
  readonly seen: string;
}

export const ok = (seen: string): Verdict => ({ kind: 'ok', seen });

export const differs = (seen: string): Verdict => ({ kind: 'differs', seen });

export const failed = (seen: string): Verdict => ({ kind: 'failed', seen });

/** Why a step is run only if somebody asks for it. `costs`: AWS bills it. `noisy`: it disturbs others, tells somebody, or takes long. */
export interface OptIn {
  readonly kind: 'costs' | 'noisy';
  /** What it does or costs: a clause that can follow a colon. */
  readonly why: string;
}

/** One thing that only a deployed stack can show. `docs/unseen.md` names the step of each of its rows. */
export interface Step<Facts> {
  /** `request-time`: as in `--only`, `--with` and `docs/unseen.md`. */
  readonly id: string;
  /** What is promised, in a sentence. */
  readonly expects: string;
  /** Absent: the step is always run. */
  readonly optIn?: OptIn;
  /** Why the step says nothing of this stack, as a clause; undefined if it does. Absent: it does of each. Pure. */
  unavailable?(place: Place): string | undefined;
  /** Looks, and leaves nothing behind: what it makes, it hands to `place.cleanups`. Throws a ReadError or an ApiFailure if something has no answer. */
  observe(place: Place): Promise<Facts>;
  /** Pure. */
  judge(facts: Facts, place: Place): Verdict;
}
