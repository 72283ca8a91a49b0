import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { ApiError } from '../../objects/ApiError.ts';
import type { TableRules } from '../../registry/ResourceEntry.ts';
import { toServedVersion } from '../convertObject.ts';
import type { ServedResource } from '../ServedResources.ts';

/** What a table's rows carry besides their cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** How to make a table: `metav1.TableOptions` and what the rows are made of. */
export interface TableRequest {
  readonly resource: ServedResource;
  /** `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  /** What ages are counted from; milliseconds since the epoch. */
  now(): number;
}

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
}

/** Reads `includeObject`; absent is Metadata. Throws BadRequest for any other word. */
export function parseIncludeObject(value: string | null): IncludeObject {
  if (!value) return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw new ApiError('BadRequest', `unrecognized includeObject value: ${JSON.stringify(value)}`);
}

/** `PartialObjectMetadata`: an object without everything but its metadata. */
export function toPartialMetadata(object: KubernetesObject, apiVersion: string): KubernetesObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}

/** A `metav1.Table` with a row an object; without `columns` for the later events of a watch, as Kubernetes sends its columns once. */
export function toTable(
  request: TableRequest,
  objects: readonly KubernetesObject[],
  metadata: ListMeta,
  columns = true,
  rules = request.resource.entry.table,
): object {
  const nowMs = request.now();
  return {
    kind: 'Table',
    apiVersion: request.apiVersion,
    metadata,
    columnDefinitions: columns ? columnDefinitions(rules) : null,
    rows: objects.map((object) => ({ cells: rules.cells(object, nowMs), ...rowObject(request, object) })),
  };
}

function columnDefinitions(rules: TableRules) {
  return rules.columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format: format ?? '',
    description,
    priority,
  }));
}

function rowObject(request: TableRequest, object: KubernetesObject): { object?: KubernetesObject } {
  if (request.includeObject === 'None') return {};
  if (request.includeObject === 'Object') return { object: toServedVersion(request.resource, object) };
  return { object: toPartialMetadata(object, request.apiVersion) };
}
