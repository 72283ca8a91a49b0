import type { GroupVersionKind } from '../../../registry/admission/dynamic/RequestAttributes.ts';
import type { ResourceCatalog } from '../../../registry/ResourceCatalog.ts';
import { groupVersionOf } from '../../../registry/versions/convertVersion.ts';
import { kindSchema } from '../kindSchema.ts';
import { type Schema, schemaOf } from '../schemaOf.ts';
import { componentName, componentOf, type Json, reference, SCALAR_COMPONENTS } from './componentOf.ts';
import { customComponent } from './publishSchema.ts';

/**
 * Returns the OpenAPI schema of a kind, without descriptions, in which every reference is replaced by what it refers to; a type within itself becomes an object without members. `undefined` for a kind without a
 * schema: one that is not served. Follows upstream's `resolver.PopulateRefs`.
 */
export async function resolveSchema(catalog: ResourceCatalog, gvk: GroupVersionKind): Promise<Json | undefined> {
  const builtIn = kindSchema(groupVersionOf(gvk.group, gvk.version), gvk.kind, catalog.release);
  if (builtIn) return populateRefs(reference(componentName(builtIn), 3), componentsOf(builtIn), new Set());
  const custom = await customSchema(catalog, gvk);
  return custom && populateRefs(custom, componentsOf(schemaOf('meta.v1.ObjectMeta')), new Set());
}

async function customSchema({ custom }: ResourceCatalog, gvk: GroupVersionKind): Promise<Json | undefined> {
  const found = (await custom.list()).find(
    (one) => one.isEstablished && one.group === gvk.group && one.kind === gvk.kind,
  );
  const rules = found?.served.get(gvk.version)?.custom;
  return rules && customComponent(rules.openApiSchema, gvk, [], 3);
}

type Components = ReadonlyMap<string, Json>;

/** The components of a type and of all types in it, by what refers to them. */
function componentsOf(root: Schema): Components {
  const components = new Map<string, Json>();
  const add = (name: string, component: Json) => components.set(String(reference(name, 3)['$ref']), component);
  // By its format, a value of the two types is known in the schemas of built-in kinds.
  for (const { name, v3 } of Object.values(SCALAR_COMPONENTS))
    add(name, v3['format'] === 'int-or-string' ? { 'x-kubernetes-int-or-string': true } : v3);
  const seen = new Set<Schema>();
  const visit = (schema: Schema) => {
    if (seen.has(schema)) return;
    seen.add(schema);
    add(componentName(schema), componentOf(schema, {}, 3));
    for (const { of } of schema.fields.values()) if (typeof of !== 'string') visit(of);
  };
  visit(root);
  return components;
}

/** `within`: the references that lead here. */
function populateRefs(schema: Json, components: Components, within: ReadonlySet<string>): Json {
  const ref = refOf(schema);
  if (ref !== undefined && within.has(ref)) return { type: 'object' };
  const whole = ref === undefined ? schema : (components.get(ref) ?? {});
  const inside = ref === undefined ? within : new Set([...within, ref]);
  const populate = (one: unknown) => populateRefs(one as Json, components, inside);
  const { properties, additionalProperties, items } = whole;
  return {
    ...whole,
    ...(isJson(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, populate(one)])),
    }),
    ...(isJson(additionalProperties) && { additionalProperties: populate(additionalProperties) }),
    ...(isJson(items) && { items: populate(items) }),
  };
}

/** A reference with a description stands within `allOf`. */
function refOf({ $ref, allOf }: Json): string | undefined {
  if (typeof $ref === 'string') return $ref;
  return Array.isArray(allOf) ? (allOf as Json[]).map(refOf).find((ref) => ref !== undefined) : undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
