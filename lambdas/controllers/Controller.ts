import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { Change } from '../ports/ChangeLog.ts';
import type { Intent, KeyItem } from '../ports/KeyLocks.ts';
import type { ControllerName, WorkKey } from '../ports/WorkKey.ts';
import type { KeyToSend } from '../ports/WorkQueue.ts';

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

/** What a sync gets besides its key. */
export interface SyncContext {
  /** The time that this sync decides by; read once, when it began. */
  readonly nowMs: number;
  /** No write may begin that cannot end before this; the lock ends a little later. */
  readonly deadlineMs: number;
  /** Of this key, as the lock was acquired. */
  readonly item: KeyItem;
  /** Durable before it resolves; throws if the lock was lost meanwhile. `undefined` clears it, as of the end of the sync. */
  recordIntent(intent: Intent | undefined): Promise<void>;
}

/** kube-controller-manager's `maxRetries`: it drops a Deployment's key after so many retries. They are about 82 s apart by then. */
export const MAX_RETRIES = 15;

/** A controller: which keys a change concerns, and what to do about one key. */
export interface Controller {
  readonly name: ControllerName;
  /** The resources whose objects its keys are about: what a resync lists. */
  readonly resources: readonly GroupResource[];
  /** The resources whose changes its `keysFor` wants to see. */
  readonly watches: readonly GroupResource[];
  /** The informers' event handlers: the keys that this change concerns. May come twice, late and out of order. */
  keysFor(change: Change): Promise<readonly KeyToSend[]>;
  /** The keys that a resync queues for this object of one of `resources`; none for an object that needs no looking at. */
  keysToResync(object: KubernetesObject, resource: GroupResource): readonly WorkKey[];
  sync(key: WorkKey, context: SyncContext): Promise<SyncReport>;
  /** After so many failures in a row the key goes to the dead-letter queue. Absent: it is tried for ever. */
  readonly maxRetries?: number;
}
