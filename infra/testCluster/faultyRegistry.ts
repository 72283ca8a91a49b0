import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { faultError, type FaultList } from './Faults.ts';

/** Applies faults to the writes of controllers, but not to their reads: a failed read could keep a change from becoming a key. */
export function faultyRegistry(registry: Registry, faults: FaultList): Registry {
  const refusal = (verb: string, resource: GroupResource, namespace = '', name = '', subresource?: string) => {
    const [plural = '', ...group] = resource.split('.');
    const place = subresource === undefined ? plural : `${plural}/${subresource}`;
    const fault = faults.match('controllers', { verb, group: group.join('.'), resource: place, namespace, name });
    return fault && ({ status: 'refused', error: faultError(fault, resource, name) } as const);
  };
  return {
    get: (key) => registry.get(key),
    list: (resource, options) => registry.list(resource, options),
    create: async (resource, object, options) => {
      const { namespace, name } = object.metadata;
      return refusal('create', resource, namespace, name) ?? (await registry.create(resource, object, options));
    },
    update: async <T extends KubernetesObject>(
      resource: GroupResource,
      object: T,
      options?: Parameters<Registry['update']>[2],
    ) => {
      const { namespace, name } = object.metadata;
      const refused = refusal('update', resource, namespace, name, options?.subresource);
      return refused ?? (await registry.update<T>(resource, object, options as never));
    },
    delete: async (key, options) =>
      refusal('delete', key.resource, key.namespace, key.name) ?? (await registry.delete(key, options)),
  };
}
