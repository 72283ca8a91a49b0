import type { Controller } from '../controllers/Controller.ts';
import type { ObjectStore } from '../ports/ObjectStore.ts';
import type { Registry } from '../registry/Registry.ts';
import { type FindMisfit, soundObjects, type SoundObjectsParts } from './soundObjects.ts';

/**
 * Whether this process has reason to look at each object that it reads. To look costs as much as to decode, and all that today's release writes is sound. So a process trusts what is stored until something fails as only a wrong shape or
 * a defect makes it fail. From then on it reads with care (see `soundObjects`), and what failed succeeds when it is tried again.
 */
export class Suspicion {
  #misfitOf: FindMisfit | undefined;

  /** The store, read with care once there is reason to. */
  guard(objectStore: ObjectStore, log: SoundObjectsParts['log']): ObjectStore {
    return soundObjects({
      objectStore,
      misfitOf: (resource, object) => this.#misfitOf?.(resource, object),
      isSuspect: () => this.#misfitOf !== undefined,
      withDefaults: (_, object) => object,
      log,
    });
  }

  /** The controller, whose failures are looked at. */
  watch(controller: Controller): Controller {
    return { ...controller, sync: (key, start) => this.#after(controller.sync(key, start)) };
  }

  /** The registry, whose failures are looked at. */
  watchRegistry(registry: Registry): Registry {
    return {
      ...registry,
      create: (resource, object, options) => this.#after(registry.create(resource, object, options)),
      update: (resource, object, options) => this.#after(registry.update(resource, object, options)),
      delete: (key, options) => this.#after(registry.delete(key, options)),
    };
  }

  async #after<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) await this.#raise();
      throw error;
    }
  }

  async #raise(): Promise<void> {
    const { misfitOf } = await import('../rest/schema/misfitOf.ts');
    this.#misfitOf = (_, object) => misfitOf(object);
  }
}
