import type { FieldError } from '../objects/FieldError.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { KubernetesRelease } from '../objects/KubernetesRelease.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { RequestBudget } from '../objects/RequestBudget.ts';
import type { ObjectStore } from '../ports/ObjectStore.ts';
import type { AllowAccess } from './admission/policies/AccessAnswers.ts';
import type { CustomSchema } from './apiextensions/CustomSchema.ts';
import type { FieldPattern } from './fieldmanager/fieldFilter.ts';
import type { WebhookConversion } from './customresources/conversion/ConversionWebhooks.ts';
import type { DeleteOptions } from './Registry.ts';
import type { Requester } from './Requester.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A column of a server-side table: `metav1.TableColumnDefinition`. Priority 0 is always shown, a higher one only with `-o wide`. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the column of names, or a format of OpenAPI. */
  readonly format?: string;
  readonly description: string;
  readonly priority: number;
}

export interface TableRules {
  readonly columns: readonly TableColumn[];
  /** How many columns look for their value through lists and maps of the object; absent: none. */
  readonly searches?: number;
  /** Returns one cell for each column. Pure: ages are counted up to `nowMs`. */
  cells(object: KubernetesObject, nowMs: number): readonly (string | number | boolean | null)[];
}

/** How one served version differs from the storage version. The functions change the drafts that they are given. */
export interface ServedVersion {
  /** `v1`, `v1beta1`; with `group` it makes the apiVersion. */
  readonly version: string;
  /** The API group of this version, if it differs from the resource's: `events.k8s.io`. */
  readonly group?: string;
  /** Fills in the defaults of this version, in this version's own shape. */
  applyDefaults?(draft: KubernetesObject): void;
  /** Returns the errors of a new object in this version's shape, which other versions let in. Pure. */
  validateNew?(draft: KubernetesObject): FieldError[];
  /** Converts from this version's shape to the storage version's; absent if only the apiVersion differs. */
  toStorage?(draft: KubernetesObject): void;
  fromStorage?(draft: KubernetesObject): void;
  /** The policy of a DELETE that names none, in this version; absent: Background. */
  readonly defaultPropagation?: 'Orphan' | 'Background';
  /** For a version with its own names of selectable fields: its names, and the names in `selectableFields`. */
  readonly fieldLabels?: Readonly<Record<string, string>>;
}

/** A subresource that shows the whole object and changes only a part of its spec: `pods/resize`. The object's metadata stays. The functions are pure. */
export interface PartStrategy {
  /** Returns the old object's spec with what the subresource may change taken from the draft. What it cannot take apart it returns as it is given, and `validateUpdate` refuses it. */
  mergeSpec(draft: KubernetesObject, old: KubernetesObject): unknown;
  /** The minor release of Kubernetes 1 that serves it first by default; absent: one before 1.29. */
  readonly since?: number;
  /** Returns the errors of the change, except those of its metadata. */
  validateUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[];
  /** Changes what the draft's status has to say after the change; absent: nothing. */
  completeStatus?(draft: KubernetesObject, old: KubernetesObject): void;
  /** The fields that it may change, and that can be owned through it. */
  readonly fields: readonly FieldPattern[];
}

/** Adds a warning to the answer of a request. */
export type Warn = (warning: string) => void;

/** Who writes an object, on a server that checks permissions, and whom to ask what the user may do. */
export interface WriteAuthority {
  readonly user: Requester;
  readonly allows: AllowAccess;
  /** The plural of a kind, in the version that is named; `undefined` for a kind that is not served. */
  readonly pluralOf: (kind: { readonly apiVersion?: string; readonly kind?: string }) => Promise<string | undefined>;
  readonly objectStore: Pick<ObjectStore, 'get'>;
}

/**
 * Kubernetes' RESTCreateStrategy, RESTUpdateStrategy and RESTDeleteStrategy for one resource, on storage versions. The functions are pure, except that
 * they change the drafts that they are given and draw on the request's budget, and `authorizeWrite` reads. The registry handles what all resources have in common: metadata, resourceVersion, UID, finalizers, generation.
 */
export interface Strategy {
  /** Returns the errors of a name, in Kubernetes' words; absent: names are DNS subdomains. */
  nameErrors?(name: string): string[];
  /** True if a new object keeps the status that it is created with (nodes). Absent: if `/status` is served, the status is dropped. */
  readonly keepsStatusOnCreate?: boolean;
  /** Returns a stored object as it is read now, if that can differ from how it is stored; absent: as it is. The given object stays as it is. */
  readStored?(object: KubernetesObject): KubernetesObject;
  /** Changes a draft that was validated in another version to what the storage version can hold; absent: it can hold everything. */
  prepareToStore?(draft: KubernetesObject): void;
  /** Drops what clients may not set on create, and fills in what the server decides. */
  prepareForCreate?(draft: KubernetesObject): void;
  /** Returns the errors of a new object, except those of its metadata. */
  validate?(object: KubernetesObject, budget: RequestBudget): FieldError[];
  /** Returns what the client is told of an otherwise valid new object, or change of its spec; `old` is absent for a new object. Pure. */
  warnings?(object: KubernetesObject, old: KubernetesObject | undefined): string[];
  prepareForUpdate?(draft: KubernetesObject, old: KubernetesObject): void;
  /** Returns the errors of a change, changed immutable fields included, except those of its metadata. */
  validateUpdate?(object: KubernetesObject, old: KubernetesObject, budget: RequestBudget, warn?: Warn): FieldError[];
  /**
   * Returns the errors of an otherwise valid new object, or of a change, that refers to what its author may not read. `old` is absent for a new object. Asked only where permissions are checked, and not
   * about superusers.
   */
  authorizeWrite?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    authority: WriteAuthority,
  ): Promise<FieldError[]>;
  /** Says why an otherwise valid new object is forbidden, whoever creates it: what an admission plugin for this kind alone decides. Absent or undefined: it is not. */
  forbidsCreate?(object: KubernetesObject): string | undefined;
  /** Records in a new object who asks for it. Clients cannot set what this writes. Without authorization nobody is known. */
  setRequester?(draft: KubernetesObject, requester: Requester | undefined): void;
  /** The subresources that change a part of the spec, by their names. */
  readonly parts?: Readonly<Record<string, PartStrategy>>;
  /** Takes of the draft's status what the subresource `approval` may change, and everything else from the old object. */
  prepareForApproval?(draft: KubernetesObject, old: KubernetesObject, nowMs: number): void;
  validateApproval?(object: KubernetesObject, old: KubernetesObject): FieldError[];
  prepareForStatusUpdate?(draft: KubernetesObject, old: KubernetesObject, nowMs: number): void;
  validateStatusUpdate?(object: KubernetesObject, old: KubernetesObject, budget: RequestBudget): FieldError[];
  /** What an update of the status leaves alone besides the spec (`metadata.labels`), so that nobody owns it through the status. */
  readonly keptByStatus?: readonly string[];
  /** True if the change increases `metadata.generation`; absent: the resource has no generation. Kubernetes compares the spec. */
  generationChanges?(object: KubernetesObject, old: KubernetesObject): boolean;
  /** Returns the grace period of a deletion, for resources that are deleted gracefully (pods); absent: none. */
  gracePeriodSeconds?(object: KubernetesObject, options: DeleteOptions): number;
  /** For resources whose deletion always takes two steps (namespaces, definitions): changes the draft, which already has its deletion timestamp. */
  markDeleting?(draft: KubernetesObject, nowMs: number): void;
  /** True while something other than `metadata.finalizers` keeps a deleted object from being removed (namespaces: `spec.finalizers`). */
  isHeld?(object: KubernetesObject): boolean;
  /** False for objects that cannot own others (events): they never get the garbage collector's finalizers. */
  readonly collectsGarbage?: boolean;
  /** True if PUT may create an object, as for leases and events in Kubernetes; absent: false. */
  readonly allowCreateOnUpdate?: boolean;
  /** False if an update needs a resourceVersion; absent: true, and an update without one is unconditional. */
  readonly allowUnconditionalUpdate?: boolean;
}

/** What only custom resources have. */
export interface CustomRules {
  readonly listKind: string;
  /** The names of all versions that are served. */
  readonly servedVersions: readonly string[];
  /** Whether the definition is being deleted, so that nothing can be created any more. */
  readonly isTerminating: boolean;
  /** Returns the compiled schema of the version. */
  schema(): CustomSchema;
  /** Returns the compiled schema of any version of the definition: `v1beta1`. */
  schemaOf(version: string): CustomSchema | undefined;
  /** The JSON of `openAPIV3Schema`; absent if unknown fields are preserved without one. */
  readonly openApiSchema: unknown;
  readonly selectableFields: readonly { readonly jsonPath: string }[];
  /** How objects get from the version in which they are stored to this one, if a webhook converts them. Absent: only the apiVersion differs. */
  readonly conversion?: WebhookConversion;
  /** For requests in a deprecated version. */
  readonly deprecationWarning?: string;
  /** For a kind of the server's own, which has no definition: loads what the other functions need. It is called before each request for the kind. */
  load?(): Promise<void>;
}

/** A subresource to which clients post what the server shall do: `clocks/advance`. It is answered with the object. */
export interface ActionRules {
  /** The kind of what is posted. */
  readonly kind: string;
  /** The schema of what is posted, as JSON Schema of OpenAPI. */
  readonly openApiSchema: object;
}

/** Reads and writes the numbers of a resource's scale subresource. */
export interface ScaleRules {
  readonly group: 'autoscaling';
  readonly version: 'v1';
  readonly kind: 'Scale';
  replicas(object: KubernetesObject): { readonly spec: number; readonly status: number; readonly selector: string };
  setReplicas(draft: KubernetesObject, replicas: number): void;
  /** The path to the wanted replicas, in every version: `.spec.size`. Absent: `.spec.replicas`. */
  readonly specReplicasPath?: string;
  /** True for a custom resource: its scale always shows the wanted replicas, and its objects may lack them. */
  readonly isCustom?: true;
  /** False for an object without wanted replicas, for which `replicas` throws. Absent: every object has them. */
  hasReplicas?(object: KubernetesObject): boolean;
}

/** A served resource: plain data and pure functions, from which routing, discovery, storage, tables and OpenAPI follow. */
export interface ResourceEntry {
  /** `deployments.apps`: the name under which it is stored. */
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
  /** The version among `versions` that is stored. */
  readonly storageVersion: string;
  /** The preferred version first. */
  readonly versions: readonly ServedVersion[];
  readonly strategy: Strategy;
  /** For a kind that few processes write, and whose rules need much code: loads the rest of its strategy before a write. Absent: the strategy is whole. */
  loadStrategy?(): Promise<Strategy>;
  /** True if `/status` is served. */
  readonly status?: boolean;
  /** True if `/approval` is served: it changes only what a status update leaves alone, see `prepareForApproval`. */
  readonly approval?: boolean;
  readonly scale?: ScaleRules;
  /** The actions that are served, by the names of their subresources. Absent: none. */
  readonly actions?: Readonly<Record<string, ActionRules>>;
  readonly table: TableRules;
  /** Returns the fields for field selectors, in addition to `metadata.name` and `metadata.namespace`. */
  selectableFields?(object: KubernetesObject): Readonly<Record<string, string>>;
  /** True for a resource that is answered and never stored: `selfsubjectaccessreviews`. */
  readonly virtual?: boolean;
  /** The minor release of Kubernetes 1 that serves it first by default; absent: one before 1.29. */
  readonly since?: number;
  /** The release of Kubernetes whose fields it has; absent: the newest. */
  readonly release?: KubernetesRelease;
  /** Absent for built-in resources. */
  readonly custom?: CustomRules;
  /** Clients are told this with every answer, as of a resource that is deprecated. */
  readonly warning?: string;
}

/** The steps of validating one value of an object by the rules of its kind, whose work grows with the object alone. Those of custom kinds take more, and say so themselves. */
export const STEPS_PER_VALIDATED_VALUE = 3;

/** Fills in the defaults of the storage version. Those of another served version were filled in before the conversion. */
export function applyStorageDefaults(entry: ResourceEntry, draft: KubernetesObject): void {
  const stored = entry.versions.find(
    ({ version, group = entry.group }) => version === entry.storageVersion && group === entry.group,
  );
  stored?.applyDefaults?.(draft);
}

/** Names the kind as messages do: `Deployment.apps`, `Pod`. */
export function groupKind(entry: ResourceEntry): string {
  return entry.group === '' ? entry.kind : `${entry.kind}.${entry.group}`;
}

/** Returns the apiVersion of stored objects: `apps/v1`, `v1`. */
export function storageApiVersion(entry: ResourceEntry): string {
  return entry.group === '' ? entry.storageVersion : `${entry.group}/${entry.storageVersion}`;
}
