import { ApiError } from '../../objects/ApiError.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Registry } from '../../registry/Registry.ts';

/**
 * The registry for one request: it refuses to create or update anything after `deadlineMs`. Namespace deletion relies on this: one request lifetime after
 * the namespace stopped being active, every write that was admitted before has either been stored or never will be. Deletions are not limited: they add
 * nothing to the namespace, and deleting a large collection takes long.
 */
export function limitLifetime(registry: Registry, clock: Clock, deadlineMs: number): Registry {
  const refusal = () =>
    clock.now() < deadlineMs
      ? undefined
      : {
          status: 'refused' as const,
          error: new ApiError('Timeout', 'the request took too long and was abandoned', { retryAfterSeconds: 1 }),
        };
  return {
    ...registry,
    create: async (resource, object, options) => refusal() ?? registry.create(resource, object, options),
    update: async (resource, object, options) => refusal() ?? registry.update(resource, object, options),
  };
}
