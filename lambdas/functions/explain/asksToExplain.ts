/** The paths of explanations. What answers them is loaded with the first request for one. */
export const EXPLAIN_PREFIX = '/debug/explain/';

/** True for a request for an explanation. Pure. */
export function asksToExplain({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  return method === 'GET' && new URL(url).pathname.startsWith(EXPLAIN_PREFIX);
}
