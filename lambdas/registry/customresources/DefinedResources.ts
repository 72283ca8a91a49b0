import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Clock, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import type { CustomResource, CustomResources } from '../ResourceCatalog.ts';
import { type CustomResourceDefinition, DEFINITIONS } from './CustomResourceDefinition.ts';

export interface DefinedResourcesParts {
  readonly objectStore: Pick<ObjectStore, 'get' | 'list'>;
  readonly clock: Clock;
  /**
   * How long a definition may be used again; milliseconds. Infinity: until this process writes one, which is right only if no other process does. 0, the default: never.
   */
  readonly rememberMs?: number;
}

interface Remembered<T> {
  readonly value: T;
  /** When its read began. */
  readonly readAt: Moment;
}

interface Compiled {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly resource: CustomResource;
}

/**
 * The custom resources of the stored definitions, read when they are needed and then remembered for a moment. What is not established is read anew each time, so an established resource is never
 * missed. ADR 17 says why the moment does no harm.
 */
export class DefinedResources implements CustomResources {
  readonly #parts: DefinedResourcesParts;
  readonly #found = new Map<GroupResource, Remembered<CustomResource>>();
  #list: Remembered<Promise<readonly CustomResource[]>> | undefined;
  /** Changes when a definition is written. A read that began before is not remembered. */
  #epoch = 0;
  /** By the definition's name. Compiling schemas takes longer than reading them. */
  readonly #compiled = new Map<string, Compiled>();

  constructor(parts: DefinedResourcesParts) {
    this.#parts = parts;
  }

  async find(resource: GroupResource): Promise<CustomResource | undefined> {
    const known = this.#found.get(resource);
    if (known && this.#isFresh(known)) return known.value;
    const epoch = this.#epoch;
    const readAt = momentOf(this.#parts.clock);
    const key = { resource: DEFINITIONS, namespace: '', name: resource };
    const definition = await this.#parts.objectStore.get<CustomResourceDefinition>(key);
    const value = definition && (await this.#compile(definition));
    if (value?.isEstablished && epoch === this.#epoch) this.#found.set(resource, { value, readAt });
    else this.#found.delete(resource);
    if (!definition) this.#compiled.delete(resource);
    return value;
  }

  list(): Promise<readonly CustomResource[]> {
    if (this.#list && this.#isFresh(this.#list)) return this.#list.value;
    const value = this.#readList();
    const list = { value, readAt: momentOf(this.#parts.clock) };
    this.#list = list;
    // A failure is not remembered.
    value.catch(() => {
      if (this.#list === list) this.#list = undefined;
    });
    return value;
  }

  forget(): void {
    this.#epoch += 1;
    this.#found.clear();
    this.#list = undefined;
  }

  async #readList(): Promise<readonly CustomResource[]> {
    const { items } = await this.#parts.objectStore.list<CustomResourceDefinition>(DEFINITIONS);
    const compiled = await Promise.allSettled(items.map((definition) => this.#compile(definition)));
    // A definition that breaks what reads it, as one that an older release let in may, defines nothing. The others, and everything that needs to know all resources, go on.
    return compiled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  #isFresh({ readAt }: Remembered<unknown>): boolean {
    const { clock, rememberMs = 0 } = this.#parts;
    return rememberMs > 0 && isRecent(clock, readAt, rememberMs);
  }

  /** Loads what custom resources need of code only when there is a definition. Callers at the same time get the same resource. */
  async #compile(definition: CustomResourceDefinition): Promise<CustomResource> {
    const { createCustomResource } = await import('./createCustomResource.ts');
    const { name, uid, resourceVersion } = definition.metadata;
    const known = this.#compiled.get(name);
    if (known?.uid === uid && known.resourceVersion === resourceVersion) return known.resource;
    const resource = createCustomResource(definition);
    this.#compiled.set(name, { uid, resourceVersion, resource });
    return resource;
  }
}
