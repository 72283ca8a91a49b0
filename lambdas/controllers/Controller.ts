import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { Change } from '../ports/ChangeLog.ts';
import type { Intent, KeyItem } from '../ports/KeyLocks.ts';
import type { WorkKey } from '../ports/WorkKey.ts';
import type { KeyToSend } from '../ports/WorkQueue.ts';
import type { GuardedObjectStore, GuardedRegistry } from './GuardedWriters.ts';

/**
 * How a sync ended, in the terms of client-go's `processNextWorkItem`.
 * - `done`: forget the key's failures (`Forget`).
 * - `requeueAfter`: done, and look at the key again after `delayMs` milliseconds (`AddAfter`).
 * - `conflict`: a conditional write met a newer object; observe again at once.
 * A sync that fails throws, and its key is retried with backoff (`AddRateLimited`).
 */
export type SyncOutcome =
  | { readonly status: 'done' }
  | { readonly status: 'requeueAfter'; readonly delayMs: number }
  | { readonly status: 'conflict' };

/** What a sync reports about itself: for the log line, for metrics, and to explain why a rollout is stuck. */
export interface SyncReport {
  readonly outcome: SyncOutcome;
  /** Sentences: what was decided and the arithmetic behind it, then what is waited for. */
  readonly why: readonly string[];
  /** What the sync observed, small and readable: ReplicaSets with desired, current, available. */
  readonly observed?: Readonly<Record<string, unknown>>;
  /** The writes that the sync made, one phrase each: `scale replicasets.apps default/web-5d9c to 3`. */
  readonly writes: readonly string[];
}

/** What a worker that holds a key's lock starts a sync with. */
export interface SyncStart {
  /** The time by which this sync decides: read once, when it began. */
  readonly nowMs: number;
  /** No write may begin from here on (see guardWrites); the lock ends a little later. */
  readonly deadlineMs: number;
  /** The key's item when the lock was acquired, with the intent that a sync before this one has recorded under the same lock. */
  readonly item: KeyItem;
  /**
   * Records what the sync is about to do (see `settleIntent`). The intent is durable before this resolves. Throws if the lock was lost meanwhile. `undefined` clears the intent at the end of the sync. This write
   * needs no guard, because it is conditional on holding the lock.
   */
  recordIntent(intent: Intent | undefined): Promise<void>;
}

/** kube-controller-manager's `maxRetries`: it drops a Deployment's key after so many retries. They are about 82 s apart by then. */
export const MAX_RETRIES = 15;

/** What a controller's sync gets besides its key: all writes of the sync go through its registry and its object store. */
export interface SyncContext extends Omit<SyncStart, 'deadlineMs'> {
  readonly registry: GuardedRegistry;
  readonly objectStore: GuardedObjectStore;
  /** Whether the sync may begin another piece of work. It turns false a while before the deadline, from which on every write is refused. So a sync that leaves its rest to the next one has ended by then, and its lock is free. */
  readonly mayGoOn: () => boolean;
}

/**
 * A controller: which keys a change concerns, and what to do about one key. A `Controller<SyncContext>` relies on guarded writers; `guardWrites` makes it a Controller
 * that the sync function can run.
 */
export interface Controller<Context = SyncStart> {
  readonly name: string;
  /** The resources whose objects the keys stand for. A resync lists them. */
  readonly resources: readonly GroupResource[];
  /** Returns the custom resources whose objects the keys stand for as well; absent: none. */
  readonly customResources?: () => Promise<readonly GroupResource[]>;
  /** The resources whose changes `keysFor` is called with: a list, or anything that can tell. */
  readonly watches: { includes(resource: GroupResource): boolean };
  /**
   * Returns the keys that a change concerns, as the informers' event handlers do. A change may come twice, late and out of order. Returns a promise only if it has to read: every change of a pod is
   * shown to a dozen controllers, most of which it does not concern.
   */
  keysFor(change: Change): readonly KeyToSend[] | Promise<readonly KeyToSend[]>;
  /**
   * Returns the keys that a resync queues for an object of one of `resources`. An object that needs nothing has none. `lost`: only changes of these resources may have been missed, so an object that they
   * cannot concern needs none either.
   */
  keysToResync(object: KubernetesObject, resource: GroupResource, lost?: readonly GroupResource[]): readonly WorkKey[];
  readonly sync: (key: WorkKey, context: Context) => Promise<SyncReport>;
  /** After this number of retries in a row the key becomes a dead letter. Absent: it is retried for ever. */
  readonly maxRetries?: number;
}
