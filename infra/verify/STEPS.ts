import type { Place } from './Place.ts';
import type { OptIn, Step, Verdict } from './Step.ts';
import { whoami } from './steps/whoami.ts';
import { budget, cost } from './steps/costs.ts';
import { container, runtimes, stack } from './steps/deployment.ts';
import { accessLog, audit, hops } from './steps/logs.ts';
import { alarm, alarmGroups, throttle } from './steps/noisy.ts';
import { requestTime } from './steps/requestTime.ts';
import { restore } from './steps/restore.ts';
import { rollout } from './steps/rollout.ts';
import { load, pause, watchLength } from './steps/slow.ts';
import { tables } from './steps/tables.ts';
import { watch } from './steps/watch.ts';
import { workers } from './steps/workers.ts';
import { zones } from './steps/zones.ts';

/** A step whose type of facts is its own affair. */
export interface AnyStep {
  readonly id: string;
  readonly expects: string;
  readonly optIn?: OptIn;
  unavailable(place: Place): string | undefined;
  run(place: Place): Promise<Verdict>;
}

function runner<Facts>(step: Step<Facts>): AnyStep {
  const { id, expects, optIn } = step;
  return {
    id,
    expects,
    ...(optIn && { optIn }),
    unavailable: (place) => step.unavailable?.(place),
    run: async (place) => step.judge(await step.observe(place), place),
  };
}

/** The steps in their order: what is only read comes first, then what the API is asked, then what that has left in logs, and last what disturbs others. */
export const STEPS: readonly AnyStep[] = [
  runner(stack),
  runner(tables),
  runner(zones),
  runner(runtimes),
  runner(whoami),
  runner(requestTime),
  runner(watch),
  runner(rollout),
  runner(container),
  runner(workers),
  runner(accessLog),
  runner(audit),
  runner(hops),
  runner(budget),
  runner(cost),
  runner(restore),
  runner(watchLength),
  runner(load),
  runner(pause),
  runner(alarm),
  runner(alarmGroups),
  runner(throttle),
];
