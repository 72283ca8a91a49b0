import { stringify } from 'yaml';
import type { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { toServedVersion } from '../convertObject.ts';
import { answerBody } from './answerBody.ts';
import { encodeCustomObject, encodeItem, encodeObject } from './encodeObject.ts';
import { negotiate, type Negotiated } from './negotiate.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { type Status, statusOf } from './statusOf.ts';
import {
  type ListMeta,
  parseIncludeObject,
  tableRow,
  type TableRequest,
  toPartialMetadata,
  toTable,
} from './toTable.ts';

/** Answers with one stored object, in the version and form that the client asked for. */
export function respondObject(request: ResourceRequest, object: KubernetesObject, code = 200): Response {
  const form = negotiate(request.raw.headers.get('accept'), ['Table', 'PartialObjectMetadata']);
  const metadata = { resourceVersion: object.metadata.resourceVersion };
  if (form.transform === 'Table') {
    return respondText(
      request.raw,
      form,
      JSON.stringify(toTable(tableRequest(request, form), [object], metadata)),
      code,
    );
  }
  const served =
    form.transform === 'none'
      ? toServedVersion(request.resource, object)
      : toPartialMetadata(object, form.transformVersion);
  return respondText(request.raw, form, encoderOf(request)(served), code);
}

function encoderOf({ resource }: ResourceRequest): (object: KubernetesObject) => string {
  return resource.entry.custom ? encodeCustomObject : encodeObject;
}

/** Answers with a list of stored objects, in the version and form that the client asked for. */
export function respondList(request: ResourceRequest, items: Iterable<KubernetesObject>, metadata: ListMeta): Response {
  const form = negotiate(request.raw.headers.get('accept'), ['Table', 'PartialObjectMetadataList']);
  return respondPieces(request.raw, form, listPieces(request, form, items, metadata));
}

/** The JSON of a list, piece by piece: each item is encoded only when its piece is taken. */
function* listPieces(
  request: ResourceRequest,
  form: Negotiated,
  items: Iterable<KubernetesObject>,
  metadata: ListMeta,
): Generator<string> {
  if (form.transform === 'Table') return yield* tablePieces(tableRequest(request, form), items, metadata);
  const partial = form.transform === 'PartialObjectMetadataList';
  const { kind: itemKind, custom } = request.resource.entry;
  const kind = partial ? form.transform : (custom?.listKind ?? `${itemKind}List`);
  const apiVersion = partial ? form.transformVersion : request.resource.apiVersion;
  const encode = (item: KubernetesObject) =>
    partial
      ? encodeObject(toPartialMetadata(item, form.transformVersion))
      : custom
        ? encodeCustomObject(toServedVersion(request.resource, item))
        : encodeItem(toServedVersion(request.resource, item));
  // The list of a custom resource is not decoded to a type, so it shows an empty token too.
  const meta = custom && !partial ? { continue: '', ...metadata } : metadata;
  yield `${JSON.stringify({ kind, apiVersion, metadata: meta }).slice(0, -1)},"items":[`;
  yield* separated(items, encode);
  yield ']}';
}

/** The elements of a JSON array. */
function* separated<T>(items: Iterable<T>, encode: (item: T) => string): Generator<string> {
  let separator = '';
  for (const item of items) {
    yield separator + encode(item);
    separator = ',';
  }
}

/** The JSON of a table, row by row. */
function* tablePieces(table: TableRequest, items: Iterable<KubernetesObject>, metadata: ListMeta): Generator<string> {
  yield JSON.stringify(toTable(table, [], metadata)).replace(/\]\}$/, '');
  yield* separated(items, (item) => JSON.stringify(tableRow(table, item)));
  yield ']}';
}

/** The options of the tables that this request asks for. */
export function tableRequest(request: ResourceRequest, form: Negotiated): TableRequest {
  return {
    resource: request.resource,
    apiVersion: form.transformVersion,
    includeObject: parseIncludeObject(request.query.get('includeObject')),
    now: () => request.dependencies.clock.now(),
  };
}

/** Answers with a table that was negotiated already. */
export function respondTable(raw: Request, form: Negotiated, table: object): Response {
  return respondText(raw, form, JSON.stringify(table));
}

/** Answers with something other than a stored object: a Scale, a Status, a discovery document. */
export function respondValue(raw: Request, value: object, code = 200): Response {
  return respondText(raw, negotiate(raw.headers.get('accept')), JSON.stringify(value), code);
}

/** Answers with the Status of an error: in YAML if the client asked for YAML, otherwise in JSON, even if the client does not accept JSON. */
export function respondError(raw: Request, error: ApiError): Response {
  const status: Status = statusOf(error);
  const response = respondText(raw, errorForm(raw), JSON.stringify(status), error.code);
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter));
  return response;
}

function errorForm(raw: Request): Pick<Negotiated, 'format'> {
  try {
    return negotiate(raw.headers.get('accept'));
  } catch {
    return { format: 'json' };
  }
}

/** Writing YAML takes a hundred times as long as writing JSON. A longer answer is the JSON text, which is YAML too. */
const MAX_BLOCK_YAML_CHARACTERS = 100_000;
/** A longer answer is not indented. */
const MAX_PRETTY_CHARACTERS = 2_000_000;

function respondText(raw: Request, form: Pick<Negotiated, 'format'>, json: string, code = 200): Response {
  return respondPieces(raw, form, [json], code);
}

/** Answers with a JSON text in pieces. YAML, and what a person reads, needs the whole text, so they are written only for short ones. */
function respondPieces(raw: Request, form: Pick<Negotiated, 'format'>, json: Iterable<string>, code = 200): Response {
  const isYaml = form.format === 'yaml';
  const pieces = isYaml
    ? rewriteShort(json, MAX_BLOCK_YAML_CHARACTERS, (value) =>
        stringify(value, { aliasDuplicateObjects: false, sortMapEntries: true }),
      )
    : wantsPretty(raw)
      ? rewriteShort(json, MAX_PRETTY_CHARACTERS, (value) => `${JSON.stringify(value, null, 2)}\n`)
      : json;
  const { body, headers } = answerBody(raw.headers.get('accept-encoding'), pieces);
  const type = isYaml ? 'application/yaml' : 'application/json';
  return new Response(body, {
    status: code,
    headers: { 'Cache-Control': 'no-cache, private', 'Content-Type': type, ...headers },
  });
}

/** Writes the value in another form if its JSON is not longer than `limit`; otherwise yields the JSON as it is. */
function* rewriteShort(json: Iterable<string>, limit: number, write: (value: unknown) => string): Generator<string> {
  let gathered: string[] | undefined = [];
  let characters = 0;
  for (const piece of json) {
    characters += piece.length;
    if (!gathered) yield piece;
    else {
      gathered.push(piece);
      if (characters <= limit) continue;
      yield gathered.join('');
      gathered = undefined;
    }
  }
  if (gathered) yield write(JSON.parse(gathered.join('')));
}

/** True if the answer is to be indented: Kubernetes indents on `?pretty=true`, and for curl, wget and browsers, because a person reads it. */
function wantsPretty(raw: Request): boolean {
  const asked = new URL(raw.url).searchParams.get('pretty');
  if (asked !== null) return asked !== 'false' && asked !== '0';
  return /^(curl|Mozilla|Wget)/.test(raw.headers.get('user-agent') ?? '');
}

/** The ETag of a document: its SHA-512 in upper-case hexadecimal digits, in quotes, as Kubernetes makes it for discovery and OpenAPI. */
export async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-512', new TextEncoder().encode(text));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `"${hex.toUpperCase()}"`;
}

/** True if the client already has the document with this ETag. */
export function isUnchanged(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match') ?? '';
  return known.split(',').some((one) => one.trim() === etag || one.trim() === '*');
}
