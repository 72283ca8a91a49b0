import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';

/** What becomes of a write: `lost` never arrives, `unanswered` arrives but its sender does not learn of it, `late` arrives when `arrive` is called. The sender of all of them sees an error. */
export type Fate = 'arrive' | 'lost' | 'unanswered' | 'late';

/** A store one of whose writes fails, as if its sender had crashed or stalled at that moment. */
export class CrashingStore implements ObjectStore {
  readonly #store: ObjectStore;
  readonly #late: (() => Promise<unknown>)[] = [];
  /** What becomes of the n-th write, from 0. */
  fate: (nth: number) => Fate = () => 'arrive';
  writes = 0;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  get: ObjectStore['get'] = (key) => this.#store.get(key);
  list: ObjectStore['list'] = (resource, options) => this.#store.list(resource, options);
  create: ObjectStore['create'] = (resource, object) => this.#send(() => this.#store.create(resource, object));
  replace: ObjectStore['replace'] = (resource, object) => this.#send(() => this.#store.replace(resource, object));
  remove: ObjectStore['remove'] = (key, preconditions) => this.#send(() => this.#store.remove(key, preconditions));
  burn: ObjectStore['burn'] = (key, uid) => this.#send(() => this.#store.burn(key, uid));

  /** The late writes arrive. */
  async arrive(): Promise<void> {
    for (const write of this.#late.splice(0)) await write();
  }

  async #send<T>(write: () => Promise<T>): Promise<T> {
    const fate = this.fate(this.writes++);
    if (fate === 'arrive') return await write();
    if (fate === 'late') this.#late.push(write);
    if (fate === 'unanswered') await write();
    throw new Error('the store did not answer');
  }
}
