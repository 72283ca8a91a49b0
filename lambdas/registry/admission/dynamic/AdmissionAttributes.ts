import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import type { TimeLeft } from '../../../ports/ObjectStore.ts';
import type { ResourceEntry } from '../../ResourceEntry.ts';
import type { Requester } from '../../Requester.ts';
import type { AllowAccess } from '../policies/AccessAnswers.ts';
import type { Annotate, GroupVersionKind } from './RequestAttributes.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What webhooks and policies are told of a request: Kubernetes' `admission.Attributes`. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  /** The resource of the request, also for a request to a subresource. */
  readonly entry: ResourceEntry;
  /** The group and version in the request's path. */
  readonly group: string;
  readonly version: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The kind of `object` and `oldObject`: of the subresource if it has one of its own, such as a Scale. */
  readonly kind: GroupVersionKind;
  /** `''` for what is in no namespace. A Namespace has its own name here, as in Kubernetes. */
  readonly namespace: string;
  /** `''` for a new object whose name is generated, and for the deletion of a collection. */
  readonly name: string;
  /**
   * The object to store, in the storage version of its resource; see `inVersion`. Absent for a deletion. It must not be changed.
   */
  readonly object?: KubernetesObject | undefined;
  /** The stored object; absent for a create. It must not be changed. */
  readonly oldObject?: KubernetesObject | undefined;
  /** CreateOptions, UpdateOptions or DeleteOptions of meta.k8s.io/v1, with apiVersion and kind; null for a connection. */
  readonly options: Readonly<Record<string, unknown>> | null;
  readonly dryRun: boolean;
  readonly user: Requester;
  /** What users may do, for expressions that ask. Absent: everything. */
  readonly allows?: AllowAccess | undefined;
  /** Adds a warning to the answer. */
  readonly warn: (warning: string) => void;
  /** Adds an annotation to the request's event in the audit log. Absent: nothing is recorded of the request. */
  readonly annotate?: Annotate | undefined;
  /** How long the request may go on; milliseconds. */
  readonly timeLeftMs: TimeLeft;
  /** What the request may take. Expressions, and what webhooks answer, draw on it. */
  readonly budget: RequestBudget;
  /** Converts an object of these attributes to a served version of the resource. An object of a subresource's own kind stays as it is. */
  inVersion(object: KubernetesObject, group: string, version: string): Promise<KubernetesObject>;
  /** Converts an object from a served version to the storage version, with the defaults of that version. It becomes the caller's own. */
  fromVersion(object: KubernetesObject, group: string, version: string): Promise<KubernetesObject>;
}
