import { isKind, GROUP_PACKAGES } from '../kindSchema.ts';
import type { Scalar } from '../parseField.ts';
import type { FieldSchema, Schema } from '../schemaOf.ts';
import type { TypeDocs } from '../TypeDocs.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The version of OpenAPI. Versions 2 and 3 differ in the place of components, and in what may stand next to a reference. */
export type Dialect = 2 | 3;

/** Scalars that have a component of their own, so that clients can distinguish them from plain strings. */
export const SCALAR_COMPONENTS: Readonly<
  Partial<Record<Scalar, { readonly name: string; readonly v2: Json; readonly v3: Json }>>
> = {
  Time: component('pkg.apis.meta.v1.Time', { type: 'string', format: 'date-time' }),
  MicroTime: component('pkg.apis.meta.v1.MicroTime', { type: 'string', format: 'date-time' }),
  FieldsV1: component('pkg.apis.meta.v1.FieldsV1', { type: 'object' }),
  RawExtension: component('pkg.runtime.RawExtension', { type: 'object' }),
  Quantity: component(
    'pkg.api.resource.Quantity',
    { type: 'string' },
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
  ),
  IntOrString: component(
    'pkg.util.intstr.IntOrString',
    { type: 'string', format: 'int-or-string' },
    { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  ),
};

function component(name: string, v2: Json, v3: Json = v2) {
  return { name: `io.k8s.apimachinery.${name}`, v2, v3 };
}

const PLAIN: Readonly<Partial<Record<Scalar, Json>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  ExtraValue: { type: 'array', items: { type: 'string' } },
};

const TYPE_META_TEXT = {
  apiVersion: 'The version of the API that this object is written in.',
  kind: 'What kind of resource this object is.',
};

/** The component of one struct of the API, with the extensions by which clients merge lists. */
export function componentOf(schema: Schema, docs: Readonly<Record<string, TypeDocs>>, dialect: Dialect): Json {
  const doc = docsOf(schema, docs);
  // OpenAPI has no word for a value of two forms, so it may be anything.
  if (schema.union !== undefined) return { ...(doc.description !== undefined && { description: doc.description }) };
  const kind = isKind(schema);
  const properties: Record<string, Json> = {};
  if (kind)
    for (const [name, text] of Object.entries(TYPE_META_TEXT))
      properties[name] = { type: 'string', description: doc.fields[name] ?? text };
  // A field without a description of its own gets none: clients print its type's description anyway.
  for (const field of schema.fields.values())
    properties[field.name] = propertyOf(field, doc.fields[field.name], dialect);
  return {
    ...(doc.description !== undefined && { description: doc.description }),
    ...(doc.required.length > 0 && { required: doc.required }),
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(schema.isAtomic && { 'x-kubernetes-map-type': 'atomic' }),
    ...(kind && { 'x-kubernetes-group-version-kind': [gvkOf(schema)] }),
  };
}

/** The component of a kind's list. */
export function listComponentOf(schema: Schema, dialect: Dialect): Json {
  return {
    required: ['items'],
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: TYPE_META_TEXT.apiVersion },
      items: { type: 'array', items: reference(componentName(schema), dialect) },
      kind: { type: 'string', description: TYPE_META_TEXT.kind },
      metadata: reference('io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta', dialect),
    },
    'x-kubernetes-group-version-kind': [{ ...gvkOf(schema), kind: listNameOf(schema.goName) }],
  };
}

/** The documentation of a type. Versions before v1 use the v1 type of the same name, except that a selector was optional in them. */
function docsOf(schema: Schema, docs: Readonly<Record<string, TypeDocs>>): TypeDocs {
  const own = docs[schema.name];
  if (own !== undefined) return own;
  const { description, fields, required } = docs[`apps.v1.${schema.goName}`] ?? { fields: {}, required: [] };
  return {
    ...(description !== undefined && { description }),
    fields,
    required: required.filter((name) => name !== 'selector'),
  };
}

function propertyOf(field: FieldSchema, text: string | undefined, dialect: Dialect): Json {
  return { ...shapeOf(field, dialect), ...(text !== undefined && { description: text }), ...extensionsOf(field) };
}

function shapeOf(field: FieldSchema, dialect: Dialect): Json {
  const element = elementOf(field.of, dialect);
  switch (field.shape) {
    case 'single':
      // Version 3 allows nothing next to a reference. Inside `allOf`, the reference can have a description.
      return dialect === 3 && '$ref' in element ? { allOf: [element] } : element;
    case 'list':
      return { type: 'array', items: element };
    case 'map':
      return { type: 'object', additionalProperties: element };
  }
}

function elementOf(of: Scalar | Schema, dialect: Dialect): Json {
  if (typeof of !== 'string') return reference(componentName(of), dialect);
  const named = SCALAR_COMPONENTS[of];
  return named === undefined ? (PLAIN[of] ?? {}) : reference(named.name, dialect);
}

export function reference(name: string, dialect: Dialect): Json {
  return { $ref: dialect === 2 ? `#/definitions/${name}` : `#/components/schemas/${name}` };
}

function extensionsOf({ listType, atomicMap, mergeKey, patchStrategies }: FieldSchema): Json {
  return {
    ...(listType && { 'x-kubernetes-list-type': listType.type }),
    ...(listType && listType.keys.length > 0 && { 'x-kubernetes-list-map-keys': listType.keys }),
    ...(atomicMap && { 'x-kubernetes-map-type': 'atomic' }),
    ...(mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': mergeKey }),
    ...(patchStrategies.length > 0 && { 'x-kubernetes-patch-strategy': patchStrategies.join(',') }),
  };
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `apps.v1.Deployment` → `io.k8s.api.apps.v1.Deployment`, as Kubernetes names its components: by their Go packages. */
export function componentName({ name }: Schema): string {
  if (name.startsWith('meta.')) return `io.k8s.apimachinery.pkg.apis.${name}`;
  if (name.startsWith('apiextensions.')) return `io.k8s.apiextensions-apiserver.pkg.apis.${name}`;
  return name.startsWith('apiregistration.') ? `io.k8s.kube-aggregator.pkg.apis.${name}` : `io.k8s.api.${name}`;
}

export function listNameOf(kind: string): string {
  return `${kind}List`;
}

/** The group, version and kind of a type, from its package. The types of `meta` count as the core group's. */
export function gvkOf({ name, goName }: Schema): GroupVersionKind {
  const [packageName = '', version = ''] = name.split('.');
  const group = Object.entries(GROUP_PACKAGES).find(([, known]) => known === packageName)?.[0] ?? '';
  return { group, kind: goName, version };
}
