import type { IndexLookup } from '../objects/indexes.ts';
import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { ReadVersion } from './ChangeLog.ts';

/** The largest object that can be stored, in bytes of its JSON: 1.5 MiB, which etcd takes in one request. A store may have a lower limit on what it stores of it. */
export const MAX_OBJECT_BYTES = 1_572_864;

/** How long a removed or burned UID is remembered under its name, unless its tombstone is dropped before: a day. Then it can be created again. */
export const TOMBSTONE_LIFETIME_MS = 24 * 60 * 60_000;

/**
 * How long after it began no write of an object can arrive any more, whatever held it up: an hour. A write is not sent later than `WRITE_LIFETIME_MS` after it began, by the wall clock as well as by the steady one, which
 * stands still while a function is frozen; and AWS refuses a request that was signed more than five minutes before.
 */
export const LATEST_WRITE_MS = 60 * 60_000;

/** How long after its last write an event is kept: the default of kube-apiserver's `--event-ttl`. */
export const EVENT_LIFETIME_MS = 60 * 60_000;

/** Within this time after it was called, a write has had its effect, or it never will: ten seconds. */
export const WRITE_LIFETIME_MS = 10_000;

/** Returns how many milliseconds a caller has left: zero or less when its time is over. */
export type TimeLeft = () => number;

/** A call that was not carried out in the time that it had. A write may have happened, but will not happen later. */
export class StoreTimeoutError extends Error {}

type StoredOutcome<T> = { readonly status: 'stored'; readonly object: T };
/** What is too large, and how large it is and may be, in bytes: the object's JSON, that JSON as this store compresses it, or the name. */
export interface TooLargeOutcome {
  readonly status: 'tooLarge';
  readonly part: 'object' | 'compressed' | 'name';
  readonly bytes: number;
  readonly limitBytes: number;
}
export type CreateOutcome<T> =
  | StoredOutcome<T>
  /** The name is taken by `current`. Without `current`, an object with this name and UID existed before and was removed, or the UID was burned. */
  | { readonly status: 'exists'; readonly current?: T }
  | TooLargeOutcome;
export type ReplaceOutcome<T> =
  | StoredOutcome<T>
  | { readonly status: 'conflict'; readonly current: T }
  | { readonly status: 'absent' }
  | TooLargeOutcome;
export type RemoveOutcome<T> =
  /** `object` is the removed object with the resourceVersion of its deletion. */
  | { readonly status: 'removed'; readonly object: T }
  | { readonly status: 'conflict'; readonly current: T }
  | { readonly status: 'absent' };

export interface ListOptions {
  /** One namespace; absent means all of them. Cluster-scoped resources are in namespace `''`. */
  readonly namespace?: string;
  /** Only objects that this index lists under this value. */
  readonly index?: IndexLookup;
  /** The largest number of items to return. */
  readonly limit?: number;
  /** Continue after this place. Lists are ordered by namespace, then name, in code-unit order. */
  readonly after?: { readonly namespace: string; readonly name: string };
}

export interface ObjectList<T> {
  readonly items: readonly T[];
  /** True when `limit` cut the list. */
  readonly more: boolean;
  /** How many items `limit` cut off; absent if it cut off none, or if counting them would take as long as reading them. */
  readonly remaining?: number;
  /** The removals that the list met and that the change log may not hold yet, and the objects that it leaves out because they have ended by themselves. Absent: none. */
  readonly removed?: readonly ReadVersion[];
  /**
   * Deletes tombstones among those that the list met, so that the next list need not read them: old ones, which no late create can meet any more. May be called once the change log has held what the list read for as long
   * as a list takes: until then another list may need them, and the writer of a new object under such a name. Rejects if the store cannot be used. Absent: they are too few to matter.
   */
  readonly dropTombstones?: () => Promise<void>;
}

/** An object of a list as the store holds it. Until it is needed it need not be decoded, which takes five times the memory. */
export interface ListedObject {
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
  /** How much memory its body takes until it is decoded; 0 if it is decoded already, for others. */
  readonly bytes: number;
  /** Returns the object, which is decoded with each call. Throws if it cannot be read. */
  load(): KubernetesObject;
}

/** Like ObjectList. */
export interface ObjectListing extends Omit<ObjectList<never>, 'items'> {
  readonly items: readonly ListedObject[];
}

/** Returns an object that is in memory anyway as one of a list. */
export function listed(object: KubernetesObject): ListedObject {
  const { namespace = '', name, resourceVersion } = object.metadata;
  return { namespace, name, version: Number(resourceVersion), bytes: 0, load: () => object };
}

/**
 * The objects. Every read is strongly consistent: it sees each write that was acknowledged before it began. Every write is one conditional
 * write, durable before its promise resolves. It draws a new version for the resource (see ChangeLog), and the answered object carries that version.
 *
 * The store keeps no reference to an object that it is given: changing the object later changes nothing here. An object that it returns never changes
 * under the reader. It may be frozen, so copy it before you change it.
 *
 * The store knows nothing of Kubernetes' rules (generation, finalizers, graceful deletion): those belong to the registry. Expected outcomes are
 * values. A method throws when the store cannot be reached or used, after the adapter's own retries. A write that throws may have
 * happened, or may still happen until `WRITE_LIFETIME_MS` after it was called.
 */
export interface ObjectStore {
  get<T extends KubernetesObject = KubernetesObject>(key: ObjectKey): Promise<T | undefined>;

  list<T extends KubernetesObject = KubernetesObject>(
    resource: GroupResource,
    options?: ListOptions,
  ): Promise<ObjectList<T>>;

  /** Like `list`, for lists that are too long to be in memory decoded. Absent in a store that holds its objects decoded. */
  listEncoded?(resource: GroupResource, options?: Omit<ListOptions, 'index'>): Promise<ObjectListing>;

  /**
   * Creates the object if the name is free. `metadata.name` and `metadata.uid` must be set, and `metadata.namespace` unless cluster-scoped. The name of
   * a removed object is free for another UID. The same name with the same UID is refused for at least `LATEST_WRITE_MS` after it was removed or burned: a create
   * that arrives late, or twice, cannot revive a deleted object.
   */
  create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>>;

  /** Replaces the stored object if it has the `metadata.resourceVersion` and the `metadata.uid` of the given one. */
  replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>>;

  /** Removes the object at once and leaves a tombstone, for a day or until a list drops it. Finalizers are the registry's concern. Preconditions that do not hold: `conflict`. */
  remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions?: { readonly resourceVersion?: string; readonly uid?: string },
  ): Promise<RemoveOutcome<T>>;

  /**
   * Makes every create of this name with this UID fail for as long as after a removal, although no such object ever existed: `burned`. An object of another UID that has the name stays as it is. If the object has
   * the name and this UID, nothing happens and it is returned: `exists`. No change is logged.
   */
  burn<T extends KubernetesObject = KubernetesObject>(
    key: ObjectKey,
    uid: string,
  ): Promise<{ readonly status: 'burned' } | { readonly status: 'exists'; readonly current: T }>;

  /**
   * The same objects for a caller whose time is limited: each call ends with it, at the latest by throwing a StoreTimeoutError. Absent in a store that always answers at once.
   */
  until?(timeLeftMs: TimeLeft): ObjectStore;
}
