import { FIRST_POSITION } from '../../lambdas/ports/ChangeLog.ts';
import type { ApiStore } from '../model/cloud/CloudModel.ts';
import type { FunctionModel } from '../model/lambda/FunctionModel.ts';
import type { Scheduler } from '../simulation/Scheduler.ts';

/** How long a watch of a client that resumes lasts. */
const WATCH_MS = 60_000;

/** Clients that watch all pods: each holds an instance of the API for a minute, then resumes where it was. */
export class ModelWatchers {
  readonly #api: FunctionModel;
  readonly #scheduler: Scheduler;
  #isStopped = false;
  changeCount = 0;

  constructor(api: FunctionModel, scheduler: Scheduler) {
    this.#api = api;
    this.#scheduler = scheduler;
  }

  start(count: number): void {
    for (let watcher = 0; watcher < count; watcher += 1) void this.#watch();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #watch(): Promise<void> {
    let position = FIRST_POSITION;
    while (!this.#isStopped) {
      const outcome = await this.#api.invoke(async (store: ApiStore) => {
        position = await this.#follow(store, position);
      });
      if (outcome.status !== 'returned') await this.#scheduler.wait(1_000);
    }
  }

  async #follow({ changeLog }: ApiStore, from: number): Promise<number> {
    const end = new AbortController();
    const cancel = this.#scheduler.setTimer(WATCH_MS, () => end.abort());
    const opened = await changeLog.open('pods', from, end.signal);
    if (opened.status !== 'open') return await changeLog.head('pods');
    const { cursor } = opened;
    while (!end.signal.aborted && !this.#isStopped) {
      const changes = await cursor.next(end.signal);
      if (changes === 'expired') break;
      this.changeCount += changes.length;
    }
    cancel();
    cursor.close();
    return cursor.position;
  }
}
