import type { SendRequest } from '../../infra/host/SendRequest.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';

interface Served {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** Returns what a server has stored: each object of each kind as its list shows it, events and leases too, by its path. */
export async function storedObjects(send: SendRequest): Promise<ReadonlyMap<string, KubernetesObject>> {
  const read = async <T>(path: string): Promise<T> => {
    const response = await send(path);
    if (!response.ok) throw new Error(`GET ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { groups } = await read<{ groups: readonly { preferredVersion: { groupVersion: string } }[] }>('/apis');
  const roots = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const kept = await Promise.all(
    roots.map(async (root) => {
      const { resources } = await read<{ resources: readonly Served[] }>(root);
      // What cannot be created is computed with each list.
      const stored = resources.filter(({ verbs }) => ['list', 'create'].every((verb) => verbs.includes(verb)));
      return stored.map(({ name }) => `${root}/${name}`);
    }),
  );
  const lists = await Promise.all(
    kept.flat().map(async (path) => {
      const { items } = await read<{ items: readonly KubernetesObject[] }>(path);
      return items.map((item) => [`${path}/${item.metadata.namespace ?? ''}/${item.metadata.name}`, item] as const);
    }),
  );
  return new Map(lists.flat());
}
