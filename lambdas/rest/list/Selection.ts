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
export function parseSelection(request: ResourceRequest): Selection {
  return readSelection(request).matches;
}

/**
 * `parseSelection` for a list: what it takes to look at each stored object, the request takes. A list is never refused for being long, since each object that is looked at adds to the budget.
 */
export function parseListSelection(request: ResourceRequest): Selection {
  const { matches, steps } = readSelection(request);
  const { budget } = request;
  return (object) => {
    budget.allow(1);
    budget.spend(steps);
    return matches(object);
  };
}

/** The steps of reading a field of an object, and the conditions on labels, and the values of a set, that one step looks at. */
const STEPS_PER_FIELD = 10;
const LABELS_PER_STEP = 2;
const VALUES_PER_STEP = 50;

function readSelection({ query, info, resource }: ResourceRequest): { matches: Selection; steps: number } {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '').map((one) => fieldMatch(resource, one));
  if (resource.entry.namespaced && info.namespace !== '') {
    fields.push(({ metadata }) => metadata.namespace === info.namespace);
  }
  if (!info.isCollection) fields.push(({ metadata }) => metadata.name === info.name);
  const values = labels.reduce((sum, label) => sum + label.values.length, 0);
  return {
    matches: (object) =>
      matchesRequirements(labels, object.metadata.labels) && fields.every((matches) => matches(object)),
    steps: fields.length * STEPS_PER_FIELD + labels.length / LABELS_PER_STEP + values / VALUES_PER_STEP,
  };
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
