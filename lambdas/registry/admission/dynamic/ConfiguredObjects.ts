import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { type Clock, isRecent, type Moment, momentOf } from '../../../ports/Clock.ts';
import type { ObjectStore } from '../../../ports/ObjectStore.ts';

export interface ConfiguredObjectsParts {
  readonly objectStore: Pick<ObjectStore, 'list'>;
  readonly clock: Clock;
  /**
   * How long a list may be used again; milliseconds. Infinity: until this process writes one of its objects, which is right only if no other process does.
   * 0, the default: never.
   */
  readonly rememberMs?: number;
}

interface Compiled<C> {
  readonly resourceVersion: string;
  readonly value: C;
}

interface Remembered<C> {
  readonly items: Promise<readonly C[]>;
  /** When the read began. */
  readonly readAt: Moment;
  /** True once the read has ended and has found nothing. */
  isEmpty: boolean;
}

/**
 * All objects of one resource that configures admission, sorted by namespace and name, each compiled once. Requests that come together share one read, and a list is used again for a
 * moment. So a process that serves many requests reads once a second in the cloud, and once in its life on one machine while nothing is configured.
 */
export class ConfiguredObjects<T extends KubernetesObject, C> {
  readonly #parts: ConfiguredObjectsParts;
  readonly #resource: GroupResource;
  readonly #compile: (object: T) => C;
  #list: Remembered<C> | undefined;
  /** By UID. Compiling expressions takes longer than reading them. */
  #compiled = new Map<string, Compiled<C>>();

  constructor(parts: ConfiguredObjectsParts, resource: GroupResource, compile: (object: T) => C) {
    this.#parts = parts;
    this.#resource = resource;
    this.#compile = compile;
  }

  list(): Promise<readonly C[]> {
    return this.#remembered()?.items ?? this.#readNow();
  }

  /** True if the remembered list is empty, so that `list` would resolve to an empty list. Known without a read, because every write asks it. */
  get isKnownEmpty(): boolean {
    return this.#list?.isEmpty === true && this.#remembered() !== undefined;
  }

  /** Forgets the list if it is of this resource. */
  forget(resource: GroupResource): void {
    if (resource === this.#resource) this.#list = undefined;
  }

  #remembered(): Remembered<C> | undefined {
    const { clock, rememberMs = 0 } = this.#parts;
    return this.#list && rememberMs > 0 && isRecent(clock, this.#list.readAt, rememberMs) ? this.#list : undefined;
  }

  #readNow(): Promise<readonly C[]> {
    const list = { items: this.#read(), readAt: momentOf(this.#parts.clock), isEmpty: false };
    this.#list = list;
    const noteEmptiness = (items: readonly C[]) => {
      list.isEmpty = items.length === 0;
    };
    // A failure is not remembered.
    const forgetFailure = () => {
      if (this.#list === list) this.#list = undefined;
    };
    list.items.then(noteEmptiness, forgetFailure);
    return list.items;
  }

  async #read(): Promise<readonly C[]> {
    const { items } = await this.#parts.objectStore.list<T>(this.#resource);
    const compiled = new Map(items.map((object) => [object.metadata.uid, this.#compiledOf(object)]));
    this.#compiled = compiled;
    return [...items].sort(byPlace).map(({ metadata: { uid } }) => (compiled.get(uid) as Compiled<C>).value);
  }

  #compiledOf(object: T): Compiled<C> {
    const { uid, resourceVersion } = object.metadata;
    const known = this.#compiled.get(uid);
    return known?.resourceVersion === resourceVersion ? known : { resourceVersion, value: this.#compile(object) };
  }
}

function byPlace({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): number {
  return compare(a.namespace ?? '', b.namespace ?? '') || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
