import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import type { GroupResource, ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type {
  CreateOutcome,
  ListOptions,
  ObjectList,
  ObjectStore,
  RemoveOutcome,
  ReplaceOutcome,
} from '../../lambdas/ports/ObjectStore.ts';
import type { AuditedStore, Writer } from './AuditedStore.ts';
import type { Gate } from './Gate.ts';
import { currentTrail } from './SyncTrail.ts';

/** What others do to an object at the worst moment. */
export interface Rivals {
  /** Called at the last instant before an object is replaced. */
  beforeReplace(key: ObjectKey): Promise<void>;
  /** Called at the last instant before the garbage collector reads an object. */
  beforeCollectorReads(key: ObjectKey): Promise<void>;
  /** Called at the last instant before this owner's sync lists the orphans that it may adopt. */
  beforeOrphansAreListed(resource: GroupResource, owner: KubernetesObject): Promise<void>;
  /** Called at the last instant before a sync reads its own object, with the intent that an earlier sync left. */
  beforeIntentIsSettled(key: ObjectKey, intent: Intent): Promise<void>;
  /** Called at the last instant before a CronJob's sync reads a Job. */
  beforeJobIsRead(key: ObjectKey): Promise<void>;
  /** Called at the last instant before a Job's sync writes a pod. */
  beforePodIsWritten(key: ObjectKey, written: KubernetesObject): Promise<void>;
}

export const NO_RIVALS: Rivals = {
  beforeReplace: async () => {},
  beforeCollectorReads: async () => {},
  beforeOrphansAreListed: async () => {},
  beforeIntentIsSettled: async () => {},
  beforeJobIsRead: async () => {},
  beforePodIsWritten: async () => {},
};

/** The store as one writer in one worker reaches it. */
export class GatedObjectStore implements ObjectStore {
  readonly #store: AuditedStore;
  readonly #gate: Gate;
  readonly #by: string;
  readonly #rivals: Rivals;

  constructor(store: AuditedStore, gate: Gate, by: string, rivals: Rivals) {
    this.#store = store;
    this.#gate = gate;
    this.#by = by;
    this.#rivals = rivals;
  }

  get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    const trail = currentTrail.getStore();
    return this.#call(`get ${textOf(key)}`, async () => {
      if (this.#by === 'garbagecollector') await this.#rivals.beforeCollectorReads(key);
      if (this.#by === 'cronjob' && key.resource === 'jobs.batch') await this.#rivals.beforeJobIsRead(key);
      if (trail?.inherited && !trail.subject && trail.isOwn(key))
        await this.#rivals.beforeIntentIsSettled(key, trail.inherited);
      const object = await this.#store.get<T>(key);
      trail?.noteRead(key, object);
      return object;
    });
  }

  list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions): Promise<ObjectList<T>> {
    const index = options?.index ? ` ${options.index.name}=${options.index.value}` : '';
    const trail = currentTrail.getStore();
    return this.#call(`list ${resource}${index}`, async () => {
      if (trail && listsOrphans(resource, options?.index)) {
        if (trail.subject) await this.#rivals.beforeOrphansAreListed(resource, trail.subject);
        trail.listedOrder = this.#store.nextOrder();
      }
      return await this.#store.list<T>(resource, options);
    });
  }

  async create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>> {
    // No controller decides by events and no check is about them; storing them would double the length of a run.
    if (resource === 'events') {
      const metadata = { ...object.metadata, resourceVersion: '1' };
      return { status: 'stored', object: { ...object, metadata } as unknown as T };
    }
    const { namespace = '', name = '' } = object.metadata;
    const writer = this.#writer();
    return await this.#call(`create ${textOf({ resource, namespace, name })}`, () =>
      this.#store.create<T>(writer, resource, object),
    );
  }

  replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> {
    const { namespace = '', name, resourceVersion } = object.metadata;
    const key = { resource, namespace, name };
    const writer = this.#writer();
    return this.#call(`replace ${textOf(key)} @${resourceVersion}`, async () => {
      await this.#rivals.beforeReplace(key);
      if (this.#by === 'job' && resource === 'pods') await this.#rivals.beforePodIsWritten(key, object);
      return await this.#store.replace(writer, resource, object);
    });
  }

  remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions?: Parameters<ObjectStore['remove']>[1],
  ): Promise<RemoveOutcome<T>> {
    const writer = this.#writer();
    return this.#call(`remove ${textOf(key)}`, () => this.#store.remove<T>(writer, key, preconditions));
  }

  burn<T extends KubernetesObject>(key: ObjectKey, uid: string) {
    return this.#call(`burn ${textOf(key)} ${uid}`, async () => {
      await this.#gate.landFirst(`create ${textOf(key)}`);
      return await this.#store.burn<T>(key, uid);
    });
  }

  #writer(): Writer {
    return { by: this.#by, trail: currentTrail.getStore() };
  }

  #call<T>(what: string, effect: () => Promise<T>): Promise<T> {
    return this.#gate.call(`[${this.#by}] ${what}`, effect);
  }
}

/** All orphans of a namespace, or those pods that have a template's hash. */
export function listsOrphans(resource: GroupResource, index: ListOptions['index']): boolean {
  return index?.value === '' || (resource === 'pods' && index?.name === 'selects');
}

function textOf({ resource, namespace, name }: ObjectKey): string {
  return `${resource} ${namespace}/${name}`;
}
