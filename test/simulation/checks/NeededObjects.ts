import type { Pod } from '../../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodReady } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

interface Key {
  readonly resource: 'configmaps' | 'secrets';
  readonly name: string;
  readonly key: string;
}

/** No pod is ready before the keys of ConfigMaps and Secrets that it needs are there. None is taken away in any script, unless with its namespace. */
export class NeededObjects implements Check {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ change }: AuditedWrite): string | undefined {
    if (change.resource !== 'pods' || change.type === 'DELETED') return undefined;
    const pod = change.after as unknown as Pod;
    if (!isPodReady(pod) || this.#isLeaving(pod)) return undefined;
    const missing = keysOf(pod).find((key) => !this.#has(pod, key));
    return missing && `${nameOf(pod)} is ready without the key ${missing.key} of ${missing.resource} ${missing.name}`;
  }

  #isLeaving({ metadata }: Pod): boolean {
    const namespace = this.#world.get('namespaces', '', metadata.namespace ?? '');
    return namespace?.metadata.deletionTimestamp !== undefined || namespace === undefined;
  }

  #has({ metadata }: Pod, { resource, name, key }: Key): boolean {
    const object = this.#world.get<KubernetesObject & { data?: object }>(resource, metadata.namespace ?? '', name);
    return Object.keys(object?.data ?? {}).includes(key);
  }
}

function keysOf({ spec }: Pod): Key[] {
  const variables = (spec?.containers ?? []).flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom));
  return [
    ...variables.flatMap((source) => [
      ...keysFrom('configmaps', source?.configMapKeyRef?.name, [source?.configMapKeyRef]),
      ...keysFrom('secrets', source?.secretKeyRef?.name, [source?.secretKeyRef]),
    ]),
    ...(spec?.volumes ?? []).flatMap(({ configMap, secret }) => [
      ...keysFrom('configmaps', configMap?.name, configMap?.items),
      ...keysFrom('secrets', secret?.secretName, secret?.items),
    ]),
  ];
}

function keysFrom(
  resource: Key['resource'],
  name: string | undefined,
  keys: readonly ({ readonly key: string } | undefined)[] = [],
): Key[] {
  if (name === undefined) return [];
  return keys.flatMap((one) => (one ? { resource, name, key: one.key } : []));
}
