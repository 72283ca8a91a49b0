import { MAX_VALUES } from '../../../lambdas/rest/codec/DecodingBudget.ts';
import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import { MAX_AMOUNTS, MAX_MEMBERS } from '../../../lambdas/rest/schema/pruneFields.ts';
import type { FieldSchema, Schema } from '../../../lambdas/rest/schema/schemaOf.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';

/** How the items of a list or a map are filled: all different, all alike, all wrong, or with nothing in them. */
export const FILLINGS = ['distinct', 'alike', 'wrong', 'empty'] as const;
export type Filling = (typeof FILLINGS)[number];

type Path = readonly FieldSchema[];
type Json = Record<string, unknown>;

/** A field of one kind that can grow (a list, a map, a text, or one that holds anything), and where to send an object that fills it. */
export interface SchemaPlace {
  /** `pods spec.containers.ports` */
  readonly name: string;
  readonly groupResource: string;
  readonly url: string;
  /** The JSON pointer of the field. */
  readonly pointer: string;
  /** An object whose value at this place is the largest that may be stored (`share` 1), or a part of it. */
  readonly bodyOf: (filling: Filling, share: number) => Json;
}

const MAX_DEPTH = 9;
/** In bytes of JSON; the rest of an object takes some too. */
const LARGEST_VALUE = 1_500_000;

/** All places of all kinds that are validated. */
export function schemaPlaces(): SchemaPlace[] {
  return resourceEntries.flatMap((entry) => {
    const { version } = entry.versions[0] ?? { version: 'v1' };
    const apiVersion = entry.group === '' ? version : `${entry.group}/${version}`;
    const schema = kindSchema(apiVersion, entry.kind);
    if (!schema || !entry.verbs.includes('create')) return [];
    return [...growing(schema, [], new Set())].map((path) => ({
      groupResource: entry.groupResource,
      pointer: pointerOf(path),
      name: `${entry.groupResource} ${path.map(({ name }) => name).join('.')}`,
      url: urlOf(entry, version),
      bodyOf: (filling, share) => {
        const object: Json = { ...baseOf(entry.groupResource), apiVersion, kind: entry.kind };
        put(object, path, fill(path.at(-1), filling, share));
        return { ...object, metadata: { name: 'x', ...(object['metadata'] as Json | undefined) } };
      },
    }));
  });
}

function urlOf({ group, plural, namespaced }: ResourceEntry, version: string): string {
  const root = group === '' ? '/api' : `/apis/${group}`;
  return `${root}/${version}${namespaced ? '/namespaces/default' : ''}/${plural}?dryRun=All`;
}

/** Of each list and each map on the way, the first item or a member. */
function pointerOf(path: Path): string {
  const last = path.length - 1;
  const steps = path.flatMap(({ name, shape }, at) =>
    shape === 'single' || at === last ? [name] : [name, shape === 'list' ? '0' : 'key'],
  );
  return steps.map((step) => `/${step.replaceAll('/', '~1')}`).join('');
}

/** Texts and fields that may hold anything, each as long as one likes. */
const GROWING_SCALARS: ReadonlySet<unknown> = new Set([
  'string',
  'bytes',
  'Quantity',
  'RawExtension',
  'JSON',
  'FieldsV1',
]);

function* growing(schema: Schema, path: Path, seen: ReadonlySet<string>): Generator<Path> {
  for (const field of schema.fields.values()) {
    const here = [...path, field];
    if (field.shape !== 'single' || GROWING_SCALARS.has(field.of)) yield here;
    if (typeof field.of === 'string' || here.length > MAX_DEPTH || seen.has(field.of.name)) continue;
    yield* growing(field.of, here, new Set([...seen, field.of.name]));
  }
}

/** What the kinds with the most rules need besides, so that validation goes on to the field. */
function baseOf(groupResource: string): Json {
  const spec = { containers: [{ name: 'c', image: 'a:1' }] };
  const template = { metadata: { labels: { app: 'a' } }, spec };
  switch (groupResource) {
    case 'pods':
      return { spec };
    case 'deployments.apps':
    case 'replicasets.apps':
      return { spec: { selector: { matchLabels: { app: 'a' } }, template } };
    case 'replicationcontrollers':
      return { spec: { selector: { app: 'a' }, template } };
    default:
      return {};
  }
}

/** Goes to the first item of each list, and to one member of each map, on the way. */
function put(object: Json, path: Path, value: unknown): void {
  let at = object;
  for (const [index, { name, shape }] of path.entries()) {
    if (index === path.length - 1) at[name] = value;
    else if (shape === 'single') at = (at[name] ??= {}) as Json;
    else if (shape === 'list') at = ((at[name] ??= [{}]) as Json[])[0] ?? {};
    else at = ((at[name] ??= { key: {} }) as { key: Json }).key;
  }
}

function fill(field: FieldSchema | undefined, filling: Filling, share: number): unknown {
  if (!field) return undefined;
  if (field.shape === 'single') return fillScalar(field.of, filling, share);
  const itemOf = (index: number) =>
    typeof field.of === 'string' ? scalarOf(field.of, index, filling) : structOf(field.of, index, filling);
  const nameOf = (index: number) => (filling === 'wrong' ? `!${index}` : `name${index}`);
  const itemBytes = JSON.stringify(itemOf(10_000)).length + 1 + (field.shape === 'map' ? 12 : 0);
  const length = Math.floor(Math.min(LARGEST_VALUE / itemBytes, maxLengthOf(field)) * share);
  if (field.shape === 'list') return Array.from({ length }, (_, index) => itemOf(index));
  return Object.fromEntries(Array.from({ length }, (_, index) => [nameOf(index), itemOf(index)]));
}

/** The unit of a long text, for each filling. */
const UNITS: Readonly<Record<Filling, string>> = { distinct: 'a-.', alike: 'a', wrong: '!"é', empty: ' ' };

function fillScalar(of: FieldSchema['of'], filling: Filling, share: number): unknown {
  if (of === 'string') return UNITS[filling].repeat((LARGEST_VALUE / 6) * share);
  if (of === 'Quantity') return (filling === 'wrong' ? '1x' : '9').repeat((LARGEST_VALUE * share) / 2);
  if (of === 'bytes') return (filling === 'wrong' ? '!!!!' : 'YWFh').repeat((LARGEST_VALUE / 4) * share);
  const values = Array.from({ length: (MAX_VALUES - 1_000) * share }, (_, index) => textOf(index, filling));
  return filling === 'wrong' ? values : { values };
}

function maxLengthOf({ shape, of }: FieldSchema): number {
  if (shape === 'list') return MAX_VALUES - 1_000;
  return of === 'Quantity' ? MAX_AMOUNTS : MAX_MEMBERS;
}

function structOf(schema: Schema, index: number, filling: Filling): Json {
  if (filling === 'empty') return {};
  const struct: Json = {};
  const fields = [...schema.fields.values()].filter(({ shape }) => shape === 'single');
  for (const { name, of } of fields.filter((field) => field.of === 'string').slice(0, 4)) {
    struct[name] = name === 'operator' ? 'Exists' : scalarOf(of, index, filling);
  }
  for (const { name, of } of fields.filter((field) => field.of === 'bool' || field.of === 'int32')) {
    struct[name] = scalarOf(of, 1, filling);
  }
  return struct;
}

function scalarOf(of: FieldSchema['of'], index: number, filling: Filling): unknown {
  switch (of) {
    case 'bool':
      return true;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'IntOrString':
      return index % 60_000;
    case 'bytes':
      return 'YWFh';
    case 'Time':
    case 'MicroTime':
      return '2026-01-01T00:00:00Z';
    case 'Quantity':
      return `${index}m`;
    case 'RawExtension':
    case 'FieldsV1':
      return { a: index };
    case 'ExtraValue':
      return ['a'];
    case 'string':
      return textOf(index, filling);
    default:
      return {};
  }
}

function textOf(index: number, filling: Filling): string {
  if (filling === 'alike') return 'a';
  return filling === 'wrong' ? `!${index}` : `a${index}`;
}
