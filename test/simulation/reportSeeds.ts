import { createHash } from 'node:crypto';
import type { SimOptions } from './parseSimOptions.ts';
import { runSeed, type SeedResult } from './runSeed.ts';

type SeedOptions = Extract<SimOptions, { run: 'seeds' }>;

const TAIL_LINES = 40;

/** Runs seeds and tells of them; answers with the exit code. With a mutation the first seed that finds it ends the run. */
export async function reportSeeds(options: SeedOptions, print: (line: string) => void): Promise<number> {
  const { seeds, seed, mutation } = options;
  const defect = mutation ? ` with the defect ${mutation.name}: ${mutation.what}` : '';
  print(`seeds ${seed} to ${seed + seeds - 1}${defect}`);
  const digest = createHash('sha256');
  let events = 0;
  let compared = 0;
  for (let at = seed; at < seed + seeds; at += 1) {
    const result = await runSeed(at, mutation);
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

function reportFailure(result: SeedResult, { seed, mutation, isTraced }: SeedOptions, print: (line: string) => void) {
  const { tail } = result;
  for (const line of isTraced ? tail : tail.slice(-TAIL_LINES)) print(line);
  print('');
  print(`seed ${result.seed} failed after ${result.seed - seed} that held: ${result.failure}`);
  print(`digest ${result.digest}`);
  const defect = mutation ? ` --mutate ${mutation.name}` : '';
  print(`to replay it: npm run sim -- --seed ${result.seed}${defect} --trace`);
}
