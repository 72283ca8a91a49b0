import { parseAccept } from '../response/negotiate.ts';
import { respondError, isUnchanged } from '../response/respond.ts';
import type { OpenApi, OpenApiDocument } from '../schema/openapi/createOpenApi.ts';
import { notAcceptable } from '../response/statusOf.ts';

const V3_ROOT = '/openapi/v3';

/** Answers `/openapi/v2`, `/openapi/v3` and `/openapi/v3/<root>`, with nothing for a root that is not served; `undefined` for any other path. A client that has the document already gets a 304. */
export async function serveOpenApi(openApi: OpenApi, raw: Request, url: URL): Promise<Response | undefined> {
  const path = url.pathname.replace(/\/$/, '');
  if (path === '/openapi/v2' && prefersProtobuf(raw.headers.get('accept'))) return respondProtobuf(raw, openApi);
  if (!acceptsJson(raw.headers.get('accept'))) return respondError(raw, notAcceptable(['application/json']));
  if (path === '/openapi/v2') return respondDocument(raw, await openApi.v2());
  if (path === V3_ROOT) return respondDocument(raw, await openApi.index());
  if (!path.startsWith(`${V3_ROOT}/`)) return undefined;
  const root = path.slice(V3_ROOT.length + 1);
  const document = await openApi.groupVersion(root);
  // Kubernetes answers so for a group version that it does not know, too: its handler finds nothing to write.
  return document ? respondGroupVersion(raw, url, root, document) : new Response('', { headers: { Vary: 'Accept' } });
}

const PROTOBUF_V2 = 'com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** The names that clients ask for. The one with `@` is not a valid media type, so answers never use it. */
const PROTOBUF_V2_ASKED_FOR = [PROTOBUF_V2, 'com.github.proto-openapi.spec.v2@v1.0+protobuf'];

function prefersProtobuf(accept: string | null): boolean {
  const [first] = accept?.trim() ? parseAccept(accept) : [];
  return first !== undefined && PROTOBUF_V2_ASKED_FOR.includes(first.subtype);
}

async function respondProtobuf(raw: Request, openApi: OpenApi): Promise<Response> {
  return respondDocument(raw, await openApi.v2Protobuf(), { 'Content-Type': `application/${PROTOBUF_V2}` });
}

/** True if the client accepts JSON, plain or as a vendor's subtype. */
function acceptsJson(accept: string | null): boolean {
  if (!accept?.trim()) return true;
  return parseAccept(accept).some(({ subtype }) => subtype === '*' || /(^|[.+])json$/.test(subtype));
}

/** Answers with the document of one group version. An address with the current hash may be cached for ever; one with an older hash is redirected. */
function respondGroupVersion(raw: Request, url: URL, root: string, document: OpenApiDocument): Response {
  const hash = url.searchParams.get('hash');
  if (hash === null) return respondDocument(raw, document);
  if (hash !== document.hash) {
    return new Response(null, { status: 301, headers: { Location: `${V3_ROOT}/${root}?hash=${document.hash}` } });
  }
  return respondDocument(raw, document, { 'Cache-Control': 'public, immutable', Expires: FAR_FUTURE });
}

/** An expiry date for caches that do not understand `immutable`. */
const FAR_FUTURE = 'Thu, 31 Dec 2099 23:59:59 GMT';

function respondDocument(
  raw: Request,
  { body, hash }: OpenApiDocument<string | Uint8Array<ArrayBuffer>>,
  more: Record<string, string> = {},
): Response {
  const etag = `"${hash}"`;
  const headers = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'no-cache, private', ...more };
  if (isUnchanged(raw, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { 'Content-Type': 'application/json', ...headers } });
}
