import { createHash } from 'node:crypto';
import { openRelease, RELEASE_BEFORE } from '../releases/KeptRelease.ts';
import type { SimOptions } from './parseSimOptions.ts';
import type { SeedResult } from './runSeed.ts';
import { createSeedPool } from './seedPool.ts';

type SeedOptions = Extract<SimOptions, { run: 'seeds' }>;

const TAIL_LINES = 40;

/** Runs seeds and reports them; returns the exit code. The first seed that fails, as with a mutation it should, ends the run. */
export async function reportSeeds(options: SeedOptions, print: (line: string) => void): Promise<number> {
  const { seeds, seed, isCloud, mutation, mixed } = options;
  const release = mixed === undefined ? undefined : await openRelease(mixed);
  const defect = mutation ? ` with the defect ${mutation.name}: ${mutation.what}` : '';
  const beside = release ? `, beside version ${release.version} at ${release.commit.slice(0, 8)}` : '';
  print(`seeds ${seed} to ${seed + seeds - 1}${defect}${beside}`);
  const digest = createHash('sha256');
  let events = 0;
  let compared = 0;
  const task = { isCloud, mutation: mutation?.name, before: release?.directory };
  for await (const result of createSeedPool().run(seed, seeds, task)) {
    if (result.failure !== undefined) {
      reportFailure(result, options, print);
      return 1;
    }
    digest.update(result.digest);
    events += result.eventCount;
    compared += Number(result.isCompared);
  }
  print(`${seeds} seeds held, ${compared} of them compared with a run without faults; ${events} events`);
  if (mutation) print(`the defect ${mutation.name} was not found`);
  print(`digest ${digest.digest('hex').slice(0, 16)}`);
  return 0;
}

function reportFailure(
  result: SeedResult,
  { seed, isCloud, mutation, mixed, isTraced }: SeedOptions,
  print: (line: string) => void,
) {
  const { tail } = result;
  for (const line of isTraced ? tail : tail.slice(-TAIL_LINES)) print(line);
  print('');
  print(`seed ${result.seed} failed after ${result.seed - seed} that held: ${result.failure}`);
  print(`digest ${result.digest}`);
  const defect = mutation ? ` --mutate ${mutation.name}` : '';
  const beside = mixed === undefined ? '' : ` --mixed ${mixed === RELEASE_BEFORE ? 'before' : mixed}`;
  print(`to replay it: npm run sim --${isCloud ? ' --cloud' : ''} --seed ${result.seed}${beside}${defect} --trace`);
}
