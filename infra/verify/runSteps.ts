import { ReadError } from '../preflight/AccountReads.ts';
import { ApiFailure } from './ClusterApi.ts';
import type { Place } from './Place.ts';
import { type AnyStep, STEPS } from './STEPS.ts';
import type { VerdictKind } from './Step.ts';

/** What the report says of a step. */
export interface Outcome {
  readonly step: string;
  readonly expects: string;
  /**
   * - `unchecked`: AWS did not answer what the step asks.
   * - `notHere`: this stack, or this server, has nothing of the kind.
   * - `notRun`: nobody has asked for it, or the run was interrupted.
   */
  readonly kind: VerdictKind | 'unchecked' | 'notHere' | 'notRun';
  readonly seen: string;
}

/** What the user has asked for. */
export interface Choice {
  /** The only steps to run; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** The noisy steps to run. */
  readonly including: readonly string[];
  /** Whether a step that AWS bills may run: why it costs something. */
  readonly mayCost: (step: string, why: string) => Promise<boolean>;
}

/** Runs the steps one after the other, and calls `onOutcome` with each. One that fails, or has no answer, ends itself alone. */
export async function runSteps(
  place: Place,
  choice: Choice,
  onOutcome: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of STEPS) {
    const { id, expects } = step;
    if (choice.only && !choice.only.includes(id)) continue;
    const outcome = { step: id, expects, ...(await outcomeOf(step, place, choice)) };
    outcomes.push(outcome);
    onOutcome(outcome);
  }
  return outcomes;
}

type Said = Pick<Outcome, 'kind' | 'seen'>;

async function outcomeOf(step: AnyStep, place: Place, choice: Choice): Promise<Said> {
  if (place.clock.signal.aborted) return { kind: 'notRun', seen: 'Not run: the run was interrupted.' };
  const reason = step.unavailable(place);
  if (reason !== undefined) return { kind: 'notHere', seen: `Not to be had here: ${reason}.` };
  const refusal = await refusalOf(step, choice);
  if (refusal !== undefined) return { kind: 'notRun', seen: refusal };
  const said = await attempt(step, place);
  const left = await place.cleanups.run();
  if (left.length === 0) return said;
  return { kind: 'failed', seen: `${said.seen} Left behind, to be undone by hand: ${left.join('; ')}.` };
}

async function refusalOf({ id, optIn }: AnyStep, { including, mayCost }: Choice): Promise<string | undefined> {
  if (!optIn || including.includes(id)) return undefined;
  if (optIn.kind === 'noisy') return `Not run without \`--with ${id}\`: ${optIn.why}.`;
  return (await mayCost(id, optIn.why)) ? undefined : `Not run without \`--yes\`: ${optIn.why}.`;
}

async function attempt(step: AnyStep, place: Place): Promise<Said> {
  try {
    return await step.run(place);
  } catch (error) {
    if (place.clock.signal.aborted) return { kind: 'notRun', seen: 'Interrupted.' };
    if (error instanceof ReadError) return unanswered(error);
    if (error instanceof ApiFailure) return { kind: 'failed', seen: `Failed: ${error.message}.` };
    const { name, message } = error as Error;
    return { kind: 'failed', seen: `Failed: ${name}: ${message.split('\n', 1)[0]}.` };
  }
}

function unanswered({ action, failure, message }: ReadError): Said {
  switch (failure) {
    case 'denied':
      return { kind: 'unchecked', seen: `Not checked: it needs the permission ${action}.` };
    case 'noService':
      return { kind: 'unchecked', seen: `Not checked: the region has no ${action.split(':', 1)[0]}.` };
    case 'failed':
      return { kind: 'unchecked', seen: `Not checked: ${action} failed with ${message}.` };
  }
}
