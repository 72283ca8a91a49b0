import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { StoreHealth } from './StoreHealth.ts';
import { WakeList } from './WakeList.ts';

/** Reads all changes of all resources made since it was opened. Not for concurrent use. */
export interface StreamReader {
  /** Waits for changes, and returns all since the last call, in the order of their versions. The list is empty only if `signal` is aborted and no change is left. */
  next(signal: AbortSignal): Promise<readonly Change[]>;
  close(): void;
}

/**
 * Delivers every durable change to each reader once, as a DynamoDB table's stream does in the cloud. It keeps nothing across a restart, after which a resync
 * queues every key.
 */
export class ChangeStream {
  readonly #health: StoreHealth;
  readonly #unread = new Set<Change[]>();
  readonly #listeners = new Map<GroupResource, (change: Change) => void>();
  readonly #appended = new WakeList();
  #newestVersion = 0;

  constructor(health: StoreHealth) {
    this.#health = health;
  }

  /** The version of the newest change of any resource; 0 if none was made since the stream was created. */
  get newestVersion(): number {
    return this.#newestVersion;
  }

  append(changes: readonly Change[]): void {
    this.#newestVersion = changes.at(-1)?.version ?? this.#newestVersion;
    for (const unread of this.#unread) for (const change of changes) unread.push(change);
    if (this.#listeners.size > 0) for (const change of changes) this.#listeners.get(change.resource)?.(change);
  }

  /** Calls the listener with each change of one resource before the write is answered. It must not throw. A resource has one listener. */
  listen(resource: GroupResource, listener: (change: Change) => void): void {
    this.#listeners.set(resource, listener);
  }

  wake(): void {
    this.#appended.wake();
  }

  open(): StreamReader {
    const unread: Change[] = [];
    this.#unread.add(unread);
    return {
      next: (signal) => this.#next(unread, signal),
      close: () => this.#unread.delete(unread),
    };
  }

  async #next(unread: Change[], signal: AbortSignal): Promise<readonly Change[]> {
    while (unread.length === 0 && !signal.aborted) {
      this.#health.assertUsable();
      await this.#appended.wait(signal);
    }
    return unread.splice(0);
  }
}
