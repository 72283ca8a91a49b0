import type { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { trailOf } from '../audit/beginAudit.ts';
import { toServedVersion } from '../convertObject.ts';
import { type AnswerBody, answerBody, concat, streamBody } from './answerBody.ts';
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

/** The form of an answer with one object. A write negotiates it before it takes effect, as in Kubernetes. Throws NotAcceptable. */
export function objectForm({ raw }: Pick<ResourceRequest, 'raw'>): Negotiated {
  return negotiate(raw.headers.get('accept'), ['Table', 'PartialObjectMetadata']);
}

/** The form of an answer with a list. Throws NotAcceptable. */
export function listForm({ raw }: Pick<ResourceRequest, 'raw'>): Negotiated {
  return negotiate(raw.headers.get('accept'), ['Table', 'PartialObjectMetadataList']);
}

/** The form of an answer with something other than a stored object, which is not transformed. Throws NotAcceptable. */
export function valueForm(raw: Request): Negotiated {
  return negotiate(raw.headers.get('accept'));
}

/** Answers with one stored object, in the version that the client asked for. */
export function respondObject(
  request: ResourceRequest,
  object: KubernetesObject,
  code = 200,
  form = objectForm(request),
): Response {
  return respondText(request.raw, form, objectText(request, object, form), code);
}

function objectText(request: ResourceRequest, object: KubernetesObject, form: Negotiated): string {
  if (form.transform === 'Table') {
    const { columns, searches = 0 } = request.resource.entry.table;
    request.budget.spend(columns.length);
    request.budget.spendOnEach(object, searches);
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return JSON.stringify(toTable(tableRequest(request, form), [object], metadata));
  }
  const served =
    form.transform === 'none'
      ? toServedVersion(request.resource, object)
      : toPartialMetadata(object, form.transformVersion);
  return encoderOf(request)(served);
}

function encoderOf({ resource }: ResourceRequest): (object: KubernetesObject) => string {
  return resource.entry.custom ? encodeCustomObject : encodeObject;
}

/** Answers with a list of stored objects, in the version that the client asked for. */
export function respondList(
  request: ResourceRequest,
  items: Iterable<KubernetesObject>,
  metadata: ListMeta,
  form = listForm(request),
): Response {
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

/** Answers a write of an object with a Status. A client may ask for a form that objects have, such as their metadata alone; a Status has no other form, and comes as it is. */
export function respondStatus(raw: Request, status: Status, code = 200, form = objectForm({ raw })): Response {
  trailOf(raw)?.noteStatus(status);
  return respondText(raw, form, JSON.stringify(status), code);
}

/** Answers with something other than a stored object: a Scale, a discovery document. */
export function respondValue(raw: Request, value: object, code = 200, form = valueForm(raw)): Response {
  return respondText(raw, form, JSON.stringify(value), code);
}

/** Answers with the Status of an error: in YAML if the client asked for YAML, otherwise in JSON, even if the client does not accept JSON. */
export function respondError(raw: Request, error: ApiError): Response {
  const status: Status = statusOf(error);
  trailOf(raw)?.noteStatus(status);
  const response = respondText(raw, errorForm(raw), JSON.stringify(status), error.code);
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter));
  return response;
}

function errorForm(raw: Request): Pick<Negotiated, 'format'> {
  try {
    return valueForm(raw);
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
  const { body, headers } = bodyOf(raw, form, trailOf(raw)?.reading(json) ?? json);
  const type = form.format === 'yaml' ? 'application/yaml' : 'application/json';
  return new Response(body, {
    status: code,
    headers: { 'Cache-Control': 'no-cache, private', 'Content-Type': type, ...headers },
  });
}

/** As Go's encoders do, JSON ends its line, and indented JSON does not. */
function bodyOf(raw: Request, { format }: Pick<Negotiated, 'format'>, json: Iterable<string>): AnswerBody {
  const acceptEncoding = raw.headers.get('accept-encoding');
  if (format === 'yaml') {
    const { whole, pieces } = gather(json, MAX_BLOCK_YAML_CHARACTERS);
    return whole === undefined ? answerBody(acceptEncoding, pieces) : streamBody(yamlPieces(whole));
  }
  if (!wantsPretty(raw)) return answerBody(acceptEncoding, concat(json, ['\n']));
  const { whole, pieces } = gather(json, MAX_PRETTY_CHARACTERS);
  return answerBody(acceptEncoding, whole === undefined ? pieces : [indented(whole)]);
}

/** Few clients read YAML, and loading its library takes longer than many requests. */
async function* yamlPieces(json: string): AsyncGenerator<string> {
  const { writeYaml } = await import('./writeYaml.ts');
  yield writeYaml(JSON.parse(json));
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

interface Gathered {
  /** The whole text; absent if it is longer than the limit. */
  readonly whole?: string;
  /** All pieces. */
  readonly pieces: Iterable<string>;
}

/** Takes pieces until they are longer than `limit`, in characters. */
function gather(json: Iterable<string>, limit: number): Gathered {
  const iterator = json[Symbol.iterator]();
  let begun = '';
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    begun += next.value;
    if (begun.length > limit) return { pieces: concat([begun], { [Symbol.iterator]: () => iterator }) };
  }
  return { whole: begun, pieces: [begun] };
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
