import type { AccountReads } from './AccountReads.ts';
import type { Caller } from './Caller.ts';
import type { Plan } from './Plan.ts';

/** - `ok`: nothing to do. - `advice`: the deployment works, and a knob should be another. - `wrong`: the deployment, or the stack after it, would fail. */
export type VerdictKind = 'ok' | 'advice' | 'wrong';

/** What a check says of its facts. */
export interface Verdict {
  readonly kind: VerdictKind;
  /** What was found and what to do, in a sentence or two. */
  readonly message: string;
  /** The knobs that should be set, with their values. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** What will be deployed, and where. */
export interface Deployment {
  readonly plan: Plan;
  readonly caller: Caller;
}

/** One line of the report: what it asks the account, and what it decides on the answers. */
export interface Check<Facts> {
  /** Two or three words that stand before its line. */
  readonly name: string;
  /** False if what is deployed has nothing to do with it. Absent: always true. */
  appliesTo?(plan: Plan): boolean;
  /** Throws a ReadError if a call has no answer. */
  observe(account: AccountReads, deployment: Deployment): Promise<Facts>;
  /** Pure. */
  decide(facts: Facts, deployment: Deployment): Verdict;
}

export const ok = (message: string): Verdict => ({ kind: 'ok', message });

export const advice = (message: string, set: Verdict['set'] = {}): Verdict => ({ kind: 'advice', message, set });

export const wrong = (message: string, set: Verdict['set'] = {}): Verdict => ({ kind: 'wrong', message, set });
