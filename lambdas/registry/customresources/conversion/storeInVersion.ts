import type { KubernetesObject, NewObject } from '../../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../../objects/ObjectKey.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import {
  type CreateOutcome,
  listed,
  type ListOptions,
  type ObjectList,
  type ObjectListing,
  type ObjectStore,
  type ReplaceOutcome,
} from '../../../ports/ObjectStore.ts';
import { type ResourceEntry, storageApiVersion } from '../../ResourceEntry.ts';
import type { ConversionWebhooks, WebhookConversion } from './ConversionWebhooks.ts';

type Reader = Pick<ObjectStore, 'get' | 'list' | 'listEncoded'>;

/** Shows stored objects in the version of an entry. */
export type ToVersion = (objects: readonly KubernetesObject[]) => Promise<readonly KubernetesObject[]>;

/**
 * Returns what shows stored objects as the version of this entry knows them; `undefined` if the resource needs no webhook for that. Only the apiVersion stays that of the stored object, as without a
 * webhook: it says in which version an object is stored.
 */
export function toVersionOf(entry: ResourceEntry, conversions: ConversionWebhooks | undefined): ToVersion | undefined {
  const conversion = entry.custom?.conversion;
  if (!conversion || !conversions) return undefined;
  const apiVersion = apiVersionOf(entry);
  return async (objects) => {
    const converted = await conversions.convert(conversion, objects, apiVersion);
    return converted.map((object, index) => labelled(object, objects[index]?.apiVersion ?? apiVersion));
  };
}

/** The same object for the same conversion, so that what is remembered of an object is found again. */
const labels = new WeakMap<KubernetesObject, KubernetesObject>();

function labelled(object: KubernetesObject, apiVersion: string): KubernetesObject {
  if (object.apiVersion === apiVersion) return object;
  const known = labels.get(object) ?? { ...object, apiVersion };
  labels.set(object, known);
  return known;
}

/** Each version of a custom resource has an entry of its own. */
function apiVersionOf({ group, versions, storageVersion }: ResourceEntry): string {
  return `${group}/${versions[0]?.version ?? storageVersion}`;
}

/** Reads the objects of the entry's resource in the entry's version. Other objects stay as they are. Throws ApiError if they cannot be converted. */
export function readsInVersion(reader: Reader, entry: ResourceEntry, toVersion: ToVersion): Reader {
  const isOwn = (resource: GroupResource) => resource === entry.groupResource;
  return {
    async get<T extends KubernetesObject>(key: ObjectKey) {
      const object = await reader.get<T>(key);
      if (object === undefined || !isOwn(key.resource)) return object;
      const [converted] = await toVersion([object]);
      return converted as T;
    },
    async list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions): Promise<ObjectList<T>> {
      const list = await reader.list<T>(resource, options);
      return isOwn(resource) ? { ...list, items: (await toVersion(list.items)) as readonly T[] } : list;
    },
    async listEncoded(resource: GroupResource, options?: Omit<ListOptions, 'index'>): Promise<ObjectListing> {
      const { items, ...rest } = await this.list(resource, options);
      return { ...rest, items: items.map(listed) };
    },
  };
}

/** Reads and writes the objects of the entry's resource in the entry's version; they are stored in the storage version. Throws ApiError if they cannot be converted. */
export function storeInVersion(
  store: ObjectStore,
  entry: ResourceEntry,
  conversions: ConversionWebhooks | undefined,
  budget: RequestBudget,
): ObjectStore {
  const toVersion = toVersionOf(entry, conversions);
  const conversion = entry.custom?.conversion;
  if (!toVersion || !conversion || !conversions) return store;
  const stored = (object: NewObject) => toStorage(entry, conversion, conversions, budget, object as KubernetesObject);
  const shown = async <O extends { readonly status: string }>(outcome: O): Promise<O> => {
    if (outcome.status !== 'stored') return outcome;
    const [object] = await toVersion([(outcome as unknown as { readonly object: KubernetesObject }).object]);
    return { ...outcome, object };
  };
  const isOwn = (resource: GroupResource) => resource === entry.groupResource;
  return {
    ...readsInVersion(store, entry, toVersion),
    create: async <T extends KubernetesObject>(
      resource: GroupResource,
      object: NewObject,
    ): Promise<CreateOutcome<T>> =>
      isOwn(resource)
        ? shown(await store.create<T>(resource, await stored(object)))
        : store.create<T>(resource, object),
    replace: async <T extends KubernetesObject>(resource: GroupResource, object: T): Promise<ReplaceOutcome<T>> =>
      isOwn(resource)
        ? shown(await store.replace<T>(resource, (await stored(object)) as T))
        : store.replace<T>(resource, object),
    remove: store.remove.bind(store),
    burn: store.burn.bind(store),
  };
}

/** Converts an object from the entry's version, and drops what the storage version does not know. */
async function toStorage(
  entry: ResourceEntry,
  conversion: WebhookConversion,
  conversions: ConversionWebhooks,
  budget: RequestBudget,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  const own = { ...object, apiVersion: apiVersionOf(entry) };
  const [converted] = await conversions.convert(conversion, [own], storageApiVersion(entry), budget);
  const draft = structuredClone(converted as KubernetesObject);
  entry.custom?.schemaOf(entry.storageVersion)?.prune(draft);
  return draft;
}
