import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { badRequest } from '../../objects/apiErrors.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { TableRules } from '../../registry/ResourceEntry.ts';
import { toServedVersion } from '../convertObject.ts';
import type { ServedResource } from '../ServedGroup.ts';

/** The part of the object that each row of a table carries, in addition to its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The options of a table: `metav1.TableOptions`, the resource of its rows, and the time. */
export interface TableRequest {
  readonly resource: ServedResource;
  /** `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  /** The current time, from which ages are computed; milliseconds since the epoch. */
  now(): number;
}

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  /** How many objects follow this page of a list. */
  readonly remainingItemCount?: number;
}

/** Reads `includeObject`; if absent, it is Metadata. Throws BadRequest for any other word. */
export function parseIncludeObject(value: string | null): IncludeObject {
  if (!value) return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const why = `Invalid value: ${goQuote(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${why}`);
}

/** `PartialObjectMetadata`: the metadata of an object, without the rest. */
export function toPartialMetadata(object: KubernetesObject, apiVersion: string): KubernetesObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}

/** Makes a `metav1.Table` with one row per object. `columns` is false for the later events of a watch: Kubernetes sends the columns once. */
export function toTable(
  request: TableRequest,
  objects: readonly KubernetesObject[],
  metadata: ListMeta,
  columns = true,
  rules = request.resource.entry.table,
): object {
  return {
    kind: 'Table',
    apiVersion: request.apiVersion,
    metadata,
    columnDefinitions: columns ? columnDefinitions(rules) : null,
    rows: objects.map((object) => tableRow(request, object, rules)),
  };
}

/** One row of a table. */
export function tableRow(
  request: TableRequest,
  object: KubernetesObject,
  rules: TableRules = request.resource.entry.table,
): object {
  // The columns of a custom resource are paths in the version of the request.
  const shown = request.resource.entry.custom && rules === request.resource.entry.table;
  const seen = shown ? toServedVersion(request.resource, object) : object;
  return { cells: rules.cells(seen, request.now()), ...rowObject(request, object) };
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

function rowObject(request: TableRequest, object: KubernetesObject): { object: KubernetesObject | null } {
  if (request.includeObject === 'None') return { object: null };
  if (request.includeObject === 'Object') return { object: toServedVersion(request.resource, object) };
  return { object: toPartialMetadata(object, request.apiVersion) };
}
