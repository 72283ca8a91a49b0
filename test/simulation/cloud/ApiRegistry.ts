import { REQUEST_LIFETIME_MS } from '../../../lambdas/functions/limits.ts';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import type { Release } from '../../releases/Release.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { limitLifetime } from '../../../lambdas/rest/request/limitLifetime.ts';
import type { ApiStore } from '../../model/cloud/CloudModel.ts';
import type { FunctionModel } from '../../model/lambda/FunctionModel.ts';
import { TransientError } from '../Gate.ts';
import type { Random } from '../Random.ts';
import type { Scheduler } from '../Scheduler.ts';
import { currentWriter } from './RequestContext.ts';

export interface ApiRegistryParts {
  readonly api: FunctionModel;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly rates: () => { readonly clientTimeout: number };
  readonly onFailure: (failure: string) => void;
}

type Answer = { readonly value: unknown } | { readonly error: ApiError } | { readonly failed: string };

/** How long the client waits. What it asked for goes on. */
const PATIENCE_MS = 30_000;

/** The registry as a client of the API reaches it: through an instance of the function, which may die, and an answer that may be lost. */
export function createApiRegistry(parts: ApiRegistryParts): Registry {
  const ask = <T>(call: (registry: Registry) => Promise<T>) => request(parts, call);
  return {
    get: (key) => ask((registry) => registry.get(key)),
    list: (resource, options) => ask((registry) => registry.list(resource, options)),
    create: (resource, object, options) => ask((registry) => registry.create(resource, object, options)),
    update: (resource, object, options) => ask((registry) => registry.update(resource, object, options)),
    delete: (key, options) => ask((registry) => registry.delete(key, options)),
  };
}

async function request<T>(parts: ApiRegistryParts, call: (registry: Registry) => Promise<T>): Promise<T> {
  const { api, scheduler, random, rates } = parts;
  await scheduler.wait(random.integer(1, 5));
  const event = (store: ApiStore) => answer(parts, store, call);
  const invoking = currentWriter.run({ by: 'client' }, () => api.invoke(event));
  const outcome = await Promise.race([invoking, scheduler.wait(PATIENCE_MS)]);
  if (!outcome) throw new TransientError('the API has not answered in time');
  if (outcome.status !== 'returned') throw new TransientError(`the API did not answer: ${outcome.status}`);
  if (random.chance(rates().clientTimeout)) throw new TransientError('the answer was lost');
  const answered = outcome.result as Answer;
  if ('error' in answered) throw answered.error;
  if ('failed' in answered) throw new TransientError(answered.failed);
  return answered.value as T;
}

/** An error of a service becomes a 500. A mistake of ours is reported. */
async function answer(
  { onFailure }: ApiRegistryParts,
  { registry, registryUntil, tellAll, clock, release }: ApiStore,
  call: (registry: Registry) => Promise<unknown>,
): Promise<Answer> {
  try {
    const value = await call(limitLifetime(registry, registryUntil, clock, REQUEST_LIFETIME_MS));
    return { value: withOurError(value, release) };
  } catch (error) {
    if (error instanceof release.ApiError) return { error: asOurs(error) };
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      onFailure(`the API failed: ${error.stack}`);
    return { failed: String(error) };
  } finally {
    await tellAll();
  }
}

/** An outcome of a write may hold the reason why it was refused. */
function withOurError(value: unknown, { ApiError: Theirs }: Release): unknown {
  const { error } = (value ?? {}) as { readonly error?: unknown };
  return error instanceof Theirs ? { ...(value as object), error: asOurs(error) } : value;
}

/** The error as this release's own class, by which the client knows it. */
function asOurs(error: InstanceType<Release['ApiError']>): ApiError {
  if (error instanceof ApiError) return error;
  const { reason, message, details } = error;
  return new ApiError(reason, message, details, { cause: error });
}
