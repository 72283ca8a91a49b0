import { ApiError } from '../../objects/ApiError.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Registry } from '../../registry/Registry.ts';

/**
 * The registry for one request, which lets nothing be created or changed after `deadlineMs`. The end of a namespace relies on it: what was let in while the namespace was active
 * has been written, or never will be, one request lifetime later. Deletions bring nothing in, and those of a large collection take their time.
 */
export function limitLifetime(registry: Registry, clock: Clock, deadlineMs: number): Registry {
  const refusal = () =>
    clock.now() < deadlineMs
      ? undefined
      : {
          status: 'refused' as const,
          error: new ApiError('Timeout', 'the request took too long and was given up', { retryAfterSeconds: 1 }),
        };
  return {
    ...registry,
    create: async (resource, object, options) => refusal() ?? registry.create(resource, object, options),
    update: async (resource, object, options) => refusal() ?? registry.update(resource, object, options),
  };
}
