import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { bundleWorker } from './bundleWorker.ts';
import { runTask, type SeedRequest, type SeedTask } from './runTask.ts';
import type { SeedResult } from './runSeed.ts';

/** Runs seeds, each in one of several processes if there is more than one: a seed's run depends on nothing but the seed. */
export interface SeedPool {
  /** Yields the results in the order of the seeds, up to the first that failed. */
  run(first: number, count: number, task: SeedTask): AsyncIterable<SeedResult>;
}

export function createSeedPool(processes = availableParallelism()): SeedPool {
  return {
    async *run(first, count, task) {
      if (count === 1 || processes === 1) {
        for (let seed = first; seed < first + count; seed += 1) yield await runTask({ ...task, seed });
        return;
      }
      yield* inOrder(first, count, task, Math.min(processes, count));
    },
  };
}

/** Keeps every process busy with one seed, and yields what is next in order as soon as it is there. */
async function* inOrder(first: number, count: number, task: SeedTask, processes: number) {
  const bundle = await bundleWorker(new URL('seedWorker.ts', import.meta.url));
  const workers = Array.from({ length: processes }, () => startProcess(bundle.path));
  const results = new Map<number, Promise<SeedResult>>();
  let next = first;
  const work = (worker: ChildProcess): void => {
    if (next === first + count) return;
    const seed = next;
    next += 1;
    const result = ask(worker, { ...task, seed });
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
    await bundle.remove();
  }
}

function startProcess(path: string): ChildProcess {
  return fork(path, { execArgv: ['--enable-source-maps'], serialization: 'advanced' });
}

function ask(worker: ChildProcess, request: SeedRequest): Promise<SeedResult> {
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
