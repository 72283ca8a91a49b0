import type { ApiError } from '../objects/ApiError.ts';
import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { RequestBudget } from '../objects/RequestBudget.ts';
import type { ListOptions, ObjectList, ObjectListing, TimeLeft } from '../ports/ObjectStore.ts';
import type { RequestAttributes } from './admission/dynamic/RequestAttributes.ts';
import type { FieldTracker } from './fieldmanager/FieldTracker.ts';

/** The outcome of a write. A refusal carries the error that a REST client gets. */
export type WriteOutcome<T> =
  | { readonly status: 'stored'; readonly object: T }
  | { readonly status: 'refused'; readonly error: ApiError };

export type DeleteOutcome<T> =
  /** The object is gone. */
  | { readonly status: 'removed'; readonly object: T }
  /** The object has a deletion timestamp now, and waits for its grace period or its finalizers. */
  | { readonly status: 'deleting'; readonly object: T }
  | { readonly status: 'refused'; readonly error: ApiError };

export interface WriteOptions {
  /** Decide, default, validate and admit, but store nothing. */
  readonly dryRun?: boolean;
  /** The version of a custom resource in which the object was decoded, whose schema and subresources decide. Absent: the storage version. */
  readonly version?: string;
  /**
   * The client's request, for webhooks and policies. Absent: the control plane itself writes. `admitted`: the request was admitted as another one, such as an
   * eviction that deletes a pod.
   */
  readonly request?: RequestAttributes | 'admitted';
  /** How long the write may still begin; milliseconds. A webhook may take so long at most. Absent: without end. */
  readonly timeLeftMs?: TimeLeft;
  /** What the client's request may take. A write that exhausts it is refused. Absent: the write of a controller is a request of its own. */
  readonly budget?: RequestBudget | undefined;
}

/** Options whose write has its budget: the request's, or one of its own. */
export type Budgeted<O extends WriteOptions> = O & { readonly budget: RequestBudget };

/** The options of a write that clients make with a field manager's name. */
export interface TrackedOptions extends WriteOptions {
  /** Decides who owns which fields after the write. Absent for controllers: what they write is not tracked, and the owners stay as they are. */
  readonly fieldTracker?: FieldTracker;
}

export interface UpdateOptions<T> extends TrackedOptions {
  /**
   * `status` takes only the status from the given object, `finalize` (namespaces) only spec.finalizers. Without a subresource, everything except the status
   * is taken. `approval` (certificate signing requests) takes only the decision from the status. `binding` (pods) takes spec.nodeName, and adds the labels,
   * annotations and conditions; see `decideBinding`. The others are the parts of the resource's strategy.
   */
  readonly subresource?: 'status' | 'approval' | 'finalize' | 'binding' | 'ephemeralcontainers' | 'resize';
  /**
   * The stored object as the caller read it, which saves the registry a read. Its resourceVersion is the condition of the write, so a stale object leads
   * to a Conflict and never overwrites.
   */
  readonly from?: T;
}

/** `metav1.DeleteOptions`, parsed. */
export interface DeleteOptions extends WriteOptions {
  /** The policy of the served version if the request asks for none and no finalizer of the object decides it; absent: Background. */
  readonly defaultPropagation?: 'Orphan' | 'Background';
  /** The stored object as the caller read it, which saves the registry a read. If it is stale, the registry reads again. */
  readonly from?: KubernetesObject;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** The UID of the controller that the object must have, however often it changes before it is deleted. For controllers; no request can ask for it. */
  readonly onlyIfControlledBy?: string;
}

/**
 * The objects in their storage version, with Kubernetes' rules: defaulting, validation, generation, UIDs and timestamps, immutability, finalizers,
 * graceful deletion, namespace life cycle, quota. Both REST and the controllers write through the registry, so that the same rules hold for both.
 * It keeps no state between calls. It throws only when the store does.
 */
export interface Registry {
  get<T extends KubernetesObject = KubernetesObject>(key: ObjectKey): Promise<T | undefined>;

  list<T extends KubernetesObject = KubernetesObject>(
    resource: GroupResource,
    options?: ListOptions,
  ): Promise<ObjectList<T>>;

  /** See `ObjectStore.listEncoded`. */
  listEncoded?(resource: GroupResource, options?: Omit<ListOptions, 'index'>): Promise<ObjectListing>;

  /**
   * Creates the object, with a generated name if it has only `generateName`. A controller that plans the UIDs of its pods sets `uid`; REST removes a UID
   * that a client sends.
   */
  create<T extends KubernetesObject>(
    resource: GroupResource,
    object: NewObject,
    options?: TrackedOptions,
  ): Promise<WriteOutcome<T>>;

  /** Replaces the object of that name and namespace. A resourceVersion must be the stored one (otherwise: Conflict); without one the update is unconditional. */
  update<T extends KubernetesObject>(
    resource: GroupResource,
    object: T,
    options?: UpdateOptions<T>,
  ): Promise<WriteOutcome<T>>;

  delete<T extends KubernetesObject>(key: ObjectKey, options?: DeleteOptions): Promise<DeleteOutcome<T>>;
}

/** Returns the registry for a caller whose time is limited, see `ObjectStore.until`. */
export type RegistryUntil = (timeLeftMs: TimeLeft) => Registry;
