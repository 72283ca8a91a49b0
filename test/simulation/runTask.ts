import { CLOUD_MUTATIONS } from './cloud/cloudMutations.ts';
import { MUTATIONS } from './mutations.ts';
import { runCloudSeed, runSeed, type SeedResult } from './runSeed.ts';

/** Which stack to run, and with which deliberate defect. */
export interface SeedTask {
  readonly isCloud: boolean;
  /** A defect's name. */
  readonly mutation: string | undefined;
}

/** One seed to run. */
export interface SeedRequest extends SeedTask {
  readonly seed: number;
}

/** Runs one seed in this process. */
export function runTask({ seed, isCloud, mutation }: SeedRequest): Promise<SeedResult> {
  return isCloud ? runCloudSeed(seed, named(CLOUD_MUTATIONS, mutation)) : runSeed(seed, named(MUTATIONS, mutation));
}

function named<T extends { readonly name: string }>(mutations: readonly T[], wanted: string | undefined) {
  return mutations.find(({ name }) => name === wanted);
}
