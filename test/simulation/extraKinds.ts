import type { Script } from './ClientOp.ts';
import { AUTOSCALERS } from './drawAutoscalers.ts';
import { BUDGETS } from './drawBudgets.ts';
import { CRON_JOBS } from './drawCronJobs.ts';
import { CROWDS } from './drawCrowds.ts';
import { DAEMON_SETS } from './drawDaemonSets.ts';
import { JOBS } from './drawJobs.ts';
import { drawScript } from './drawScript.ts';
import { STATEFUL_SETS } from './drawStatefulSets.ts';
import { WAITERS } from './drawWaiters.ts';
import { type ExtraKind, withExtraKind } from './ExtraKind.ts';
import type { Random } from './Random.ts';

/** The kinds that both simulations draw. */
export const EXTRA_KINDS: readonly ExtraKind[] = [
  JOBS,
  CRON_JOBS,
  BUDGETS,
  DAEMON_SETS,
  AUTOSCALERS,
  STATEFUL_SETS,
  CROWDS,
  WAITERS,
];

/** Draws what the users of a seed do, with those of the kinds that the seed has. */
export function drawWithKinds(random: Random, seed: number, kinds: readonly ExtraKind[]): Script {
  return kinds.reduce((script, kind) => withExtraKind(script, kind, seed), drawScript(random));
}
