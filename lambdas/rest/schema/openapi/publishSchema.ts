import { fieldsOf } from '../../../registry/validation/fieldsOf.ts';
import { type Dialect, type Json, reference } from './componentOf.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const STRUCTURE = ['properties', 'additionalProperties', 'items'] as const;
const QUANTIFIERS = ['allOf', 'anyOf', 'oneOf', 'not'] as const;
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';

/**
 * Returns the JSON of a custom resource's `openAPIV3Schema` as it is published. Version 3 has it as it is, with what int-or-string and embedded resources imply. Version 2 cannot say everything: what it
 * cannot is left out so that clients which validate by it accept every valid object, as Kubernetes' `ToStructuralOpenAPIV2` does. Pure.
 */
export function publishSchema(json: unknown, dialect: Dialect): Json {
  const schema = fieldsOf<Record<string, unknown>>(json) as Record<string, unknown>;
  const published = publishParts(schema, dialect);
  const whole = schema[EMBEDDED] === true ? embedded(published, dialect) : published;
  return dialect === 2 ? forVersion2(whole, schema) : forVersion3(whole);
}

function publishParts(schema: Readonly<Record<string, unknown>>, dialect: Dialect): Record<string, unknown> {
  const published: Record<string, unknown> = { ...schema };
  const publish = (value: unknown) => publishSchema(value, dialect);
  for (const name of ['properties', 'definitions']) {
    const members = schema[name];
    if (typeof members !== 'object' || members === null) continue;
    published[name] = Object.fromEntries(Object.entries(members).map(([key, value]) => [key, publish(value)]));
  }
  for (const name of ['items', 'additionalProperties', 'not']) {
    const value = schema[name];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) published[name] = publish(value);
  }
  return published;
}

function forVersion3(schema: Record<string, unknown>): Json {
  if (schema[INT_OR_STRING] !== true || schema['anyOf'] !== undefined || schema['allOf'] !== undefined) return schema;
  return { ...schema, anyOf: [{ type: 'integer' }, { type: 'string' }] };
}

function forVersion2(schema: Record<string, unknown>, given: Readonly<Record<string, unknown>>): Json {
  const published = { ...schema };
  for (const name of QUANTIFIERS) delete published[name];
  delete published['default'];
  delete published['nullable'];
  // A client that knows no null, or no open object, must not look inside.
  if (given['nullable'] === true || given[PRESERVES] === true) {
    for (const name of [...STRUCTURE, 'type', 'required']) delete published[name];
  }
  if (given[INT_OR_STRING] === true) delete published['type'];
  if (typeof published['additionalProperties'] === 'boolean') delete published['additionalProperties'];
  return published;
}

/** An embedded resource has a kind, an apiVersion and metadata of its own. */
function embedded(schema: Record<string, unknown>, dialect: Dialect): Record<string, unknown> {
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  return {
    ...schema,
    required: [...new Set([...required, 'kind', 'apiVersion'])],
    properties: {
      ...fieldsOf<Record<string, unknown>>(schema['properties']),
      ...typeMeta('What kind of object this is.', 'The version of the API that this object is written in.'),
      metadata: metadataProperty(dialect, 'ObjectMeta', 'Standard metadata of an object.'),
    },
  };
}

function typeMeta(kind: string, apiVersion: string): Json {
  return {
    apiVersion: { type: 'string', description: apiVersion },
    kind: { type: 'string', description: kind },
  };
}

function metadataProperty(dialect: Dialect, type: 'ObjectMeta' | 'ListMeta', description: string): Json {
  const element = reference(`${META}.${type}`, dialect);
  return dialect === 3 ? { description, allOf: [element] } : { ...element, description };
}

interface PublishedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Returns the component of a custom kind: its schema with the members that every object has. `json`: its `openAPIV3Schema`, if it has one. A kind that admits any field is published in version 2
 * without properties, as Kubernetes does: kubectl takes properties that are named for all that there are. Pure.
 */
export function customComponent(
  json: unknown,
  gvk: PublishedKind,
  selectableFields: readonly { readonly jsonPath: string }[],
  dialect: Dialect,
): Json {
  const isOpen = json === undefined || (dialect === 2 && fieldsOf<Record<string, unknown>>(json)[PRESERVES] === true);
  return {
    ...(isOpen ? { type: 'object' } : closedComponent(json, dialect)),
    'x-kubernetes-group-version-kind': [gvk],
    ...selectable(selectableFields),
  };
}

function closedComponent(json: unknown, dialect: Dialect): Json {
  const published = publishSchema(json, dialect);
  return {
    ...published,
    type: 'object',
    properties: {
      ...fieldsOf<Record<string, unknown>>(published['properties']),
      ...typeMeta('What kind of resource this object is.', 'The version of the API that this object is written in.'),
      metadata: metadataProperty(dialect, 'ObjectMeta', 'Standard metadata of an object.'),
    },
  };
}

/** Returns the component of a custom kind's list. Pure. */
export function customListComponent(
  component: string,
  { group, version, kind }: PublishedKind,
  listKind: string,
  selectableFields: readonly { readonly jsonPath: string }[],
  dialect: Dialect,
): Json {
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta('What kind of resource this object is.', 'The version of the API that this object is written in.'),
      items: { type: 'array', items: reference(component, dialect) },
      metadata: metadataProperty(dialect, 'ListMeta', 'Standard metadata of a list.'),
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
    ...selectable(selectableFields),
  };
}

function selectable(fields: readonly { readonly jsonPath: string }[]): Json {
  if (fields.length === 0) return {};
  const paths = fields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  return { 'x-kubernetes-selectable-fields': paths };
}
