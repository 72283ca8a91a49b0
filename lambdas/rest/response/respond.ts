import { stringify } from 'yaml';
import type { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { toServedVersion } from '../convertObject.ts';
import { encodeItem, encodeObject } from './encodeObject.ts';
import { negotiate, type Negotiated } from './negotiate.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { type Status, statusOf } from './statusOf.ts';
import { type ListMeta, parseIncludeObject, type TableRequest, toPartialMetadata, toTable } from './toTable.ts';

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
  return respondText(request.raw, form, encodeObject(served), code);
}

/** Answers with a list of stored objects, in the version and form that the client asked for. */
export function respondList(
  request: ResourceRequest,
  items: readonly KubernetesObject[],
  metadata: ListMeta,
): Response {
  const form = negotiate(request.raw.headers.get('accept'), ['Table', 'PartialObjectMetadataList']);
  if (form.transform === 'Table') {
    return respondText(request.raw, form, JSON.stringify(toTable(tableRequest(request, form), items, metadata)));
  }
  const partial = form.transform === 'PartialObjectMetadataList';
  const kind = partial ? form.transform : `${request.resource.entry.kind}List`;
  const apiVersion = partial ? form.transformVersion : request.resource.apiVersion;
  const texts = partial
    ? items.map((item) => encodeObject(toPartialMetadata(item, form.transformVersion)))
    : items.map((item) => encodeItem(toServedVersion(request.resource, item)));
  const head = JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1);
  return respondText(request.raw, form, `${head},"items":[${texts.join(',')}]}`);
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
  const headers = { 'Cache-Control': 'no-cache, private' };
  if (form.format === 'yaml') {
    const isShort = json.length <= MAX_BLOCK_YAML_CHARACTERS;
    const body = isShort ? stringify(JSON.parse(json), { aliasDuplicateObjects: false }) : json;
    return new Response(body, { status: code, headers: { ...headers, 'Content-Type': 'application/yaml' } });
  }
  const isPretty = json.length <= MAX_PRETTY_CHARACTERS && wantsPretty(raw);
  const body = isPretty ? `${JSON.stringify(JSON.parse(json), null, 2)}\n` : json;
  return new Response(body, { status: code, headers: { ...headers, 'Content-Type': 'application/json' } });
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
