import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { isControllerKind } from '../../objects/indexes.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import type { ListOptions } from '../../ports/ObjectStore.ts';
import type { ObjectReader } from '../GuardedWriters.ts';
import type { ObservedOwner } from './decideAttempt.ts';
import { SharedReads } from '../SharedReads.ts';

/** What the garbage collector knows of a served resource. */
export interface CollectedResource {
  readonly groupResource: GroupResource;
  readonly group: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** A version can be of another group, which serves the kind too: `events.k8s.io`. */
  readonly versions: readonly { readonly group?: string }[];
}

/** Returns the custom resources that are defined now. */
export type ListCustomResources = () => Promise<readonly CollectedResource[]>;

/** An object that names another as its owner, with its key. */
export interface Dependent {
  readonly key: ObjectKey;
  readonly object: KubernetesObject;
}

/** An owner by its key and UID. */
type Owner = ObjectKey & { readonly uid: string };

/** An owner reference with its owner as it is stored, and the owner's key. */
export type PlacedOwner = ObservedOwner & { readonly key: ObjectKey | undefined };

/** The ownership graph, read from the store when asked. Kubernetes' GraphBuilder keeps it in memory from watches. Here the indexes hold it, and every answer is a strong read. */
export class OwnerGraph {
  readonly #objectStore: ObjectReader;
  readonly #resources: readonly CollectedResource[];
  readonly #customResources: ListCustomResources;
  /** Shared, because an owner has many dependents. */
  readonly #owners = new SharedReads<KubernetesObject | undefined>();
  /** The objects in the `coOwned` index by the UID of each owner; shared by the owner's namespace, because a batch of changes asks for the dependents of many. */
  readonly #coOwned = new SharedReads<ReadonlyMap<string, readonly Dependent[]>>();

  constructor(
    objectStore: ObjectReader,
    resources: readonly CollectedResource[],
    customResources: ListCustomResources = async () => [],
  ) {
    this.#objectStore = objectStore;
    this.#resources = resources;
    this.#customResources = customResources;
  }

  get(key: ObjectKey): Promise<KubernetesObject | undefined> {
    const { resource, namespace, name } = key;
    return this.#owners.share(`${resource}/${namespace}/${name}`, () => this.#objectStore.get(key));
  }

  /**
   * Returns the owner's key, or `undefined` if nobody here can know whether the owner exists: its kind is not served, or is namespaced while the dependent is cluster-scoped. An owner of a
   * namespaced kind is looked up in its dependent's namespace, so a reference across namespaces finds nothing.
   */
  async ownerKey(reference: OwnerReference, dependentNamespace: string): Promise<ObjectKey | undefined> {
    const resource = this.builtInOwner(reference) ?? (await this.#customOwner(reference));
    if (!resource || (resource.namespaced && dependentNamespace === '')) return undefined;
    const namespace = resource.namespaced ? dependentNamespace : '';
    return { resource: resource.groupResource, namespace, name: reference.name };
  }

  /** Returns the built-in resource of the owner; `undefined` for a custom one, and for one that is not served. */
  builtInOwner(reference: OwnerReference): CollectedResource | undefined {
    return this.#resources.find((resource) => isKindOf(resource, reference));
  }

  async #customOwner(reference: OwnerReference): Promise<CollectedResource | undefined> {
    // The group of a custom resource is a domain with a dot.
    if (!groupOf(reference).includes('.')) return undefined;
    return (await this.#customResources()).find((resource) => isKindOf(resource, reference));
  }

  /** Returns each owner reference of an object with its owner as it is stored: see ObservedOwner. */
  ownersOf(object: KubernetesObject): Promise<PlacedOwner[]> {
    return Promise.all(
      (object.metadata.ownerReferences ?? []).map(async (reference): Promise<PlacedOwner> => {
        const key = await this.ownerKey(reference, object.metadata.namespace ?? '');
        if (!key) return { reference, key, owner: 'unknown' };
        const owner = await this.get(key);
        return { reference, key, owner: owner?.metadata.uid === reference.uid ? owner : undefined };
      }),
    );
  }

  /** Returns all objects that name this owner, at most `limit` of each resource by which it controls them. For a cluster-scoped owner it looks in every namespace. */
  async dependentsOf(owner: Owner, limit?: number): Promise<Dependent[]> {
    const resources = [...this.#resources, ...(await this.#customResources())];
    // A cluster-scoped object cannot have a namespaced owner.
    const candidates = resources.filter(({ namespaced }) => namespaced || owner.namespace === '');
    const [controlled, coOwned] = await Promise.all([
      isControllerResource(resources, owner) ? this.#controlledBy(candidates, owner, limit) : [],
      this.#coOwned.share(owner.namespace, () => this.#coOwnedIn(candidates, owner.namespace)),
    ]);
    const found = [...controlled, ...(coOwned.get(owner.uid) ?? [])];
    return [...new Map(found.map((dependent) => [dependent.object.metadata.uid, dependent])).values()];
  }

  /** Returns the objects that the owner controls, apart from those in the `coOwned` index. */
  #controlledBy(resources: readonly CollectedResource[], owner: Owner, limit?: number): Promise<Dependent[]> {
    const index = { name: 'controller', value: owner.uid, ownerName: owner.name } as const;
    return this.#listAll(resources, owner.namespace, { index, ...(limit !== undefined && { limit }) });
  }

  async #coOwnedIn(resources: readonly CollectedResource[], namespace: string) {
    const byOwner = new Map<string, Dependent[]>();
    for (const dependent of await this.#listAll(resources, namespace, { index: { name: 'coOwned', value: 'true' } })) {
      for (const { uid } of dependent.object.metadata.ownerReferences ?? []) {
        const others = byOwner.get(uid);
        if (others) others.push(dependent);
        else byOwner.set(uid, [dependent]);
      }
    }
    return byOwner;
  }

  /** Lists each resource where objects can name an owner in this namespace. */
  async #listAll(
    resources: readonly CollectedResource[],
    ownerNamespace: string,
    options: Pick<ListOptions, 'index' | 'limit'>,
  ): Promise<Dependent[]> {
    const lists = await Promise.all(
      resources.map(async ({ groupResource, namespaced }) => {
        const where = ownerNamespace !== '' || !namespaced ? { namespace: ownerNamespace } : {};
        const { items } = await this.#objectStore.list(groupResource, { ...where, ...options });
        return items.map((object): Dependent => ({ key: keyOf(groupResource, object), object }));
      }),
    );
    return lists.flat();
  }
}

/** False if the owner is of a kind that controls nothing in Kubernetes' own API: then the `coOwned` index lists all its dependents. */
function isControllerResource(resources: readonly CollectedResource[], owner: Owner): boolean {
  const kind = resources.find(({ groupResource }) => groupResource === owner.resource)?.kind;
  return kind === undefined || isControllerKind(kind);
}

/** The API group of an owner. */
export function groupOf({ apiVersion }: OwnerReference): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

function isKindOf({ kind, group: own, versions }: CollectedResource, reference: OwnerReference): boolean {
  const group = groupOf(reference);
  return kind === reference.kind && (own === group || versions.some((version) => version.group === group));
}

/** Returns the key of an object of this resource. */
export function keyOf(resource: GroupResource, object: KubernetesObject): ObjectKey {
  return { resource, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}
