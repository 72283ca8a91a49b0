import { type AuthorizedUser, parseUser } from './fromProxyEvent.ts';

/** The headers in which API Gateway passes on what the authorizer has found, by the fields of its context. It replaces what the client sent under these names. */
export const USER_HEADERS = {
  username: 'x-driftless-username',
  uid: 'x-driftless-uid',
  groups: 'x-driftless-groups',
  claims: 'x-driftless-claims',
} as const;

/**
 * Returns the user of a request to the container. `rawHeaders` are names and values in turn, as Node's http module has them. `undefined` if a header is missing or comes twice:
 * then one of them could be the client's. The network must let only API Gateway reach the container.
 */
export function userOfHeaders(rawHeaders: readonly string[]): AuthorizedUser | undefined {
  const found = Object.entries(USER_HEADERS).map(([field, name]) => [field, valuesOf(rawHeaders, name)] as const);
  if (found.some(([, values]) => values.length > 1)) return undefined;
  return parseUser(Object.fromEntries(found.map(([field, [value]]) => [field, value])));
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
