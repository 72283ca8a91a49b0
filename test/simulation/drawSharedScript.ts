import type { Script } from './ClientOp.ts';
import { withBudgets } from './drawBudgets.ts';
import { withCronJobs } from './drawCronJobs.ts';
import { withJobs } from './drawJobs.ts';
import { drawScript } from './drawScript.ts';
import type { Random } from './Random.ts';

/** Draws what the users of a seed do in both simulations, with the kinds that only some seeds have. */
export function drawSharedScript(random: Random, seed: number): Script {
  return withBudgets(withCronJobs(withJobs(drawScript(random), seed), seed), seed);
}
