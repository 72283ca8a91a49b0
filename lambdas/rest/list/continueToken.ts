import type { ApiError } from '../../objects/ApiError.ts';
import { badRequest } from '../../objects/apiErrors.ts';

/** The place where the next page of a list begins. */
export interface ContinuePlace {
  /** The change log position that all pages show. Absent: the page shows the current state, inconsistent with the pages before. */
  readonly position?: number;
  /** The last object of the previous page. */
  readonly after: { readonly namespace: string; readonly name: string };
  /** How many objects follow at that position. Absent if nobody has counted them. */
  readonly remaining?: number;
}

/** No name is longer, so no token that we made has a longer one. */
const MAX_NAME_LENGTH = 253;

/** The token's value for "no position", as in Kubernetes' tokens. */
const INCONSISTENT = -1;

/** Encodes the place as an opaque token that clients send back unchanged: URL-safe base64 without padding. */
export function encodeContinueToken({ position, after, remaining }: ContinuePlace): string {
  const start = `${after.namespace}/${after.name}`;
  const content = { v: 'meta.k8s.io/v1', rv: position ?? INCONSISTENT, start, remaining };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Checks and decodes a client's continue token. Throws BadRequest for a text that `encodeContinueToken` did not make. */
export function decodeContinueToken(token: string): ContinuePlace {
  const { v, rv, start, remaining } = parseContent(token);
  if (v !== 'meta.k8s.io/v1')
    throw badRequest('invalid continue token: continue key is not valid: unrecognized version');
  const known = typeof rv === 'number' && Number.isSafeInteger(rv) && (rv > 0 || rv === INCONSISTENT);
  if (!known) throw invalidKey('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (rv === INCONSISTENT) return { after: placeOf(start) };
  return { position: rv, after: placeOf(start), ...(isCount(remaining) && { remaining }) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function placeOf(start: unknown): ContinuePlace['after'] {
  if (typeof start !== 'string' || start === '') throw invalidKey('encoded start key empty (version meta.k8s.io/v1)');
  const [namespace = '', name = '', ...more] = start.split('/');
  const fits = [namespace, name].every((part) => part.length <= MAX_NAME_LENGTH && part !== '..' && part !== '.');
  if (!fits || name === '' || more.length > 0) throw invalidKey(start.slice(0, 2 * MAX_NAME_LENGTH));
  return { namespace, name };
}

function invalidKey(why: string): ApiError {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

function parseContent(token: string): { v?: unknown; rv?: unknown; start?: unknown; remaining?: unknown } {
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
