import type { IndexName } from '../objects/indexes.ts';
import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';

/** The largest object that can be stored, in bytes of its JSON: what fits a DynamoDB item with its keys and index attributes. */
export const MAX_OBJECT_BYTES = 380_000;

/** How long a UID that was removed or burned under a name cannot come back: a day. */
export const TOMBSTONE_LIFETIME_MS = 24 * 60 * 60_000;

export type StoredOutcome<T> = { readonly status: 'stored'; readonly object: T };
export type CreateOutcome<T> =
  | StoredOutcome<T>
  /** The name is taken; `current` is who has it, or absent when this very UID stood there once and was removed or burned. */
  | { readonly status: 'exists'; readonly current?: T }
  | { readonly status: 'tooLarge'; readonly bytes: number };
export type ReplaceOutcome<T> =
  | StoredOutcome<T>
  | { readonly status: 'conflict'; readonly current: T }
  | { readonly status: 'absent' }
  | { readonly status: 'tooLarge'; readonly bytes: number };
export type RemoveOutcome<T> =
  /** `object` is what was removed, carrying the resourceVersion of its deletion. */
  | { readonly status: 'removed'; readonly object: T }
  | { readonly status: 'conflict'; readonly current: T }
  | { readonly status: 'absent' };

export interface ListOptions {
  /** One namespace; absent means all of them. Cluster-scoped resources live in namespace `''`. */
  readonly namespace?: string;
  /** Only objects that stand in this index under this value. */
  readonly index?: { readonly name: IndexName; readonly value: string };
  /** At most so many items. */
  readonly limit?: number;
  /** Continue behind this place; lists are ordered by namespace, then name, in code-unit order. */
  readonly after?: { readonly namespace: string; readonly name: string };
}

export interface ObjectList<T> {
  readonly items: readonly T[];
  /** True when `limit` cut the list. */
  readonly more: boolean;
}

/**
 * The objects. Every read is strongly consistent: it sees each write that was acknowledged before it began. Every write is one conditional
 * write, durable before its promise resolves, and draws a new version for the resource (see ChangeLog), which the answered object carries.
 *
 * Objects handed in are not kept: changing them later changes nothing here. Objects handed out never change under the reader; they may be
 * frozen, so copy before you change one.
 *
 * The store knows nothing of Kubernetes' rules (generation, finalizers, graceful deletion): those are the registry's. Expected outcomes are
 * values; what throws is that the store could not be reached or used, after the adapter's own retries. A write that throws may have
 * happened, or may still happen.
 */
export interface ObjectStore {
  get<T extends KubernetesObject = KubernetesObject>(key: ObjectKey): Promise<T | undefined>;

  list<T extends KubernetesObject = KubernetesObject>(
    resource: GroupResource,
    options?: ListOptions,
  ): Promise<ObjectList<T>>;

  /**
   * Needs absence. `metadata.name` and `metadata.uid` must be set, and `metadata.namespace` unless cluster-scoped. A name that an object with another UID
   * once had is free; a UID that was removed or burned under this name never comes back within a day: a create that arrives late, or twice, cannot
   * revive a deleted object.
   */
  create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>>;

  /** Needs the stored object to have the `metadata.resourceVersion` and the `metadata.uid` of the given one. */
  replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>>;

  /** Removes at once (finalizers are the registry's business), leaving a tombstone for a day. Preconditions that do not hold: `conflict`. */
  remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions?: { readonly resourceVersion?: string; readonly uid?: string },
  ): Promise<RemoveOutcome<T>>;

  /**
   * Makes sure that no create of this name with this UID succeeds from now on (for a day), without an object having been there: `burned`. If
   * an object has the name, nothing happens and it is returned: `exists`. No change is logged.
   */
  burn<T extends KubernetesObject = KubernetesObject>(
    key: ObjectKey,
    uid: string,
  ): Promise<{ readonly status: 'burned' } | { readonly status: 'exists'; readonly current: T }>;
}
