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
  readonly tail: readonly string[];
  readonly eventCount: number;
  /** Whether the end was compared with that of a run without faults. */
  readonly isCompared: boolean;
}

/** One seed from beginning to end; and, where its script commutes, once more without faults, to compare the ends. */
export async function runSeed(seed: number, mutation?: Mutation): Promise<SeedResult> {
  const { simulation, failure } = await runOnce(seed, true, mutation);
  const { script, trace, scheduler } = simulation;
  const isCompared = failure === undefined && script.commutes;
  const difference = isCompared ? await compare(simulation, seed, mutation) : undefined;
  const failed = failure ?? difference;
  return {
    seed,
    digest: trace.digest(),
    ...(failed !== undefined && { failure: failed }),
    tail: trace.tail(),
    eventCount: scheduler.eventCount,
    isCompared,
  };
}

async function runOnce(seed: number, withFaults: boolean, mutation: Mutation | undefined) {
  const simulation = new Simulation({ seed, withFaults, mutation });
  await simulation.run();
  return { simulation, failure: simulation.failure ?? (await checkEnd(simulation)) };
}

async function compare(faulty: Simulation, seed: number, mutation: Mutation | undefined): Promise<string | undefined> {
  const { simulation, failure } = await runOnce(seed, false, mutation);
  if (failure !== undefined) return `without faults: ${failure}`;
  const [is, wanted] = [normalizedEnd(faulty.world), normalizedEnd(simulation.world)];
  if (isDeepStrictEqual(is, wanted)) return undefined;
  return `it ended otherwise than without faults: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`;
}
