import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { ListOptions, ObjectList } from '../ports/ObjectStore.ts';
import type { RegistryReader } from './GuardedWriters.ts';
import { SharedReads } from './SharedReads.ts';

/**
 * Returns a reader that makes one read of all equal reads of a turn of the event loop (see SharedReads). `keysFor` of controllers that look up the owners of changed pods needs it: a batch of changes has
 * hundreds of pods with the same owner. In DynamoDB, where one item bears 3,000 reads a second, those of a large ReplicaSet would be throttled.
 */
export function createSharedReader(registry: RegistryReader): RegistryReader {
  const gets = new SharedReads<KubernetesObject | undefined>();
  const lists = new SharedReads<ObjectList<KubernetesObject>>();
  return {
    get: <T extends KubernetesObject>(key: ObjectKey) => {
      const { resource, namespace, name } = key;
      return gets.share(`${resource}/${namespace}/${name}`, () => registry.get(key)) as Promise<T | undefined>;
    },
    list: <T extends KubernetesObject>(resource: GroupResource, options?: ListOptions) =>
      lists.share(JSON.stringify([resource, options]), () => registry.list(resource, options)) as Promise<
        ObjectList<T>
      >,
  };
}
