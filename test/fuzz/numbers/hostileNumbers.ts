import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import type { Scalar } from '../../../lambdas/rest/schema/parseField.ts';
import type { FieldSchema, Schema } from '../../../lambdas/rest/schema/schemaOf.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import { baseOf, type Json } from './baseOf.ts';
import { NUMBERS_TOGETHER } from './numbersTogether.ts';

/** A request that puts one hostile number into an object that is otherwise valid. */
export interface HostileNumber {
  /** `spec.replicas = 2147483647` */
  readonly what: string;
  readonly entry: ResourceEntry;
  /** The version of the API: `apps/v1`. */
  readonly apiVersion: string;
  /** The object as JSON, since JavaScript has no number for some of these; its name is `NAME`. */
  readonly object: string;
  /** For a field of the status: a merge patch of the subresource, which follows the object. */
  readonly status: string | undefined;
}

/**
 * The numbers that have broken programs: the ends of what an integer may be, and what a few factors lift beyond them. A text that begins with `#` is written without quotes. The next number that breaks something is added
 * here.
 */
const NUMBERS: Partial<Record<Scalar, readonly string[]>> = {
  int32: ['#2147483647', '#-2147483648', '#0', '#2147483'],
  int64: ['#9223372036854775807', '#9223372036854774784', '#-9223372036854775808', '#0', '#2147483648'],
  float64: ['#1.7976931348623157e308', '#-1e308'],
  IntOrString: ['#2147483647', '#-2147483648', '2147483647%', '99999999999999999999%', '0%'],
  Quantity: ['9223372036854775807', '9E18', '1e1000', '1n', '0', '-1'],
  Time: ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  MicroTime: ['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'],
};

type Path = readonly FieldSchema[];

/** Returns one request for each number of each numeric field of a kind, times included. The fields come from the schema, so that a new field is among them by itself. */
export function hostileNumbers(groupResource: string): readonly HostileNumber[] {
  const { entry, apiVersion, schema } = kindOf(groupResource);
  const paths = [...numericFields(schema, [], new Set())].filter((path) => isTried(groupResource, path));
  const drawn = paths.flatMap((path) =>
    (NUMBERS[path.at(-1)?.of as Scalar] ?? []).map((number) => requestOf(entry, apiVersion, path, number)),
  );
  const together = NUMBERS_TOGETHER.filter(([kind]) => kind === groupResource).map(([, what, spec, annotations]) => ({
    what,
    entry,
    apiVersion,
    object: textOf(
      merged(baseOf(groupResource), {
        apiVersion,
        kind: entry.kind,
        metadata: { name: 'NAME', ...(annotations && { annotations }) },
        spec,
      }),
    ),
    status: undefined,
  }));
  return [...together, ...drawn];
}

function kindOf(groupResource: string) {
  const entry = resourceEntries.find((one) => one.groupResource === groupResource);
  const { version } = entry?.versions[0] ?? { version: 'v1' };
  const apiVersion = entry?.group === '' ? version : `${entry?.group}/${version}`;
  const schema = entry && kindSchema(apiVersion, entry.kind);
  if (!schema) throw new Error(`${groupResource} has no schema`);
  return { entry, apiVersion, schema };
}

/** A deep merge; lists and other values are replaced. */
function merged(base: Json, changes: Json): Json {
  const isJson = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const result = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const before = result[name];
    result[name] = isJson(before) && isJson(value) ? merged(before, value) : value;
  }
  return result;
}

/** What a pod's template says is tried with pods, and for each kind only the numbers of the pod's spec itself. */
function isTried(groupResource: string, path: Path): boolean {
  if (path[0]?.name === 'metadata') return path.at(-1)?.name === 'deletionGracePeriodSeconds';
  const template = path.findIndex(({ name }) => name === 'template');
  return (
    groupResource === 'pods' || template < 0 || (path.length === template + 3 && path[template + 1]?.name === 'spec')
  );
}

function* numericFields(schema: Schema, path: Path, seen: ReadonlySet<string>): Generator<Path> {
  for (const field of schema.fields.values()) {
    const here = [...path, field];
    if (typeof field.of === 'string') {
      if (NUMBERS[field.of]) yield here;
    } else if (!seen.has(field.of.name)) yield* numericFields(field.of, here, new Set([...seen, field.of.name]));
  }
}

function requestOf(entry: ResourceEntry, apiVersion: string, path: Path, number: string): HostileNumber {
  const base: Json = { ...baseOf(entry.groupResource), apiVersion, kind: entry.kind, metadata: { name: 'NAME' } };
  const isStatus = path[0]?.name === 'status';
  const status: Json = {};
  put(isStatus ? status : base, path, number);
  return {
    what: `${path.map(({ name }) => name).join('.')} = ${number.replace('#', '')}`,
    entry,
    apiVersion,
    object: textOf(base),
    status: isStatus ? textOf(status) : undefined,
  };
}

/** JSON in which `"#1"` is the number 1. */
function textOf(object: Json): string {
  return JSON.stringify(object).replaceAll(/"#([^"]*)"/g, '$1');
}

/** Goes to the first item of each list, and to one member of each map, on the way. */
function put(object: Json, path: Path, value: string): void {
  let at = object;
  for (const [index, { name, shape }] of path.entries()) {
    const isLast = index === path.length - 1;
    if (shape === 'single') at = isLast ? ((at[name] = value), at) : ((at[name] ??= {}) as Json);
    else if (shape === 'list' && isLast) at[name] = [value];
    else if (shape === 'list') at = ((at[name] ??= [{}]) as Json[])[0] ?? {};
    else if (isLast) at[name] = { ...(at[name] as Json | undefined), cpu: value };
    else at = ((at[name] ??= { key: {} }) as { key: Json }).key;
  }
}
