import { ApiError } from '../../objects/ApiError.ts';
import { unsupportedMediaType } from '../codec/decodeBody.ts';

/** The values of `Sec-Fetch-Site` for a page of this server itself, and for an address that the user has typed. */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Refuses requests from web pages to a server that knows its clients only by their reaching it. The browser would keep the answer from the page, but the
 * request would already have taken effect. Throws Forbidden for another host or page, UnsupportedMediaType for a body without a Content-Type that a page may have
 * sent: a page may send one without asking first. Programs name themselves, as `kubectl create --raw` does, and browsers let no page name itself otherwise than they do.
 */
export function refuseWebPages(allowedHosts: readonly string[], headers: Headers, url: URL): void {
  const refusal = webPageRefusal(allowedHosts, headers, url);
  if (refusal !== undefined) throw new ApiError('Forbidden', refusal);
  const hasBody = Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
  if (hasBody && (headers.get('content-type') ?? '') === '' && !isProgram(headers)) throw unsupportedMediaType();
}

/** Every browser calls itself Mozilla. */
function isProgram(headers: Headers): boolean {
  return /^(?!Mozilla\/)\S/i.test(headers.get('user-agent') ?? '');
}

/**
 * Says why the server must not answer. A page whose own host name was made to resolve to this server (DNS rebinding) is recognized by the host it calls. A
 * page that calls this server by its real name, such as one of another port on this machine, is recognized by the headers that the browser adds.
 */
export function webPageRefusal(allowedHosts: readonly string[], headers: Headers, url: URL): string | undefined {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  if (!allowedHosts.includes(url.hostname))
    return `this server does not answer for host ${JSON.stringify(url.hostname)}`;
  if (origin !== null && origin !== url.origin)
    return `this server does not answer pages from ${JSON.stringify(origin)}`;
  if (site !== null && !OWN_SITES.includes(site)) return 'this server does not answer pages of other servers';
  return undefined;
}
