import { timingSafeEqual } from 'node:crypto';
import { webPageRefusal } from '../../../lambdas/rest/request/refuseWebPages.ts';

/** A header that a page of another server cannot send without asking first, which is refused. */
export const PAGE_HEADER = 'x-driftless-dashboard';

export interface PageGuard {
  /** The host names of the server. Absent: it is reached under any name, and the key alone decides. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** What a browser must know to see the page, where the page may do more than anybody who reaches the server. */
  readonly key?: string | undefined;
}

/** Says why a request is not answered: a page of another server, or a browser that does not know the key. Pure. */
export function pageRefusal(guard: PageGuard, headers: Headers, url: URL, isCall: boolean): string | undefined {
  const refusal = webPageRefusal(guard.allowedHosts ?? [url.hostname], headers, url);
  // A link on another page may open this one, but the page's calls come from itself.
  if (refusal !== undefined && (isCall || !isNavigation(guard, headers, url))) return refusal;
  if (isCall && headers.get(PAGE_HEADER) !== '1') return 'this address is for the page of this server alone';
  if (guard.key !== undefined && !hasKey(guard.key, headers, url))
    return 'open the address that was printed when this page was started: it has the key';
  return undefined;
}

function isNavigation({ allowedHosts }: PageGuard, headers: Headers, url: URL): boolean {
  const isOurHost = allowedHosts?.includes(url.hostname) ?? true;
  return isOurHost && headers.get('origin') === null && headers.get('sec-fetch-mode') === 'navigate';
}

function hasKey(key: string, headers: Headers, url: URL): boolean {
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/);
  const name = `${cookieName(url)}=`;
  const given = cookies.find((one) => one.startsWith(name))?.slice(name.length);
  return isKey(key, given);
}

/** True if the text is the key; the time that it takes tells nothing about it. */
export function isKey(key: string, given: string | undefined | null): boolean {
  const [expected, actual] = [Buffer.from(key), Buffer.from(given ?? '')];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Cookies are not kept apart by port, so the name says it. */
export function cookieName({ port }: URL): string {
  return `driftless-dashboard-${port}`;
}
