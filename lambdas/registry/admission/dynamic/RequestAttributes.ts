import type { AuditLevel } from '../../../objects/audit/AuditEvent.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { Requester } from '../../Requester.ts';
import type { AllowAccess } from '../policies/AccessAnswers.ts';

/** `metav1.GroupVersionKind`. The group is `''` for the core group. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** How admission sees an object through a subresource that has a kind of its own: the Scale of a Deployment. */
export interface SubresourceView {
  readonly kind: GroupVersionKind;
  /** Makes the subresource's object of a stored object. */
  show(object: KubernetesObject): KubernetesObject;
  /** Changes the draft of the stored object to what a webhook made of the subresource's object. */
  take(draft: KubernetesObject, shown: KubernetesObject): void;
}

/** Adds an annotation to the event of a request in the audit log. `least`: the level from which on it is recorded; default: from `Metadata` on. */
export type Annotate = (key: string, value: string, least?: AuditLevel) => void;

/** The request of a client behind a write, as webhooks and policies see it. */
export interface RequestAttributes {
  readonly user: Requester;
  /** What users may do, for expressions that ask. Absent: everything. */
  readonly allows?: AllowAccess | undefined;
  /** The group and version in the request's path. */
  readonly group: string;
  readonly version: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The name in the request's path; `''` for a collection. */
  readonly name: string;
  /** The options as the client sent them, except `dryRun`: `fieldManager`, `fieldValidation`, `gracePeriodSeconds`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly view?: SubresourceView | undefined;
  /** Adds a warning to the answer. */
  readonly warn: (warning: string) => void;
  /** Absent: nothing is recorded of the request. */
  readonly annotate?: Annotate | undefined;
}
