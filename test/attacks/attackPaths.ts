import { expect } from 'vitest';
import { type RawAnswer, rawRequest, sendRaw } from './sendRaw.ts';
import { HIDDEN, type Target } from './targets.ts';

const A = '/api/v1/namespaces/a';

/** Targets that reach for the Secrets of namespace `a` on a way that an authorizer could take for another one. */
const PATH_TRICKS: readonly (readonly [trick: string, target: string])[] = [
  ['the plain path', `${A}/secrets/s`],
  ['a dot segment', `${A}/configmaps/../secrets/s`],
  ['two dot segments after a name', `${A}/configmaps/c/../../secrets/s`],
  ['an encoded dot segment', `${A}/configmaps/%2e%2e/secrets/s`],
  ['a half encoded dot segment', `${A}/configmaps/%2E./secrets/s`],
  ['an encoded slash after a dot segment', `${A}/configmaps/..%2fsecrets%2fs`],
  ['a doubly encoded slash', `${A}/configmaps/..%252fsecrets%252fs`],
  ['a doubly encoded dot segment', `${A}/configmaps/%252e%252e/secrets/s`],
  ['a dot segment with a parameter', `${A}/configmaps/..;/secrets/s`],
  ['backslashes', `${A}/configmaps\\..\\secrets\\s`],
  ['encoded backslashes', `${A}/configmaps/%5c..%5csecrets%5cs`],
  ['an encoded slash in the resource', `${A}/configmaps%2fc/../../secrets/s`],
  ['a single dot', `${A}/./secrets/s`],
  ['an empty segment before the resource', `${A}//secrets/s`],
  ['an empty segment before the name', `${A}/secrets//s`],
  ['a slash at the end', `${A}/secrets/s/`],
  ['empty segments at the start', `///api///v1/namespaces/a/secrets/s`],
  ['NUL after the name', `${A}/secrets/s%00`],
  ['NUL in the resource', `${A}/secrets%00/s`],
  ['NUL before a dot segment', `${A}/secrets/s%00/../../secrets/s`],
  ['a path parameter', `${A}/secrets;configmaps/s`],
  ['capital letters', `${A}/SECRETS/s`],
  ['an encoded resource', `${A}/%73ecrets/s`],
  ['an encoded name', `${A}/secrets/%73`],
  ['an overlong encoding of dots', `${A}/configmaps/%c0%ae%c0%ae/secrets/s`],
  ['a fullwidth slash', `${A}/configmaps/..%EF%BC%8Fsecrets%EF%BC%8Fs`],
  ['a broken encoding', `${A}/secrets/%zz`],
  ['a query that looks like a path', `${A}/secrets/s?/configmaps/c`],
  ['a query that names another resource', `${A}/secrets/s?resource=configmaps&namespace=b`],
  ['the way through another namespace', `/api/v1/namespaces/b/../a/secrets/s`],
  ['no namespace', `/api/v1/secrets/s`],
  ['an empty namespace', `/api/v1/namespaces//secrets/s`],
  ['all namespaces', `/api/v1/secrets?fieldSelector=metadata.name%3Ds`],
  ['a list', `${A}/secrets`],
  ['a list for one allowed name and another', `${A}/secrets?fieldSelector=metadata.name%3Dopen,metadata.name%3Ds`],
  ['a list for one allowed name and then all', `${A}/secrets?fieldSelector=&fieldSelector=metadata.name%3Dopen`],
  ['a list for all but the allowed name', `${A}/secrets?fieldSelector=metadata.name!%3Dopen`],
  ['a watch that says it is none', `${A}/secrets?watch=false`],
  ['the old path of watches', `/api/v1/watch/namespaces/a/secrets/s`],
  ['a dot segment after the old path of watches', `/api/v1/watch/../namespaces/a/secrets/s`],
  ['another group', `/apis/apps/v1/namespaces/a/secrets/s`],
  ['an empty group', `/apis//v1/namespaces/a/secrets/s`],
  ['the way through the groups', `/apis/../api/v1/namespaces/a/secrets/s`],
  ['a subresource', `${A}/secrets/s/status`],
  ['the way out of an allowed name', `${A}/secrets/open/../s`],
  ['the stage of the API twice', `/k8s/k8s${A}/secrets/s`],
  ['the absolute form', `http://localhost${A}/secrets/s`],
];

/** Sends a GET as this user. */
export const get = (
  target: Target,
  user: string,
  path: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
) => sendRaw(target.port, rawRequest('GET', path, { ...target.as(user), ...headers }));

/** Tries every trick as Ann, one after the other, and expects refusals. The target is prepared; see targets.ts. */
export async function attackPaths(target: Target): Promise<void> {
  expect((await get(target, 'root', '/api/v1/namespaces/a/secrets/s')).text).toContain(HIDDEN);
  expect((await get(target, 'ann', '/api/v1/namespaces/a/configmaps/c')).status).toBe(200);
  expect((await get(target, 'ann', '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dopen')).status).toBe(
    200,
  );
  const answers: (RawAnswer & { readonly trick: string })[] = [];
  for (const [trick, path] of PATH_TRICKS) answers.push({ trick, ...(await get(target, 'ann', path)) });
  expect(answers.filter(({ text }) => text.includes(HIDDEN)).map(({ trick }) => trick)).toEqual([]);
  // Nothing is granted but empty lists, and nothing breaks.
  const isRefusal = ({ status = 0, text }: RawAnswer) =>
    status < 300 ? text.includes('"items":[]') : status >= 400 && status < 500;
  const unexpected = answers.filter((answer) => !isRefusal(answer));
  expect(unexpected.map(({ trick, status }) => `${trick}: ${status}`)).toEqual([]);
}
