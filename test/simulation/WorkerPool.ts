import { createWorker, type Worker, type WorkerParts } from './Worker.ts';

/** The instances of the functions: each does one thing at a time, and is used again as long as it lives. */
export class WorkerPool {
  readonly #parts: WorkerParts;
  readonly #idle: Worker[] = [];
  readonly #live = new Set<Worker>();
  #created = 0;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Returns a worker that has nothing to do, or a new one. `onDeath` is called if it dies before it is given back. */
  take(onDeath: () => void): Worker {
    let idle = this.#idle.pop();
    // A worker may have died since, by a request that its last sync left under way.
    while (idle?.isDead) idle = this.#idle.pop();
    this.#created += idle ? 0 : 1;
    const worker = idle ?? createWorker(`worker-${this.#created}`, this.#parts);
    this.#live.add(worker);
    worker.onDeath = () => {
      this.#live.delete(worker);
      onDeath();
    };
    return worker;
  }

  /** Its work has ended. The requests that it left under way go on. */
  giveBack(worker: Worker): void {
    worker.onDeath = () => this.#live.delete(worker);
    if (!worker.isDead) this.#idle.push(worker);
  }

  /** Ends all of them at once, as the end of their process would. */
  kill(): void {
    for (const worker of this.#live) worker.kill();
  }
}
