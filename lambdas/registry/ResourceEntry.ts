import type { FieldError } from '../objects/FieldError.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { DeleteOptions } from './Registry.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A column of a server-side table: `metav1.TableColumnDefinition`. Priority 0 shows always, above only with `-o wide`. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: 'name' | '';
  readonly description: string;
  readonly priority: number;
}

export interface TableRules {
  readonly columns: readonly TableColumn[];
  /** One cell a column. Pure: `nowMs` is what ages are counted from. */
  cells(object: KubernetesObject, nowMs: number): readonly (string | number | boolean | null)[];
}

/** How one served version differs from the storage version. Drafts are the callee's to change. */
export interface ServedVersion {
  /** `v1`, `v1beta1`; with `group` it makes the apiVersion. */
  readonly version: string;
  /** The API group that serves it, where it is not the resource's own: `extensions`, `events.k8s.io`. */
  readonly group?: string;
  /** Fills in what this version leaves out when a client says nothing, in this version's own shape. */
  applyDefaults?(draft: KubernetesObject): void;
  /** From this version's shape to the storage version's; absent where only the apiVersion differs. */
  toStorage?(draft: KubernetesObject): void;
  fromStorage?(draft: KubernetesObject): void;
  /** What a DELETE without a propagation policy does in this version; absent: Background. */
  readonly defaultPropagation?: 'Orphan' | 'Background';
  /** Where this version names selectable fields in its own way: its names, and what `selectableFields` calls them. */
  readonly fieldLabels?: Readonly<Record<string, string>>;
}

/**
 * Kubernetes' RESTCreateStrategy, RESTUpdateStrategy and RESTDeleteStrategy for one resource, on storage versions. All are pure; drafts are the callee's to
 * change. What every resource has in common (metadata, resourceVersion, UID, finalizers, generation) is the registry's and not repeated here.
 */
export interface Strategy {
  /** What is wrong with this name, in Kubernetes' words; absent: names are DNS subdomains. */
  nameErrors?(name: string): string[];
  /** True if a new object may come with a status (nodes); absent: it is dropped, wherever `/status` is served. */
  readonly keepsStatusOnCreate?: boolean;
  /** Drops what clients may not set on create (the status), fills in what the server decides. */
  prepareForCreate?(draft: KubernetesObject): void;
  /** Everything wrong with a new object besides its metadata. */
  validate?(object: KubernetesObject): FieldError[];
  prepareForUpdate?(draft: KubernetesObject, old: KubernetesObject): void;
  /** Everything wrong with this change besides its metadata, immutable fields among it. */
  validateUpdate?(object: KubernetesObject, old: KubernetesObject): FieldError[];
  prepareForStatusUpdate?(draft: KubernetesObject, old: KubernetesObject): void;
  validateStatusUpdate?(object: KubernetesObject, old: KubernetesObject): FieldError[];
  /** True when the change counts as a new `metadata.generation`; absent: the resource has no generation. Kubernetes compares the spec. */
  generationChanges?(object: KubernetesObject, old: KubernetesObject): boolean;
  /** Seconds until a deleted object is gone, for resources that end gracefully (pods); absent: at once. */
  gracePeriodSeconds?(object: KubernetesObject, options: DeleteOptions): number;
  /** For resources whose deletion is always two steps (namespaces): marks the draft, which already has its deletion timestamp. */
  markDeleting?(draft: KubernetesObject): void;
  /** True while something besides `metadata.finalizers` keeps a deleted object from going (namespaces: `spec.finalizers`). */
  isHeld?(object: KubernetesObject): boolean;
  /** False for objects that can own nothing (events): they never get the garbage collector's finalizers. */
  readonly collectsGarbage?: boolean;
  /** True if PUT may create (leases, events in Kubernetes; false when absent). */
  readonly allowCreateOnUpdate?: boolean;
  /** False if an update must carry a resourceVersion; absent: true, an update without one is unconditional. */
  readonly allowUnconditionalUpdate?: boolean;
}

/** Where a resource's scale subresource finds its numbers. */
export interface ScaleRules {
  readonly group: 'autoscaling';
  readonly version: 'v1';
  readonly kind: 'Scale';
  replicas(object: KubernetesObject): { readonly spec: number; readonly status: number; readonly selector: string };
  setReplicas(draft: KubernetesObject, replicas: number): void;
}

/** A served resource: everything that routing, discovery, storage, tables and OpenAPI need to know of it. Plain data and pure functions. */
export interface ResourceEntry {
  /** `deployments.apps`: where it is stored. */
  readonly groupResource: GroupResource;
  readonly group: string;
  /** The plural in paths: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Of `versions`, the one that is stored. */
  readonly storageVersion: string;
  /** The preferred version first. */
  readonly versions: readonly ServedVersion[];
  readonly strategy: Strategy;
  /** True if `/status` is served. */
  readonly status?: boolean;
  readonly scale?: ScaleRules;
  readonly table: TableRules;
  /** What field selectors can ask for, besides `metadata.name` and `metadata.namespace`. */
  selectableFields?(object: KubernetesObject): Readonly<Record<string, string>>;
  /** True for what is answered and never stored: `selfsubjectaccessreviews`. */
  readonly virtual?: boolean;
}

/** Fills in what the storage version of this resource leaves out; what another served version would fill in was filled in before its conversion. */
export function applyStorageDefaults(entry: ResourceEntry, draft: KubernetesObject): void {
  const stored = entry.versions.find(
    ({ version, group = entry.group }) => version === entry.storageVersion && group === entry.group,
  );
  stored?.applyDefaults?.(draft);
}

/** `Deployment.apps`, `Pod`: how messages name a kind. */
export function groupKind(entry: ResourceEntry): string {
  return entry.group === '' ? entry.kind : `${entry.kind}.${entry.group}`;
}

/** `apps/v1`, `v1`: what stored objects say. */
export function storageApiVersion(entry: ResourceEntry): string {
  return entry.group === '' ? entry.storageVersion : `${entry.group}/${entry.storageVersion}`;
}
