import type { FunctionName } from '../../../infra/topology.ts';
import { type Release, THIS_RELEASE } from '../../releases/Release.ts';
import type { Random } from '../Random.ts';

/** What becomes of one function at a deployment. */
export interface FunctionUpdate {
  readonly atMs: number;
  readonly functionName: FunctionName;
  /** The part of its new instances that run this release; the others run the release before. */
  readonly share: number;
}

/** The order in which CloudFormation updates functions is its own. */
const UPDATED: readonly FunctionName[] = ['api', 'record', 'enqueue', 'sync', 'resync'];
/** All functions of a deployment are updated within this time. */
const DEPLOYMENT_MS = 30_000;

/** Draws up to four deployments of this release, or back to the release before, of which some are gradual. In time order. */
export function drawDeployments(random: Random, endMs: number): readonly FunctionUpdate[] {
  const deployments = Array.from({ length: random.integer(1, 4) }, () => {
    const fromMs = random.integer(0, endMs);
    const share = random.pick([0, 1, 1, random.fraction()]);
    return UPDATED.map((functionName) => ({ atMs: fromMs + random.integer(0, DEPLOYMENT_MS), functionName, share }));
  });
  return deployments.flat().sort((one, other) => one.atMs - other.atMs);
}

/** Two releases over the same tables: which code each process runs. At first all run the release before. */
export class MixedReleases {
  readonly #before: Release;
  readonly #random: Random;
  readonly #shares = new Map<string, number>();
  readonly #ofProcess = new Map<string, Release>();

  constructor(before: Release, random: Random) {
    this.#before = before;
    this.#random = random;
  }

  /** From now on the function's new instances run this release with the probability `share`. */
  update({ functionName, share }: FunctionUpdate): void {
    this.#shares.set(functionName, share);
  }

  /** The code that a process runs, by its name (`sync-3`): drawn when it starts. Watches are held by the API. */
  readonly releaseOf = (processName: string): Release => {
    const known = this.#ofProcess.get(processName);
    if (known) return known;
    const [functionName = ''] = processName.split('-');
    const share = this.#shares.get(functionName === 'watch' ? 'api' : functionName) ?? 0;
    const release = this.#random.chance(share) ? THIS_RELEASE : this.#before;
    this.#ofProcess.set(processName, release);
    return release;
  };
}
