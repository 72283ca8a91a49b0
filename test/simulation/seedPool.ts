import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { MUTATIONS } from './mutations.ts';
import type { Mutation } from './Mutation.ts';
import { runSeed, type SeedResult } from './runSeed.ts';

interface Request {
  readonly seed: number;
  readonly mutation: string | undefined;
}

/** Runs seeds, each in one of several processes if there is more than one: a seed's run depends on nothing but the seed. */
export interface SeedPool {
  /** Yields the results in the order of the seeds, up to the first that failed. */
  run(first: number, count: number, mutation: Mutation | undefined): AsyncIterable<SeedResult>;
}

export function createSeedPool(processes = availableParallelism()): SeedPool {
  return {
    async *run(first, count, mutation) {
      if (count === 1 || processes === 1) {
        for (let seed = first; seed < first + count; seed += 1) yield await runSeed(seed, mutation);
        return;
      }
      yield* inOrder(first, count, mutation, Math.min(processes, count));
    },
  };
}

/** Keeps every process busy with one seed, and yields what is next in order as soon as it is there. */
async function* inOrder(first: number, count: number, mutation: Mutation | undefined, processes: number) {
  const workers = Array.from({ length: processes }, startProcess);
  const results = new Map<number, Promise<SeedResult>>();
  let next = first;
  const work = (worker: ChildProcess): void => {
    if (next === first + count) return;
    const seed = next;
    next += 1;
    const result = ask(worker, { seed, mutation: mutation?.name });
    results.set(seed, result);
    result.then(
      () => work(worker),
      () => undefined,
    );
  };
  for (const worker of workers) work(worker);
  try {
    for (let seed = first; seed < first + count; seed += 1) {
      yield await (results.get(seed) as Promise<SeedResult>);
      results.delete(seed);
    }
  } finally {
    for (const worker of workers) worker.kill();
  }
}

function startProcess(): ChildProcess {
  return fork(new URL(import.meta.url), [WORKER], { execArgv: ['--import', 'tsx'], serialization: 'advanced' });
}

function ask(worker: ChildProcess, request: Request): Promise<SeedResult> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the process of seed ${request.seed} ended with ${code}`));
    worker.once('exit', onExit);
    worker.once('message', (result) => {
      worker.off('exit', onExit);
      resolve(result as SeedResult);
    });
    worker.send(request);
  });
}

const WORKER = 'run-seeds';

if (process.argv[2] === WORKER) {
  process.on('message', (message) => {
    const { seed, mutation } = message as Request;
    void runSeed(
      seed,
      MUTATIONS.find(({ name }) => name === mutation),
    ).then((result) => process.send?.(result));
  });
}
