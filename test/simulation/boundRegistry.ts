import type { Registry } from '../../lambdas/registry/Registry.ts';

/** The registry's methods, bound to it, so that some can be replaced. */
export function boundRegistry(registry: Registry): Registry {
  return {
    get: (key) => registry.get(key),
    list: (resource, options) => registry.list(resource, options),
    create: (resource, object, options) => registry.create(resource, object, options),
    update: (resource, object, options) => registry.update(resource, object, options),
    delete: (key, options) => registry.delete(key, options),
  };
}
