import { isDeepStrictEqual } from 'node:util';
import { checkEnd } from './checkEnd.ts';
import type { Mutation } from './Mutation.ts';
import { normalizedEnd } from './normalizedEnd.ts';
import { Simulation } from './Simulation.ts';

export interface SeedResult {
  readonly seed: number;
  /** Of everything that happened. */
  readonly digest: string;
  /** What went wrong, in a sentence; absent if nothing did. */
  readonly failure?: string;
  /** The last lines of the run that failed, or of the run with faults. */
  readonly tail: readonly string[];
  readonly eventCount: number;
  /** Whether the end was compared with that of a run without faults. */
  readonly isCompared: boolean;
}

interface Run {
  readonly simulation: Simulation;
  readonly failure: string | undefined;
}

/** Runs one seed from beginning to end; if its script commutes, runs it once more without faults and compares the ends. */
export async function runSeed(seed: number, mutation?: Mutation): Promise<SeedResult> {
  const faulty = await runOnce(seed, true, mutation);
  const { script, trace, scheduler } = faulty.simulation;
  const isCompared = faulty.failure === undefined && script.commutes;
  const calm = isCompared ? await runOnce(seed, false, mutation) : undefined;
  const failed = calm ? (calmFailure(calm) ?? difference(faulty, calm)) : faulty.failure;
  return {
    seed,
    digest: trace.digest(),
    ...(failed !== undefined && { failure: failed }),
    tail: calm?.failure === undefined ? trace.tail() : calm.simulation.trace.tail(),
    eventCount: scheduler.eventCount,
    isCompared,
  };
}

async function runOnce(seed: number, withFaults: boolean, mutation: Mutation | undefined): Promise<Run> {
  const simulation = new Simulation({ seed, withFaults, mutation });
  await simulation.run();
  return { simulation, failure: simulation.failure ?? (await checkEnd(simulation)) };
}

function calmFailure({ failure }: Run): string | undefined {
  return failure && `without faults: ${failure}`;
}

function difference(faulty: Run, calm: Run): string | undefined {
  const [is, wanted] = [normalizedEnd(faulty.simulation.world), normalizedEnd(calm.simulation.world)];
  if (isDeepStrictEqual(is, wanted)) return undefined;
  return `it ended otherwise than without faults: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`;
}
