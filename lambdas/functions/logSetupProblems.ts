import type { Clock } from '../ports/Clock.ts';
import type { Log } from './createLog.ts';
import { MINUTE_MS } from './limits.ts';

/** The line's message, which the stack's alarm counts. */
export const SETUP_PROBLEM = 'the setup is wrong';

/** Writes one line for each problem, at most once in five minutes, however many requests meet it. */
export function logSetupProblems(
  log: Log,
  clock: Pick<Clock, 'steadyMs'>,
): (problem: { readonly problem: string; readonly whatToDo: string }) => void {
  const loggedAtMs = new Map<string, number>();
  return ({ problem, whatToDo }) => {
    const nowMs = clock.steadyMs();
    if (nowMs - (loggedAtMs.get(whatToDo) ?? Number.NEGATIVE_INFINITY) < 5 * MINUTE_MS) return;
    loggedAtMs.set(whatToDo, nowMs);
    log({ level: 'error', msg: SETUP_PROBLEM, problem, whatToDo });
  };
}
