import { parseAccept } from '../response/negotiate.ts';
import { respondError, isUnchanged } from '../response/respond.ts';
import type { OpenApi, OpenApiDocument } from '../schema/openapi/createOpenApi.ts';
import { notAcceptable } from '../response/statusOf.ts';

const V3_ROOT = '/openapi/v3';

/** `/openapi/v2`, `/openapi/v3` and `/openapi/v3/<root>`; `undefined` for any other path. A document is sent only to a client that doesn't have it yet. */
export async function serveOpenApi(openApi: OpenApi, raw: Request, url: URL): Promise<Response | undefined> {
  const path = url.pathname.replace(/\/$/, '');
  if (path === '/openapi/v2' && prefersProtobuf(raw.headers.get('accept'))) return respondProtobuf(raw, openApi);
  if (!acceptsJson(raw.headers.get('accept'))) return respondError(raw, notAcceptable(['application/json']));
  if (path === '/openapi/v2') return respondDocument(raw, await openApi.v2());
  if (path === V3_ROOT) return respondDocument(raw, await openApi.index());
  if (!path.startsWith(`${V3_ROOT}/`)) return undefined;
  const root = path.slice(V3_ROOT.length + 1);
  const document = await openApi.groupVersion(root);
  return document && respondGroupVersion(raw, url, root, document);
}

const PROTOBUF_V2 = 'com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** What clients ask for is no media type by the letter (`@` may not stand in one), so the answer is called otherwise. */
const PROTOBUF_V2_ASKED_FOR = [PROTOBUF_V2, 'com.github.proto-openapi.spec.v2@v1.0+protobuf'];

function prefersProtobuf(accept: string | null): boolean {
  const [first] = accept?.trim() ? parseAccept(accept) : [];
  return first !== undefined && PROTOBUF_V2_ASKED_FOR.includes(first.subtype);
}

async function respondProtobuf(raw: Request, openApi: OpenApi): Promise<Response> {
  return respondDocument(raw, await openApi.v2Protobuf(), { 'Content-Type': `application/${PROTOBUF_V2}` });
}

/** JSON may be asked for by a vendor's subtype or plain. */
function acceptsJson(accept: string | null): boolean {
  if (!accept?.trim()) return true;
  return parseAccept(accept).some(({ subtype }) => subtype === '*' || /(^|[.+])json$/.test(subtype));
}

/** An address with a hash is for good: a hash of an older document leads to the one of today. */
function respondGroupVersion(raw: Request, url: URL, root: string, document: OpenApiDocument): Response {
  const hash = url.searchParams.get('hash');
  if (hash === null) return respondDocument(raw, document);
  if (hash !== document.hash) {
    return new Response(null, { status: 301, headers: { Location: `${V3_ROOT}/${root}?hash=${document.hash}` } });
  }
  return respondDocument(raw, document, { 'Cache-Control': 'public, immutable', Expires: FAR_FUTURE });
}

/** The end of what `immutable` is understood by; older caches go by a date. */
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
