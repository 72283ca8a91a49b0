import type { ConfigMap as ApiConfigMap } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../lambdas/objects/KubernetesObject.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { type JoinConfigMap, type JoinConfigOptions, joinConfigMaps, OURS } from './joinConfig.ts';

type ConfigMap = Stored<ApiConfigMap>;

/** Writes what machines read before they join. What a user has taken over stays as it is. Throws the error of a refusal, unless somebody else has written, or the namespace is being deleted. */
export async function ensureJoinConfig(registry: Registry, options: JoinConfigOptions): Promise<void> {
  await Promise.all(joinConfigMaps(options).map((wanted) => ensure(registry, wanted)));
}

const HARMLESS = ['AlreadyExists', 'Conflict', 'Forbidden', 'NotFound'];

async function ensure(registry: Registry, { namespace, name, key, text }: JoinConfigMap): Promise<void> {
  const stored = await registry.get<ConfigMap>({ resource: 'configmaps', namespace, name });
  const present = stored?.data?.[key];
  const isTaken = present !== undefined && !present.startsWith(OURS);
  if (isTaken || present === text) return;
  const data = { ...stored?.data, [key]: text };
  const outcome = stored
    ? await registry.update('configmaps', { ...stored, data }, { from: stored, request: 'admitted' })
    : await registry.create(
        'configmaps',
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data },
        { request: 'admitted' },
      );
  if (outcome.status === 'refused' && !HARMLESS.includes(outcome.error.reason)) throw outcome.error;
}
