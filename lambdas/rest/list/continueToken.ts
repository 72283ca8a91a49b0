import { badRequest } from '../../objects/apiErrors.ts';

/** The place where the next page of a list begins. */
export interface ContinuePlace {
  /** The change log position that all pages show. Absent: the page shows the current state, inconsistent with the pages before. */
  readonly position?: number;
  /** The last object of the previous page. */
  readonly after: { readonly namespace: string; readonly name: string };
}

/** No name is longer, so no token that we made has a longer one. */
const MAX_NAME_LENGTH = 253;

/** The token's value for "no position", as in Kubernetes' tokens. */
const INCONSISTENT = -1;

/** Encodes the place as an opaque token that clients send back unchanged: URL-safe base64 without padding. */
export function encodeContinueToken({ position, after }: ContinuePlace): string {
  const content = { v: 'meta.k8s.io/v1', rv: position ?? INCONSISTENT, start: `${after.namespace}/${after.name}` };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Checks and decodes a client's continue token. Throws BadRequest for a text that `encodeContinueToken` did not make. */
export function decodeContinueToken(token: string): ContinuePlace {
  const { v, rv, start } = parseContent(token);
  if (v !== 'meta.k8s.io/v1')
    throw badRequest('invalid continue token: continue key is not valid: unrecognized version');
  const known = typeof rv === 'number' && Number.isSafeInteger(rv) && (rv >= 0 || rv === INCONSISTENT);
  const slash = typeof start === 'string' ? start.indexOf('/') : -1;
  if (!known || typeof start !== 'string' || slash < 0) {
    throw badRequest('invalid continue token: continue key is not valid: incorrect encoded start resourceVersion');
  }
  const after = { namespace: start.slice(0, slash), name: start.slice(slash + 1) };
  if (after.name === '')
    throw badRequest(
      'invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    );
  if (after.name.length > MAX_NAME_LENGTH || after.namespace.length > MAX_NAME_LENGTH)
    throw badRequest('invalid continue token: continue key is not valid');
  return rv === INCONSISTENT ? { after } : { position: rv, after };
}

function parseContent(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    const binary = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const content: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof content === 'object' && content !== null) return content;
  } catch {
    // Every text that is not a token gets the same answer, below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}
