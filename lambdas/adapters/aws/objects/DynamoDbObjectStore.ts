import type { KubernetesObject, NewObject } from '../../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../../objects/ObjectKey.ts';
import type { Change, TracedChange } from '../../../ports/ChangeLog.ts';
import { momentOf, timeSince } from '../../../ports/Clock.ts';
import {
  type CreateOutcome,
  type ListOptions,
  type ObjectList,
  type ObjectListing,
  type ObjectStore,
  type RemoveOutcome,
  type ReplaceOutcome,
  type TimeLeft,
  type TooLargeOutcome,
} from '../../../ports/ObjectStore.ts';
import type { WriteTrace } from '../../../ports/TraceContext.ts';
import type { Tracing } from '../../../ports/Tracing.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { deadUids } from './deadUids.ts';
import { dropTombstones, type Tombstone } from './dropTombstones.ts';
import { KnownNamespaces } from './KnownNamespaces.ts';
import { listObjects } from './listObjects.ts';
import { ObjectQueries } from './ObjectQueries.ts';
import { type ItemWriteOutcome, ObjectTable } from './ObjectTable.ts';
import {
  bodyOf,
  decodeObject,
  indexedResource,
  isIndexedException,
  isLive,
  isStorable,
  type ObjectBody,
  type ObjectItem,
  objectOf,
  tooLarge,
  uidOf,
  versionOf,
} from './objectItem.ts';
import { givesWay, isExpired } from './objectLifetime.ts';
import { burning, creation, removal, replacement } from './objectWrites.ts';
import { withTrace } from './traceAttribute.ts';
import type { TableNames } from '../tables.ts';
import { VersionCounter } from '../VersionCounter.ts';

export interface DynamoDbObjectStoreOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: Omit<TableNames, 'log'>;
  /** Called after each write; its change will be logged soon. */
  readonly onWrite?: (resource: GroupResource) => void;
  /** Called when a write is acknowledged, unless it had to be repeated: then the state before it is not known. The change is decoded when it is first asked for. */
  readonly onChange?: ((resource: GroupResource, change: () => TracedChange) => void) | undefined;
  /** Tells in which trace a write is made. Absent: in none. */
  readonly tracing?: Pick<Tracing, 'current'> | undefined;
}

/** What the stores of one process share, whatever time each of them has. */
interface Shared {
  readonly namespaces: KnownNamespaces;
  readonly versions: VersionCounter;
}

/**
 * Objects as items of one table. Each write is one conditional write of its item (`ObjectTable.write` says what it costs), after one write unit for its
 * version, which concurrent writes share.
 *
 * An attempt that is repeated because its answer was lost recognises its own write by the version, which no other write has.
 */
export class DynamoDbObjectStore implements ObjectStore {
  readonly #options: DynamoDbObjectStoreOptions;
  readonly #shared: Shared;
  readonly #calls: DynamoDbCalls;
  readonly #table: ObjectTable;
  readonly #queries: ObjectQueries;
  readonly #onWrite: (resource: GroupResource) => void;

  constructor(options: DynamoDbObjectStoreOptions, shared: Shared = createShared(options)) {
    const { calls, tables, onWrite } = options;
    this.#options = options;
    this.#shared = shared;
    this.#calls = calls;
    this.#table = new ObjectTable(calls, tables.objects);
    this.#queries = new ObjectQueries(calls, tables.objects);
    this.#onWrite = onWrite ?? (() => {});
  }

  until(timeLeftMs: TimeLeft): ObjectStore {
    return new DynamoDbObjectStore({ ...this.#options, calls: this.#calls.until(timeLeftMs) }, this.#shared);
  }

  /** Costs one read unit for every 4 KB of the stored object. */
  async get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    const item = isStorable(key) ? await this.#table.get(key) : undefined;
    return item && this.#exists(item) ? decodeObject<T>(item) : undefined;
  }

  /** `ObjectQueries.pages` says what a list costs in each namespace that it reads. Lists of resources without any object cost a read unit together, if they begin in the same turn of the event loop. */
  async list<T extends KubernetesObject>(resource: GroupResource, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { items, ...rest } = await this.#list(resource, options);
    return { ...rest, items: items.map((object) => object.load() as T) };
  }

  /** Costs what `list` costs. */
  async listEncoded(resource: GroupResource, options: Omit<ListOptions, 'index'> = {}): Promise<ObjectListing> {
    return await this.#list(resource, options);
  }

  async #list(resource: GroupResource, options: ListOptions): Promise<ObjectListing> {
    const { tables } = this.#options;
    const isUsed = await this.#calls.within(this.#shared.namespaces.isUsed(resource));
    if (!isUsed) return { items: [], more: false };
    const parts = {
      queries: this.#queries,
      namespaces: this.#shared.namespaces,
      clock: this.#calls.clock,
      dropTombstones: (old: readonly Tombstone[]) => dropTombstones(this.#calls, tables.objects, old),
    };
    return await listObjects(parts, resource, options);
  }

  /** Costs one write, and one read unit if this process has not created an object in that namespace for an hour. The first orphaned or adopted pod costs another. */
  async create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>> {
    const { key, uid } = identityOf(resource, object);
    const body = bodyOf(resource, object);
    const refusal = tooLarge(key, body);
    if (refusal) return refusal;
    const { calls, table } = this.#oneWrite(resource);
    await calls.within(this.#shared.namespaces.register(resource, key.namespace));
    await this.#registerIndexed(calls, key, body);
    for (let met = 0; ; ) {
      const version = await calls.within(this.#shared.versions.draw(resource, met));
      const nowMs = calls.clock.now();
      const trace = this.#traceAt(nowMs);
      const write = creation(resource, body, uid, version, nowMs);
      const written = await table.write(key, withTrace(write, version, trace));
      const { item } = written.status === 'refused' ? written : {};
      if (written.status === 'written' || (item && isOwn(item, version)))
        return this.#stored<T>(resource, body, version, written, trace);
      if (!item) continue;
      if (this.#exists(item)) return { status: 'exists', current: decodeObject<T>(item) };
      if ((deadUids(item).get(uid) ?? 0) > nowMs) return { status: 'exists' };
      // An expired object keeps its name until it has a tombstone. A tombstone's version is higher than ours, so draw a new one.
      met = isLive(item) ? await this.#bury(calls, key, item) : versionOf(item);
    }
  }

  /** Costs one write. A conflict costs the same, and no read. */
  async replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> {
    const { key, uid } = identityOf(resource, object);
    const read = parseVersion(object.metadata.resourceVersion);
    const body = bodyOf(resource, object);
    if (read === undefined) return await this.#conflictWith<T>(key);
    if (!isStorable(key)) return { status: 'absent' };
    const refusal = tooLarge(key, body);
    if (refusal) return await this.#tooLarge<T>(key, uid, read, refusal);
    const { calls, table } = this.#oneWrite(resource);
    await this.#registerIndexed(calls, key, body);
    for (let met = 0; ; met = read) {
      const version = await calls.within(this.#shared.versions.draw(resource, met));
      const nowMs = calls.clock.now();
      const trace = this.#traceAt(nowMs);
      const write = replacement(resource, body, uid, read, version, nowMs);
      const written = await table.write(key, withTrace(write, version, trace));
      if (written.status === 'written') return this.#stored<T>(resource, body, version, written, trace);
      const { item } = written;
      if (!item || !this.#exists(item)) return { status: 'absent' };
      if (isOwn(item, version)) return this.#stored<T>(resource, body, version);
      // The object that was read is still there, so our version is the lower one. Draw a new one.
      if (uidOf(item) !== uid || versionOf(item) !== read)
        return { status: 'conflict', current: decodeObject<T>(item) };
    }
  }

  /** Costs one read, and one write if the preconditions hold. */
  async remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions: { readonly resourceVersion?: string; readonly uid?: string } = {},
  ): Promise<RemoveOutcome<T>> {
    const { calls, table } = this.#oneWrite(key.resource);
    let item = isStorable(key) ? await table.get(key) : undefined;
    while (item && this.#exists(item)) {
      const was = item;
      const current: T = decodeObject<T>(was);
      if (!holds(current, preconditions)) return { status: 'conflict', current };
      const version = await calls.within(this.#shared.versions.draw(key.resource, versionOf(item)));
      const nowMs = calls.clock.now();
      const trace = this.#traceAt(nowMs);
      const written = await table.write(key, withTrace(removal(item, version, nowMs), version, trace));
      const left: ObjectItem | undefined = written.status === 'refused' ? written.item : undefined;
      if (written.status === 'written' || (left && versionOf(left) === version)) {
        this.#onWrite(key.resource);
        if (written.status === 'written')
          this.#tellOf(key.resource, () => traced(removed(key.resource, version, was), trace));
        current.metadata.resourceVersion = String(version);
        return { status: 'removed', object: current };
      }
      item = left;
    }
    return { status: 'absent' };
  }

  /** Costs one write of a small item, and another one if the name has an object or a tombstone, which costs what that one's size does. Draws no version, since it makes no change. */
  async burn<T extends KubernetesObject>(
    key: ObjectKey,
    uid: string,
  ): Promise<{ status: 'burned' } | { status: 'exists'; current: T }> {
    if (!isStorable(key)) return { status: 'burned' };
    const { calls, table } = this.#oneWrite(key.resource);
    let item: ObjectItem | undefined;
    for (;;) {
      const written = await table.write(key, burning(item, uid, calls.clock.now()));
      if (written.status === 'written') return { status: 'burned' };
      item = written.item;
      if (item && uidOf(item) === uid) return { status: 'exists', current: decodeObject<T>(item) };
    }
  }

  /** Must precede the write: a list that does not find the namespace registered leaves the indexes out. */
  async #registerIndexed(calls: DynamoDbCalls, { resource, namespace }: ObjectKey, body: ObjectBody): Promise<void> {
    const indexed = isIndexedException(resource, body) ? indexedResource(resource) : undefined;
    if (indexed !== undefined) await calls.within(this.#shared.namespaces.register(indexed, namespace));
  }

  #exists(item: ObjectItem): boolean {
    return isLive(item) && !isExpired(item, this.#calls.clock.now());
  }

  /** Removes an object that has expired. Resolves to the version of its tombstone, or that of what took its place meanwhile. */
  async #bury(calls: DynamoDbCalls, key: ObjectKey, item: ObjectItem): Promise<number> {
    const version = await calls.within(this.#shared.versions.draw(key.resource, versionOf(item)));
    const table = new ObjectTable(calls, this.#options.tables.objects);
    const written = await table.write(key, removal(item, version, calls.clock.now()));
    if (written.status === 'written') this.#onWrite(key.resource);
    return written.status === 'written' ? version : Math.max(version, written.item ? versionOf(written.item) : 0);
  }

  /** The calls of one write. Namespace deletion relies on their end, see `WRITE_LIFETIME_MS`, and so do those who drop tombstones, see `LATEST_WRITE_MS`. */
  #oneWrite(resource: GroupResource): { readonly calls: DynamoDbCalls; readonly table: ObjectTable } {
    const { clock, lifetimes } = this.#calls;
    const began = momentOf(clock);
    const timed = this.#calls.until(() => lifetimes.writeMs - timeSince(clock, began)[1]);
    const calls = givesWay(resource) ? timed.givingWay() : timed;
    const { tables, onChange } = this.#options;
    return { calls, table: new ObjectTable(calls, tables.objects, onChange !== undefined) };
  }

  #stored<T extends KubernetesObject>(
    resource: GroupResource,
    body: ObjectBody,
    version: number,
    written?: ItemWriteOutcome,
    trace?: WriteTrace,
  ) {
    this.#onWrite(resource);
    if (written?.status === 'written')
      this.#tellOf(resource, () => traced(stored(resource, version, objectOf(body, version), written.previous), trace));
    return { status: 'stored', object: objectOf(body, version) as T } as const;
  }

  #traceAt(writtenAtMs: number): WriteTrace | undefined {
    const context = this.#options.tracing?.current();
    return context && { ...context, writtenAtMs };
  }

  #tellOf(resource: GroupResource, decode: () => TracedChange): void {
    let decoded: TracedChange | undefined;
    this.#options.onChange?.(resource, () => (decoded ??= decode()));
  }

  async #conflictWith<T extends KubernetesObject>(key: ObjectKey): Promise<ReplaceOutcome<T>> {
    const current = await this.get<T>(key);
    return current ? { status: 'conflict', current } : { status: 'absent' };
  }

  /** Returns `tooLarge` only if the object would have been stored otherwise; a conflict or an absent object comes first. */
  async #tooLarge<T extends KubernetesObject>(key: ObjectKey, uid: string, read: number, refusal: TooLargeOutcome) {
    const outcome = await this.#conflictWith<T>(key);
    const stands = outcome.status === 'conflict' && holds(outcome.current, { uid, resourceVersion: String(read) });
    return stands ? refusal : outcome;
  }
}

function stored(
  resource: GroupResource,
  version: number,
  after: KubernetesObject,
  previous: ObjectItem | undefined,
): TracedChange {
  if (previous && isLive(previous))
    return { type: 'MODIFIED', resource, version, before: decodeObject<KubernetesObject>(previous), after };
  const replaces = previous ? versionOf(previous) : 0;
  return { type: 'ADDED', resource, version, after, ...(replaces > 0 && { replaces }) };
}

function traced(change: TracedChange, trace: WriteTrace | undefined): TracedChange {
  return trace ? { ...change, trace } : change;
}

function removed(resource: GroupResource, version: number, item: ObjectItem): Change {
  return { type: 'DELETED', resource, version, before: decodeObject<KubernetesObject>(item) };
}

function createShared({ calls, tables }: DynamoDbObjectStoreOptions): Shared {
  return {
    namespaces: new KnownNamespaces(calls, tables),
    versions: new VersionCounter(calls, tables.versions),
  };
}

function identityOf(resource: GroupResource, object: NewObject): { key: ObjectKey; uid: string } {
  const { name, namespace = '', uid } = object.metadata;
  if (!name || !uid) throw new TypeError(`an object of ${resource} has no metadata.name or no metadata.uid`);
  return { key: { resource, namespace, name }, uid };
}

/** `undefined` for a text that cannot be an object's version. */
function parseVersion(text: string | undefined): number | undefined {
  return text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

function holds(object: KubernetesObject, wanted: { resourceVersion?: string; uid?: string }): boolean {
  const { uid, resourceVersion } = object.metadata;
  return (wanted.uid ?? uid) === uid && (wanted.resourceVersion ?? resourceVersion) === resourceVersion;
}

function isOwn(item: ObjectItem, version: number): boolean {
  return isLive(item) && versionOf(item) === version;
}
