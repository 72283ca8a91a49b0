import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { ApiStore } from '../../model/cloud/CloudModel.ts';
import type { FunctionModel } from '../../model/lambda/FunctionModel.ts';
import type { Scheduler } from '../../simulation/Scheduler.ts';

/** How long a watch lasts before its client resumes it. */
const WATCH_MS = 60_000;

/** A client that watches a resource from now on over the function of the API, and tells of each change when it sees it. */
export class LatencyWatch {
  readonly #api: FunctionModel;
  readonly #scheduler: Scheduler;
  readonly #resource: string;
  readonly #onChange: (change: Change) => void;
  readonly #stopped = new AbortController();

  constructor(api: FunctionModel, scheduler: Scheduler, resource: string, onChange: (change: Change) => void) {
    this.#api = api;
    this.#scheduler = scheduler;
    this.#resource = resource;
    this.#onChange = onChange;
  }

  start(): void {
    void this.#watch();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #watch(): Promise<void> {
    let position: number | undefined;
    while (!this.#stopped.signal.aborted) {
      const { status } = await this.#api.invoke(async (store: ApiStore) => {
        position = await this.#follow(store, position ?? (await store.changeLog.head(this.#resource)));
      });
      if (status !== 'returned') throw new Error(`a watch of ${this.#resource} ended with ${status}`);
    }
  }

  async #follow({ changeLog }: ApiStore, from: number): Promise<number> {
    const timeUp = new AbortController();
    const cancel = this.#scheduler.setTimer(WATCH_MS, () => timeUp.abort());
    const end = AbortSignal.any([timeUp.signal, this.#stopped.signal]);
    const opened = await changeLog.open(this.#resource, from, end);
    if (opened.status !== 'open') throw new Error(`a watch of ${this.#resource} was answered with ${opened.status}`);
    const { cursor } = opened;
    while (!end.aborted) {
      const changes = await cursor.next(end);
      if (changes === 'expired') throw new Error(`a watch of ${this.#resource} has expired`);
      for (const change of changes) this.#onChange(change);
    }
    cancel();
    cursor.close();
    return cursor.position;
  }
}
