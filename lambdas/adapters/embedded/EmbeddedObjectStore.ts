import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import { shareJson } from '../../objects/sharedMembers.ts';
import { FIRST_POSITION } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import {
  type CreateOutcome,
  type ListOptions,
  MAX_OBJECT_BYTES,
  type ObjectList,
  type ObjectStore,
  type RemoveOutcome,
  type ReplaceOutcome,
  type TooLargeOutcome,
} from '../../ports/ObjectStore.ts';
import type { WriteTrace } from '../../ports/TraceContext.ts';
import type { Tracing } from '../../ports/Tracing.ts';
import type { ObjectsAndChangeLogs } from './ObjectsAndChangeLogs.ts';
import { frozenCopy } from './frozenCopy.ts';
import type { GroupCommit } from './GroupCommit.ts';
import type { StoreHealth } from './StoreHealth.ts';
import { placeOf } from './Tombstones.ts';

type WriteOutcome = { status: 'stored'; object: KubernetesObject } | TooLargeOutcome;

/**
 * Objects in memory, made durable by a journal. Each write is decided synchronously against the newest decided state, so no other write can come between. Its
 * answer waits until the state on which it was decided is durable. Reads see durable state only.
 */
export class EmbeddedObjectStore implements ObjectStore {
  readonly #state: ObjectsAndChangeLogs;
  readonly #commits: GroupCommit;
  readonly #health: StoreHealth;
  readonly #clock: Clock;
  readonly #tracing: Pick<Tracing, 'current'> | undefined;
  #drawnVersion: number;

  /** `tracing` tells in which trace a write is made; absent: in none. */
  constructor(
    state: ObjectsAndChangeLogs,
    commits: GroupCommit,
    health: StoreHealth,
    clock: Clock,
    tracing?: Pick<Tracing, 'current'>,
  ) {
    this.#state = state;
    this.#commits = commits;
    this.#health = health;
    this.#clock = clock;
    this.#tracing = tracing;
    this.#drawnVersion = Math.max(state.newestVersion, FIRST_POSITION);
  }

  async get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    this.#health.assertUsable();
    return this.#state.of(key.resource).objects.get(key.namespace, key.name) as T | undefined;
  }

  async list<T extends KubernetesObject>(resource: GroupResource, options: ListOptions = {}): Promise<ObjectList<T>> {
    this.#health.assertUsable();
    return this.#state.of(resource).objects.list(options) as ObjectList<T>;
  }

  async create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>> {
    this.#health.assertUsable();
    const { key, uid } = identityOf(resource, object);
    const { current, durable } = this.#newest<T>(key);
    if (current || this.#state.tombstones.keepsOut(placeOf(key), uid, this.#clock.now())) {
      await durable;
      return { status: 'exists', ...(current && { current }) };
    }
    return (await this.#put(key, object)) as CreateOutcome<T>;
  }

  async replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> {
    this.#health.assertUsable();
    const { key, uid } = identityOf(resource, object);
    const { resourceVersion } = object.metadata;
    const { current, durable } = this.#newest<T>(key);
    if (current && holds(current, { uid, resourceVersion })) {
      return (await this.#put(key, object, current)) as ReplaceOutcome<T>;
    }
    await durable;
    return current ? { status: 'conflict', current } : { status: 'absent' };
  }

  async remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions: { readonly resourceVersion?: string; readonly uid?: string } = {},
  ): Promise<RemoveOutcome<T>> {
    this.#health.assertUsable();
    const { current, durable } = this.#newest<T>(key);
    if (!current || !holds(current, preconditions)) {
      await durable;
      return current ? { status: 'conflict', current } : { status: 'absent' };
    }
    const version = await this.#bury(key, 'DELETED', current.metadata.uid);
    return { status: 'removed', object: withVersion(current, version) as T };
  }

  async burn<T extends KubernetesObject>(
    key: ObjectKey,
    uid: string,
  ): Promise<{ status: 'burned' } | { status: 'exists'; current: T }> {
    this.#health.assertUsable();
    const { current, durable } = this.#newest<T>(key);
    if (current?.metadata.uid === uid) {
      await durable;
      return { status: 'exists', current };
    }
    await this.#bury(key, 'BURNED', uid, current);
    return { status: 'burned' };
  }

  /** Returns the object under this key once every decided write is durable, and a promise that resolves then. */
  #newest<T>(key: ObjectKey): { current: T | undefined; durable: Promise<void> | undefined } {
    const pending = this.#commits.pendingAt(placeOf(key));
    const current = pending ? pending.object : this.#state.of(key.resource).objects.get(key.namespace, key.name);
    return { current: current as T | undefined, durable: pending?.durable };
  }

  async #put(key: ObjectKey, given: NewObject, replaced?: KubernetesObject): Promise<WriteOutcome> {
    const similar = replaced ?? this.#state.of(key.resource).objects.similarTo(given as KubernetesObject);
    const object = withVersion(given as KubernetesObject, this.#drawnVersion + 1, similar);
    const json = JSON.stringify(object);
    const bytes = Buffer.byteLength(json);
    if (bytes > MAX_OBJECT_BYTES) return { status: 'tooLarge', part: 'object', bytes, limitBytes: MAX_OBJECT_BYTES };
    const version = this.#drawVersion();
    shareJson(object, json);
    await this.#commits.write(
      { entry: { ...placed(key), version, type: 'PUT', object, bytes, ...this.#traced() }, json },
      object,
    );
    return { status: 'stored', object };
  }

  /** Adds the tombstone before it is durable. A create that it refuses would have been decided after it anyway. `left`: what has the name afterwards. */
  async #bury(key: ObjectKey, type: 'DELETED' | 'BURNED', uid: string, left?: KubernetesObject): Promise<number> {
    const version = this.#drawVersion();
    const entry = { ...placed(key), version, type, uid, atMs: this.#clock.now(), ...this.#traced() };
    this.#state.tombstones.add(entry);
    await this.#commits.write({ entry }, left);
    return version;
  }

  #traced(): { readonly trace?: WriteTrace } {
    const context = this.#tracing?.current();
    return context ? { trace: { ...context, writtenAtMs: this.#clock.now() } } : {};
  }

  #drawVersion(): number {
    if (this.#drawnVersion >= Number.MAX_SAFE_INTEGER) throw new Error('the version counter of the store is exhausted');
    this.#drawnVersion += 1;
    return this.#drawnVersion;
  }
}

function identityOf(resource: GroupResource, object: NewObject): { key: ObjectKey; uid: string } {
  const { name, namespace = '', uid } = object.metadata;
  if (!name || !uid) throw new TypeError(`an object of ${resource} has no metadata.name or no metadata.uid`);
  return { key: { resource, namespace, name }, uid };
}

function holds(object: KubernetesObject, wanted: { resourceVersion?: string; uid?: string }): boolean {
  const { uid, resourceVersion } = object.metadata;
  return (wanted.uid ?? uid) === uid && (wanted.resourceVersion ?? resourceVersion) === resourceVersion;
}

/** `similar`: a stored object that the given one shares equal parts with. */
function withVersion(object: KubernetesObject, version: number, similar?: KubernetesObject): KubernetesObject {
  const versioned = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  return frozenCopy(versioned, similar);
}

/** Copies the key without further fields of the caller's object. */
function placed({ resource, namespace, name }: ObjectKey): ObjectKey {
  return { resource, namespace, name };
}
