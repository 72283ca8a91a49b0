import { requestTimeout } from '../../objects/apiErrors.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Registry, RegistryUntil } from '../../registry/Registry.ts';

/**
 * The registry for one request that has begun now: it refuses to create or update anything when `lifetimeMs` is over, and what it is doing then ends too. Deletions are not limited: they add
 * nothing, and deleting a large collection takes long. `registryUntil`: makes the registry whose calls end in time; absent if the store always answers at once.
 */
export function limitLifetime(
  registry: Registry,
  registryUntil: RegistryUntil | undefined,
  clock: Clock,
  lifetimeMs: number,
): Registry {
  const endMs = clock.steadyMs() + lifetimeMs;
  const leftMs = () => endMs - clock.steadyMs();
  const bounded = registryUntil?.(leftMs) ?? registry;
  const refusal = () => (leftMs() > 0 ? undefined : { status: 'refused' as const, error: requestTimeout() });
  return {
    ...bounded,
    create: async (resource, object, options) =>
      refusal() ?? bounded.create(resource, object, { ...options, timeLeftMs: leftMs }),
    update: async (resource, object, options) =>
      refusal() ?? bounded.update(resource, object, { ...options, timeLeftMs: leftMs }),
    delete: (key, options) => registry.delete(key, options),
  };
}
