import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';

/** The store's methods, bound to it, so that some can be replaced. */
export function boundStore(store: ObjectStore): ObjectStore {
  return {
    get: (key) => store.get(key),
    list: (resource, options) => store.list(resource, options),
    create: (resource, object) => store.create(resource, object),
    replace: (resource, object) => store.replace(resource, object),
    remove: (key, preconditions) => store.remove(key, preconditions),
    burn: (key, uid) => store.burn(key, uid),
  };
}
