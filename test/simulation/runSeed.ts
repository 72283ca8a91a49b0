import { isDeepStrictEqual } from 'node:util';
import type { Release } from '../releases/Release.ts';
import { checkEnd, type EndedRun } from './checkEnd.ts';
import type { Script } from './ClientOp.ts';
import type { CloudMutation } from './cloud/CloudMutation.ts';
import { CloudSimulation } from './cloud/CloudSimulation.ts';
import type { Mutation } from './Mutation.ts';
import { normalizedEnd } from './normalizedEnd.ts';
import type { Scheduler } from './Scheduler.ts';
import { Simulation } from './Simulation.ts';
import type { Trace } from './Trace.ts';

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

/** A simulation that can be run from beginning to end. */
interface Runnable extends EndedRun {
  readonly script: Script;
  readonly trace: Trace;
  readonly scheduler: Scheduler;
  readonly failure: string | undefined;
  run(): Promise<void>;
}

interface Run {
  readonly simulation: Runnable;
  readonly failure: string | undefined;
}

/** Runs one seed from beginning to end; if its script commutes, runs it once more without faults and compares the ends. */
export function runSeed(seed: number, mutation?: Mutation, maxEvents?: number): Promise<SeedResult> {
  return runTwice(seed, (withFaults) => new Simulation({ seed, withFaults, mutation, maxEvents }));
}

/** The same of the stack over models of AWS' services; with the release before beside this one if it is given. */
export function runCloudSeed(seed: number, mutation?: CloudMutation, before?: Release): Promise<SeedResult> {
  return runTwice(seed, (withFaults) => new CloudSimulation({ seed, withFaults, mutation, before }));
}

async function runTwice(seed: number, create: (withFaults: boolean) => Runnable): Promise<SeedResult> {
  const faulty = await runOnce(create(true));
  const { script, trace, scheduler } = faulty.simulation;
  const isCompared = faulty.failure === undefined && script.commutes;
  const calm = isCompared ? await runOnce(create(false)) : undefined;
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

async function runOnce(simulation: Runnable): Promise<Run> {
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
