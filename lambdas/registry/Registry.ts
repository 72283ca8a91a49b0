import type { ApiError } from '../objects/ApiError.ts';
import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { ListOptions, ObjectList } from '../ports/ObjectStore.ts';

/** What a write came to. A refusal carries the error that a REST client would be told. */
export type WriteOutcome<T> =
  | { readonly status: 'stored'; readonly object: T }
  | { readonly status: 'refused'; readonly error: ApiError };

export type DeleteOutcome<T> =
  /** Gone. */
  | { readonly status: 'removed'; readonly object: T }
  /** It has a deletion timestamp now, and waits for its grace period or its finalizers. */
  | { readonly status: 'deleting'; readonly object: T }
  | { readonly status: 'refused'; readonly error: ApiError };

export interface WriteOptions {
  /** Decide, default, validate and admit, but store nothing. */
  readonly dryRun?: boolean;
}

export interface UpdateOptions<T> extends WriteOptions {
  /**
   * Only the status (for namespaces, `finalize`: only spec.finalizers; for pods, `binding`: only spec.nodeName) is taken from the given object; without one, everything but
   * the status is.
   */
  readonly subresource?: 'status' | 'finalize' | 'binding';
  /**
   * The stored object as the caller read it, which saves the registry a read. Its resourceVersion is the write's condition, so a stale one ends as a
   * Conflict and never overwrites.
   */
  readonly from?: T;
}

/** `metav1.DeleteOptions`, parsed. */
export interface DeleteOptions extends WriteOptions {
  /** What the served version does when no policy was asked for, and no finalizer on the object says otherwise; absent: Background. */
  readonly defaultPropagation?: 'Orphan' | 'Background';
  /** The stored object as the caller read it, which saves the registry a read; should it be stale, the registry reads again. */
  readonly from?: KubernetesObject;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * The objects with Kubernetes' rules upon them, in storage version: defaulting, validation, generation, UIDs and timestamps, immutability, finalizers,
 * graceful deletion, namespace life cycle, quota. REST and the controllers write through it alike, so that no rule is met by one and
 * missed by the other. It keeps nothing of its own between calls. Throws only when the store does.
 */
export interface Registry {
  get<T extends KubernetesObject = KubernetesObject>(key: ObjectKey): Promise<T | undefined>;

  list<T extends KubernetesObject = KubernetesObject>(
    resource: GroupResource,
    options?: ListOptions,
  ): Promise<ObjectList<T>>;

  /**
   * Creates; names it by `generateName` if it has no name. `uid` may be preset by controllers whose pods have planned UIDs; REST strips what clients send.
   */
  create<T extends KubernetesObject>(
    resource: GroupResource,
    object: NewObject,
    options?: WriteOptions,
  ): Promise<WriteOutcome<T>>;

  /** Replaces the object of that name and namespace. With a resourceVersion it must be the stored one (Conflict otherwise); without one it is unconditional. */
  update<T extends KubernetesObject>(
    resource: GroupResource,
    object: T,
    options?: UpdateOptions<T>,
  ): Promise<WriteOutcome<T>>;

  delete<T extends KubernetesObject>(key: ObjectKey, options?: DeleteOptions): Promise<DeleteOutcome<T>>;
}
