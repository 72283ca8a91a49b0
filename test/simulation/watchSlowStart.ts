import type { ApiError } from '../../lambdas/objects/ApiError.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { currentTrail, type SyncTrail } from './SyncTrail.ts';

interface Creates {
  sent: number;
  /** Answered, and not with a failure. */
  well: number;
}

/**
 * A registry that reports a sync which creates pods faster than slow start allows: in batches of 1, 2, 4 and so on, where each batch waits for the one before it, and the
 * first failure ends them. Then at most twice as many creates are sent as have succeeded, and one more.
 */
export function watchSlowStart(registry: Registry, onFailure: (failure: string) => void): Registry {
  const creates = new WeakMap<SyncTrail, Creates>();
  return {
    get: (key) => registry.get(key),
    list: (resource, options) => registry.list(resource, options),
    update: (resource, object, options) => registry.update(resource, object, options),
    delete: (key, options) => registry.delete(key, options),
    create: async (resource, object, options) => {
      const trail = currentTrail.getStore();
      if (resource !== 'pods' || !trail) return await registry.create(resource, object, options);
      const count = creates.get(trail) ?? { sent: 0, well: 0 };
      creates.set(trail, count);
      count.sent += 1;
      if (count.sent > 2 * count.well + 1)
        onFailure(
          `${trail.key.controller} ${trail.key.name} sends create ${count.sent} when ${count.well} have succeeded`,
        );
      const outcome = await registry.create(resource, object, options);
      if (outcome.status === 'stored' || isNoFailure(outcome.error)) count.well += 1;
      return outcome;
    },
  } as Registry;
}

/** The pod exists already, or its namespace is being deleted and it must not be created any more. */
function isNoFailure({ reason, details }: ApiError): boolean {
  const isTerminating = details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') === true;
  return reason === 'AlreadyExists' || isTerminating;
}
