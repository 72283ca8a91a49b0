import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
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

/** The store as one writer in one worker reaches it. */
export class GatedObjectStore implements ObjectStore {
  readonly #store: AuditedStore;
  readonly #gate: Gate;
  readonly #writer: Writer;
  readonly #intrude: (key: ObjectKey) => Promise<void>;

  /** `intrude` may write an object at the last instant before it is replaced. */
  constructor(store: AuditedStore, gate: Gate, writer: Writer, intrude: (key: ObjectKey) => Promise<void>) {
    this.#store = store;
    this.#gate = gate;
    this.#writer = writer;
    this.#intrude = intrude;
  }

  get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    return this.#call(`get ${textOf(key)}`, () => this.#store.get<T>(key));
  }

  list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions): Promise<ObjectList<T>> {
    const index = options?.index ? ` ${options.index.name}=${options.index.value}` : '';
    return this.#call(`list ${resource}${index}`, () => this.#store.list<T>(resource, options));
  }

  async create<T extends KubernetesObject>(resource: GroupResource, object: NewObject): Promise<CreateOutcome<T>> {
    // Nothing decides by events, and nothing is claimed of them; to store them would double the length of a run.
    if (resource === 'events') {
      const metadata = { ...object.metadata, resourceVersion: '1' };
      return { status: 'stored', object: { ...object, metadata } as unknown as T };
    }
    const { namespace = '', name = '' } = object.metadata;
    return await this.#call(`create ${textOf({ resource, namespace, name })}`, () =>
      this.#store.create<T>(this.#writer, resource, object),
    );
  }

  replace<T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> {
    const { namespace = '', name, resourceVersion } = object.metadata;
    const key = { resource, namespace, name };
    return this.#call(`replace ${textOf(key)} @${resourceVersion}`, async () => {
      await this.#intrude(key);
      return await this.#store.replace(this.#writer, resource, object);
    });
  }

  remove<T extends KubernetesObject>(
    key: ObjectKey,
    preconditions?: Parameters<ObjectStore['remove']>[1],
  ): Promise<RemoveOutcome<T>> {
    return this.#call(`remove ${textOf(key)}`, () => this.#store.remove<T>(this.#writer, key, preconditions));
  }

  burn<T extends KubernetesObject>(key: ObjectKey, uid: string) {
    return this.#call(`burn ${textOf(key)} ${uid}`, () => this.#store.burn<T>(key, uid));
  }

  #call<T>(what: string, effect: () => Promise<T>): Promise<T> {
    return this.#gate.call(`[${this.#writer}] ${what}`, effect);
  }
}

function textOf({ resource, namespace, name }: ObjectKey): string {
  return `${resource} ${namespace}/${name}`;
}
