import { type FieldRequirement, parseFieldSelector, unsupportedField } from '../../objects/selectors/fieldSelector.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { matchesRequirements } from '../../objects/selectors/labelRequirement.ts';
import { parseLabelSelector } from '../../objects/selectors/parseLabelSelector.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import type { ServedResource } from '../ServedGroup.ts';

/** True for the stored objects that a request is about. */
export type Selection = (object: KubernetesObject) => boolean;

/**
 * Reads which objects a list, watch or deletecollection selects: those in the namespace of its path that match its label and field selectors and, for a
 * legacy watch path, the name in that path. The selection takes objects in their storage version.
 *
 * @throws ApiError BadRequest for a selector that cannot be parsed, or a field that this resource does not support.
 */
export function parseSelection({ query, info, resource }: ResourceRequest): Selection {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '').map((one) => fieldMatch(resource, one));
  if (resource.entry.namespaced && info.namespace !== '') {
    fields.push(({ metadata }) => metadata.namespace === info.namespace);
  }
  if (!info.isCollection) fields.push(({ metadata }) => metadata.name === info.name);
  return (object) => matchesRequirements(labels, object.metadata.labels) && fields.every((matches) => matches(object));
}

/** Names what a request selects: requests of the same resource with the same name select the same objects. */
export function selectionName({ query, info }: ResourceRequest): string {
  const name = info.isCollection ? undefined : info.name;
  return JSON.stringify([info.namespace, name, query.get('labelSelector'), query.get('fieldSelector')]);
}

/** True if a request is about all objects in the namespace of its path, so that none need be looked at. */
export function selectsAll({ query, info }: ResourceRequest): boolean {
  return info.isCollection && !query.get('labelSelector') && !query.get('fieldSelector');
}

function fieldMatch(resource: ServedResource, { field, operator, value }: FieldRequirement): Selection {
  const read = fieldReader(resource, field);
  return operator === '=' ? (object) => read(object) === value : (object) => read(object) !== value;
}

function fieldReader(resource: ServedResource, field: string): (object: KubernetesObject) => string {
  if (field === 'metadata.name') return ({ metadata }) => metadata.name;
  if (field === 'metadata.namespace' && resource.entry.namespaced) return ({ metadata }) => metadata.namespace ?? '';
  const { entry, version } = resource;
  const known = version.fieldLabels?.[field] ?? field;
  const names = Object.keys(entry.selectableFields?.(emptyObject(resource)) ?? {});
  if (!names.includes(known)) throw unsupportedField(field, names);
  return (object) => entry.selectableFields?.(object)[known] ?? '';
}

/** An empty object: the names of a resource's selectable fields do not depend on the object. */
function emptyObject({ entry }: ServedResource): KubernetesObject {
  const metadata = { name: '', namespace: '', uid: '', resourceVersion: '', creationTimestamp: '' };
  return { apiVersion: '', kind: entry.kind, metadata, spec: {}, status: {} };
}
