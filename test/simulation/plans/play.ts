import type { ControllerName } from '../../../lambdas/controllers/controllerRooms.ts';
import { ENDS } from '../ends/ENDS.ts';
import { whatIsThere } from './whatIsThere.ts';
import { PlanBench, type PlanBenchOptions } from './PlanBench.ts';
import type { Story } from './Story.ts';

const REST_MS = 60_000;
const WITHIN_MS = 5 * 60_000;

/** What a story came to. */
export interface Played {
  /** How much of each kind a plan may strike until the end is reached. */
  readonly counts: PlanBench['tally']['counts'];
  /** What was to be done at some time. */
  readonly todo: string | undefined;
  /** What the end lacks. */
  readonly missing: string | undefined;
  readonly there: readonly string[];
}

/** Plays the story to its end, and for a while longer with all keys queued anew: what was reached must stay. */
export async function play(
  name: ControllerName,
  story: Story,
  { plan, defect }: Omit<PlanBenchOptions, 'without'> = {},
): Promise<Played> {
  const bench = new PlanBench(name, { plan, defect, without: story.without });
  const missing = () => ENDS[name](bench.world, bench.clock.now());
  let todo: string | undefined;
  let counts = { ...bench.tally.counts };
  let wasMissing = false;
  const look = () => {
    const now = missing();
    todo ??= now;
    if (now !== undefined || wasMissing) counts = { ...bench.tally.counts };
    wasMissing = now !== undefined;
  };
  await bench.bootstrap();
  await story.begin?.(bench);
  await bench.run(REST_MS);
  bench.beginPlan();
  await story.change(bench);
  await bench.run(story.withinMs ?? WITHIN_MS, look);
  // What was not observed is found by the next resync.
  if (plan?.what === 'unobserved' || (plan?.what === 'oldRead' && story.trustsReads)) {
    await bench.resync();
    await bench.run(story.withinMs ?? WITHIN_MS);
  }
  const reached = missing();
  const there = whatIsThere(bench.world);
  await bench.resync();
  await bench.run(REST_MS);
  const left = missing();
  return { counts, todo, missing: reached ?? (left && `it does not stay: ${left}`), there };
}
