import type { Clock } from '../ports/Clock.ts';
import { type ObjectStore, WRITE_LIFETIME_MS } from '../ports/ObjectStore.ts';
import type { Registry, RegistryUntil } from '../registry/Registry.ts';
import type { Controller, SyncContext } from './Controller.ts';
import { GuardedObjectStore, GuardedRegistry } from './GuardedWriters.ts';

/**
 * How long after a sync's deadline the last of its calls end, in milliseconds. A write that began just before the deadline has had its effect by then, or never will: it is longer than a write
 * lasts, and ends before the lock does.
 */
export const LAST_CALLS_END_MS = WRITE_LIFETIME_MS + 1_000;

/** The part of a sync's time in which it begins nothing more, so that what it has begun ends before the deadline. */
const TO_END = 1 / 6;

/** What a controller's writes go to. */
export interface Writers {
  readonly registry: Registry;
  /** Makes the registry of one sync, whose calls end with it; absent if the store always answers at once. */
  readonly registryUntil?: RegistryUntil | undefined;
  readonly objectStore: ObjectStore;
  /** The clock of the syncs' deadlines. */
  readonly clock: Clock;
}

/**
 * Gives each sync of a controller writers of its own, which refuse every write from the sync's deadline on, with a WriteRefusedError. A write that began later could end after the lock, when another
 * worker has the key already. This is the only place with this rule. The one write that it does not guard is a sync's own intent (`recordIntent`): the lock guards that. The writers are classes with private members, so no other object has their type, and a
 * controller cannot be given an unguarded one by mistake.
 */
export function guardWrites(
  controller: Controller<SyncContext>,
  { registry, registryUntil, objectStore, clock }: Writers,
): Controller {
  return {
    ...controller,
    sync(key, { deadlineMs, ...start }) {
      const leftToWriteMs = () => deadlineMs - clock.now();
      const mayWrite = () => leftToWriteMs() > 0;
      const timeLeftMs = () => leftToWriteMs() + LAST_CALLS_END_MS;
      const lastMs = leftToWriteMs() * TO_END;
      return controller.sync(key, {
        ...start,
        registry: new GuardedRegistry(registryUntil?.(timeLeftMs) ?? registry, leftToWriteMs),
        objectStore: new GuardedObjectStore(objectStore.until?.(timeLeftMs) ?? objectStore, mayWrite),
        mayGoOn: () => leftToWriteMs() > lastMs,
      });
    },
  };
}
