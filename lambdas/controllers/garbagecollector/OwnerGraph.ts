import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import type { ObjectList } from '../../ports/ObjectStore.ts';
import type { ObjectReader } from '../guardWrites.ts';
import { SharedReads } from './SharedReads.ts';

/** What garbage collection needs to know of a served resource. */
export interface CollectedResource {
  readonly groupResource: GroupResource;
  readonly group: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The groups of old that also serve it: `extensions`. */
  readonly versions: readonly { readonly group?: string }[];
}

/** An object that names another as its owner, with where it stands. */
export interface Dependent {
  readonly key: ObjectKey;
  readonly object: KubernetesObject;
}

/**
 * Who owns whom, read from the store when asked. Kubernetes keeps this graph in memory from watches; here the indexes hold it, and every answer is as
 * strong as a read.
 */
export class OwnerGraph {
  readonly #objectStore: ObjectReader;
  readonly #resources: readonly CollectedResource[];
  /** Owners have many dependents. */
  readonly #owners = new SharedReads<KubernetesObject | undefined>();
  /** By resource and namespace. */
  readonly #coOwned = new SharedReads<ObjectList<KubernetesObject>>();

  constructor(objectStore: ObjectReader, resources: readonly CollectedResource[]) {
    this.#objectStore = objectStore;
    this.#resources = resources;
  }

  get resources(): readonly CollectedResource[] {
    return this.#resources;
  }

  get(key: ObjectKey): Promise<KubernetesObject | undefined> {
    const { resource, namespace, name } = key;
    return this.#owners.share(`${resource}/${namespace}/${name}`, () => this.#objectStore.get(key));
  }

  /**
   * Where the owner stands, or `undefined` if nobody here can judge whether it exists: its kind is not served, or stands in namespaces while the dependent stands in none. An owner
   * of a namespaced kind is in its dependent's namespace; a reference across namespaces points at nothing.
   */
  ownerKey(reference: OwnerReference, dependentNamespace: string): ObjectKey | undefined {
    const group = reference.apiVersion.includes('/') ? reference.apiVersion.split('/')[0] : '';
    const resource = this.#resources.find(
      ({ kind, group: own, versions }) =>
        kind === reference.kind && (own === group || versions.some((version) => version.group === group)),
    );
    if (!resource || (resource.namespaced && dependentNamespace === '')) return undefined;
    const namespace = resource.namespaced ? dependentNamespace : '';
    return { resource: resource.groupResource, namespace, name: reference.name };
  }

  /** Everything that names this UID among its owners; for a cluster-scoped owner, in every namespace. At most `limit` of each resource. */
  async dependentsOf(owner: { uid: string; namespace: string }, limit?: number): Promise<Dependent[]> {
    // Nothing cluster-scoped can have an owner in a namespace.
    const candidates = this.#resources.filter(({ namespaced }) => namespaced || owner.namespace === '');
    const found = await Promise.all(candidates.map((resource) => this.#dependentsIn(resource, owner, limit)));
    return found.flat();
  }

  async #dependentsIn(
    { groupResource, namespaced }: CollectedResource,
    owner: { uid: string; namespace: string },
    limit?: number,
  ): Promise<Dependent[]> {
    const where: { readonly namespace?: string } =
      owner.namespace !== '' || !namespaced ? { namespace: owner.namespace } : {};
    const [controlled, coOwned] = await Promise.all([
      this.#objectStore.list(groupResource, {
        ...where,
        index: { name: 'controller', value: owner.uid },
        ...(limit !== undefined && { limit }),
      }),
      this.#coOwned.share(`${groupResource}/${where.namespace}`, () =>
        this.#objectStore.list(groupResource, { ...where, index: { name: 'coOwned', value: 'true' } }),
      ),
    ]);
    const others = coOwned.items.filter(
      ({ metadata }) =>
        metadata.ownerReferences?.some(({ uid, controller }) => uid === owner.uid && controller !== true) === true,
    );
    const objects = new Map([...controlled.items, ...others].map((object) => [object.metadata.uid, object]));
    return [...objects.values()].map((object) => ({ key: keyOf(groupResource, object), object }));
  }
}

/** Where an object of this resource stands. */
export function keyOf(resource: GroupResource, object: KubernetesObject): ObjectKey {
  return { resource, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}
