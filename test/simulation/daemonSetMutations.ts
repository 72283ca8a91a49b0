import type { DaemonSet, Pod } from '../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { boundRegistry } from './boundRegistry.ts';
import type { Mutation } from './Mutation.ts';

/** Defects in which nodes have a daemon's pods. */
export const DAEMON_SET_MUTATIONS: readonly Mutation[] = [
  {
    name: 'leaving-daemons-forgotten',
    what: 'a node gets the next pod of a daemon while the last one is still being deleted',
    seams: () =>
      daemonSetRegistry((registry) => ({
        list: (async (resource: string, options?: Parameters<Registry['list']>[1]) => {
          const list = await registry.list(resource, options);
          if (resource !== 'pods') return list;
          const items = (list.items as readonly Pod[]).filter(({ metadata }) => !metadata.deletionTimestamp);
          return { ...list, items };
        }) as Registry['list'],
      })),
  },
  {
    name: 'daemon-bound-off-by-one',
    what: 'an update of a daemon takes one more node out of service than it may',
    seams: () =>
      daemonSetRegistry((registry) => ({
        get: async (key) => withMoreUnavailable(await registry.get(key)) as never,
      })),
  },
  {
    name: 'new-nodes-passed-over',
    what: 'a node that comes concerns no daemon',
    seams: () => ({
      controller: (controller) =>
        controller.name === 'daemonset'
          ? { ...controller, keysFor: (change) => (change.resource === 'nodes' ? [] : controller.keysFor(change)) }
          : controller,
    }),
  },
];

type Registry = Parameters<typeof boundRegistry>[0];

function daemonSetRegistry(change: (registry: Registry) => Partial<Registry>) {
  return {
    registry: (registry: Registry, controller: string) =>
      controller === 'daemonset' ? { ...boundRegistry(registry), ...change(registry) } : registry,
  };
}

function withMoreUnavailable(object: KubernetesObject | undefined): KubernetesObject | undefined {
  if (object?.kind !== 'DaemonSet') return object;
  const { spec } = object as DaemonSet;
  const { rollingUpdate, ...strategy } = spec?.updateStrategy ?? {};
  if (!rollingUpdate?.maxUnavailable) return object;
  const more = { ...rollingUpdate, maxUnavailable: Number(rollingUpdate.maxUnavailable) + 1 };
  return { ...object, spec: { ...spec, updateStrategy: { ...strategy, rollingUpdate: more } } };
}
