import { loadRelease } from '../releases/KeptRelease.ts';
import { CLOUD_MUTATIONS } from './cloud/cloudMutations.ts';
import { RELEASE_MUTATIONS } from './cloud/releaseMutations.ts';
import { MUTATIONS } from './mutations.ts';
import { runCloudSeed, runSeed, type SeedResult } from './runSeed.ts';

/** Which stack to run, and with which deliberate defect. */
export interface SeedTask {
  readonly isCloud: boolean;
  /** A defect's name. */
  readonly mutation: string | undefined;
  /** The directory of the release that runs beside this one. Only in the cloud. */
  readonly before: string | undefined;
}

/** One seed to run. */
export interface SeedRequest extends SeedTask {
  readonly seed: number;
}

/** Runs one seed in this process. */
export async function runTask({ seed, isCloud, mutation, before }: SeedRequest): Promise<SeedResult> {
  if (!isCloud) return await runSeed(seed, named(MUTATIONS, mutation));
  const release = before === undefined ? undefined : await loadRelease(before);
  return await runCloudSeed(seed, named([...CLOUD_MUTATIONS, ...RELEASE_MUTATIONS], mutation), release);
}

function named<T extends { readonly name: string }>(mutations: readonly T[], wanted: string | undefined) {
  return mutations.find(({ name }) => name === wanted);
}
