import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { Change } from '../ports/ChangeLog.ts';
import type { Intent, KeyItem } from '../ports/KeyLocks.ts';
import type { ControllerName, WorkKey } from '../ports/WorkKey.ts';
import type { KeyToSend } from '../ports/WorkQueue.ts';
import type { GuardedObjectStore, GuardedRegistry } from './guardWrites.ts';

/**
 * How a sync ended, as client-go's `processNextWorkItem` would tell it.
 * - `done`: forget its failures.
 * - `requeueAfter`: done, and look again after so many milliseconds (`AddAfter`).
 * - `conflict`: a conditional write met a newer object; observe again at once.
 * A sync that fails throws, and is tried again with backoff (`AddRateLimited`).
 */
export type SyncOutcome =
  | { readonly status: 'done' }
  | { readonly status: 'requeueAfter'; readonly delayMs: number }
  | { readonly status: 'conflict' };

/** What a sync tells of itself: to the log line, to metrics, and to who asks why a rollout is stuck. */
export interface SyncReport {
  readonly outcome: SyncOutcome;
  /** Sentences: what was decided and the arithmetic behind it, then what is waited for. */
  readonly why: readonly string[];
  /** What was seen, small and readable: replica sets with desired, current, available. */
  readonly observed?: Readonly<Record<string, unknown>>;
  /** The writes that it made, one phrase each: `scale replicasets.apps default/web-5d9c to 3`. */
  readonly writes: readonly string[];
}

/** What a worker that holds a key's lock starts a sync with. */
export interface SyncStart {
  /** The time that this sync decides by; read once, when it began. */
  readonly nowMs: number;
  /** No write may begin from here on (see guardWrites); the lock ends a little later. */
  readonly deadlineMs: number;
  /** The key's item when the lock was acquired. */
  readonly item: KeyItem;
  /**
   * Durable before it resolves; throws if the lock was lost meanwhile. `undefined` clears it, as of the end of the sync. It needs no guard: holding the lock is its condition.
   */
  recordIntent(intent: Intent | undefined): Promise<void>;
}

/** kube-controller-manager's `maxRetries`: it drops a Deployment's key after so many retries. They are about 82 s apart by then. */
export const MAX_RETRIES = 15;

/** What a controller's sync gets besides its key: all writes of the sync go through its registry and its object store. */
export interface SyncContext extends Omit<SyncStart, 'deadlineMs'> {
  readonly registry: GuardedRegistry;
  readonly objectStore: GuardedObjectStore;
  /** False once the deadline has passed, and every write would be refused: for ending early, and well. */
  readonly mayWrite: () => boolean;
  /**
   * The same writers without a deadline, for what is still sent after it: events, statuses, and all of which it does not matter when it lands, since it can be repeated or is
   * conditional on the version that it was decided from.
   */
  readonly late: Pick<SyncContext, 'registry' | 'objectStore'>;
}

/**
 * A controller: which keys a change concerns, and what to do about one key. A `Controller<SyncContext>` relies on guarded writers; `guardWrites` makes it a Controller
 * that the sync function can run.
 */
export interface Controller<Context = SyncStart> {
  readonly name: ControllerName;
  /** The resources whose objects its keys are about: what a resync lists. */
  readonly resources: readonly GroupResource[];
  /** The resources whose changes its `keysFor` wants to see. */
  readonly watches: readonly GroupResource[];
  /** The informers' event handlers: the keys that this change concerns. May come twice, late and out of order. */
  keysFor(change: Change): Promise<readonly KeyToSend[]>;
  /** The keys that a resync queues for this object of one of `resources`; none for an object that needs no looking at. */
  keysToResync(object: KubernetesObject, resource: GroupResource): readonly WorkKey[];
  readonly sync: (key: WorkKey, context: Context) => Promise<SyncReport>;
  /** After so many failures in a row the key goes to the dead-letter queue. Absent: it is tried for ever. */
  readonly maxRetries?: number;
}
