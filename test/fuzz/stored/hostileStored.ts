import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import type { FieldSchema, Schema } from '../../../lambdas/rest/schema/schemaOf.ts';
import { baseOf, type Json } from '../numbers/baseOf.ts';
import { hostileFindings } from './hostileFindings.ts';

/** An object as no validation of today would let it in. */
export interface HostileStored {
  /** `spec.replicas = "x"` */
  readonly what: string;
  readonly object: KubernetesObject;
}

/** What stands in place of a field's value. */
const WRONG: readonly unknown[] = [null, 7, [7], {}];
const MAX_DEPTH = 2;

/** Resources that can be stored and deleted. */
export const storedEntries: readonly ResourceEntry[] = resourceEntries.filter(
  ({ verbs, versions, group, kind }) =>
    verbs.includes('create') && verbs.includes('delete') && kindSchema(apiVersionOf(group, versions), kind),
);

function apiVersionOf(group: string, versions: ResourceEntry['versions']): string {
  const version = versions[0]?.version ?? 'v1';
  return group === '' ? version : `${group}/${version}`;
}

/** Returns the objects of a kind with which a server must start: each has one field of the schema with a wrong value, or is one of the findings. */
export function hostileStored(entry: ResourceEntry): readonly HostileStored[] {
  const apiVersion = apiVersionOf(entry.group, entry.versions);
  const schema = kindSchema(apiVersion, entry.kind);
  const drawn = schema ? [...wrongFields(schema, [])] : [];
  const all = [
    ...hostileFindings(entry.groupResource).map(([what, changes]) => ({ what, draft: { ...base(entry), ...changes } })),
    ...drawn.flatMap((path) =>
      WRONG.map((value) => ({ what: textOf(path, value), draft: put(base(entry), path, value) })),
    ),
  ];
  return all.map(({ what, draft }, at) => ({ what, object: stored(entry, apiVersion, draft, at) }));
}

const base = ({ groupResource }: ResourceEntry) => baseOf(groupResource);

function textOf(path: readonly FieldSchema[], value: unknown): string {
  return `${path.map(({ name }) => name).join('.')} = ${JSON.stringify(value)}`;
}

/** What addresses the object stays as it is: a store of any kind writes it itself. */
const ADDRESS = ['name', 'namespace', 'uid', 'resourceVersion'];

function* wrongFields(schema: Schema, path: readonly FieldSchema[]): Generator<readonly FieldSchema[]> {
  for (const field of schema.fields.values()) {
    const here = [...path, field];
    const isMetadata = path[0]?.name === 'metadata';
    if (isMetadata && ADDRESS.includes(field.name)) continue;
    if (path.length > 0 || field.name !== 'metadata') yield here;
    if (typeof field.of !== 'string' && here.length < MAX_DEPTH) yield* wrongFields(field.of, here);
  }
}

/** Goes to the first item of each list, and to one member of each map, on the way. */
function put(object: Json, path: readonly FieldSchema[], value: unknown): Json {
  let at = object;
  for (const [index, { name, shape }] of path.entries()) {
    if (index === path.length - 1) at[name] = value;
    else if (shape === 'single') at = (at[name] ??= {}) as Json;
    else if (shape === 'list') at = ((at[name] ??= [{}]) as Json[])[0] ?? {};
    else at = ((at[name] ??= { key: {} }) as { key: Json }).key;
  }
  return object;
}

/** Each object selects only its own pods. JSON.parse and JSON.stringify do not go as deep as some findings. */
function withOwnLabel(value: unknown, name: string, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 20) return value;
  if (Array.isArray(value)) return value.map((item) => withOwnLabel(item, name, depth + 1));
  const entries = Object.entries(value).map(([key, member]) => [key, withOwnLabel(member, name, depth + 1)]);
  const copy = Object.fromEntries(entries) as Json;
  return copy['app'] === 'a' ? { ...copy, app: name } : copy;
}

function stored(entry: ResourceEntry, apiVersion: string, draft: Json, at: number): KubernetesObject {
  const name = `p${at}`;
  const own = withOwnLabel(draft, name) as Json;
  const metadata = {
    creationTimestamp: '2026-01-01T00:00:00Z',
    generation: 1,
    ...(own['metadata'] as Json | undefined),
    name,
    uid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    ...(entry.namespaced && { namespace: 'default' }),
  };
  return { apiVersion, kind: entry.kind, ...own, metadata } as unknown as KubernetesObject;
}
