import { readFileSync } from 'node:fs';

/**
 * The types that the OpenAPI of Kubernetes 1.36 publishes: `kind` is group/version/kind, a field is `!` if it is required, `?` if Go writes `null` where it is empty, and then its type; `"A|B"` are the values of Go's enumerations.
 * A type without fields is what `is` says.
 */
interface PublishedType {
  readonly type: string;
  readonly kind?: string;
  readonly is?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

const published = readFileSync(new URL('published.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as PublishedType);
const types = new Map(published.map((one) => [one.type, one]));
const kinds = new Map(published.flatMap((one) => (one.kind === undefined ? [] : [[one.kind, one.type]])));

type JsonObject = Readonly<Record<string, unknown>>;

/** Written in every group, so that the OpenAPI names them once. */
const EVERYWHERE = /^(?:DeleteOptions|WatchEvent|Status|APIGroup|APIGroupList|APIResourceList|APIVersions)$/;

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  object: isObject,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  double: (value) => typeof value === 'number',
  int32: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2 ** 31,
  int64: Number.isInteger,
  byte: (value) => typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0,
  'date-time': (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  'int-or-string': (value) => typeof value === 'string' || Number.isInteger(value),
};

/** How a body of the API differs from what Kubernetes publishes of its kind, a sentence each. Of a kind that is not published, such as a custom one, only the metadata is looked at. */
export function misfitsOf(body: unknown): string[] {
  if (!isObject(body)) return ['the body is not an object'];
  const { apiVersion, kind } = body;
  // Kubernetes' own lists of what `/api` has say no version.
  if (apiVersion === undefined && (kind === 'APIResourceList' || kind === 'APIVersions'))
    return misfits(body, `meta.v1.${kind}`, kind);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return ['the body has no apiVersion or no kind'];
  if (kind === 'Table') return rowsOf(body).flatMap((row) => misfitsOf(row));
  const type = EVERYWHERE.test(kind) ? `meta.v1.${kind}` : kinds.get(`${apiVersion}/${kind}`);
  if (type !== undefined) return misfits(body, type, kind);
  const { metadata } = body;
  return misfits(metadata, kind.endsWith('List') ? 'meta.v1.ListMeta' : 'meta.v1.ObjectMeta', `${kind}.metadata`);
}

function rowsOf({ rows }: JsonObject): unknown[] {
  return Array.isArray(rows) ? rows.flatMap((row) => (isObject(row) && isObject(row.object) ? [row.object] : [])) : [];
}

function misfits(value: unknown, type: string, path: string): string[] {
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((one, index) => misfits(one, type.slice(2), `${path}[${index}]`));
  }
  if (type.startsWith('{}')) {
    if (!isObject(value)) return [`${path} is no map`];
    return Object.entries(value).flatMap(([key, one]) => misfits(one, type.slice(2), `${path}[${key}]`));
  }
  if (type.startsWith('"')) {
    const values = type.slice(1, -1).split('|');
    return values.includes(value as string)
      ? []
      : [`${path} is ${JSON.stringify(value)}, which is none of ${values.join(', ')}`];
  }
  const { is = type, fields } = types.get(type) ?? { type };
  if (fields) return isObject(value) ? memberMisfits(value, fields, path) : [`${path} is no object`];
  const fits = SCALARS[is];
  if (!fits) throw new Error(`no type ${is} is published`);
  return fits(value) ? [] : [`${path} is ${JSON.stringify(value)?.slice(0, 100)}, which is no ${is}`];
}

function memberMisfits(value: JsonObject, fields: Readonly<Record<string, string>>, path: string): string[] {
  const missing = Object.entries(fields).flatMap(([name, type]) =>
    type.startsWith('!') && value[name] === undefined ? [`${path}.${name} is missing`] : [],
  );
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const type = fields[name];
    if (type === undefined) return [`${path}.${name} is unknown`];
    if (member === null) return type.includes('?') ? [] : [`${path}.${name} is null`];
    return misfits(member, type.replace(/^!?\??/, ''), `${path}.${name}`);
  });
  return [...missing, ...wrong];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
