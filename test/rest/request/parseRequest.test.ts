import { assert, constantFrom, array, property, string } from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import { parseFieldSelector } from '../../../lambdas/objects/selectors/fieldSelector.ts';
import { parseLabelSelector } from '../../../lambdas/objects/selectors/parseLabelSelector.ts';
import { decodeContinueToken, encodeContinueToken } from '../../../lambdas/rest/list/continueToken.ts';
import { resolveRequestInfo } from '../../../lambdas/rest/request/RequestInfo.ts';

test('any text as a selector, a continue token or a path causes at worst an ApiError', () => {
  const piece = constantFrom(
    'a',
    '=',
    '!',
    '(',
    ')',
    ',',
    ' in ',
    ' notin ',
    '<',
    '>',
    '\\',
    '%',
    '/',
    '{}',
    '"',
    '\u{1f600}',
  );
  const text = array(piece).map((pieces) => pieces.join(''));
  const parsers: readonly ((input: string) => unknown)[] = [
    parseLabelSelector,
    parseFieldSelector,
    decodeContinueToken,
    (input) => decodeContinueToken(btoa(encodeURIComponent(input))),
    (input) => resolveRequestInfo('GET', new URL(`http://host/api/v1/${input}`)),
  ];
  const attempt = (parse: (input: string) => unknown, input: string) => {
    try {
      parse(input);
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
    }
  };
  assert(
    property(text, string(), (a, b) => parsers.forEach((parse) => [a, b].forEach((input) => attempt(parse, input)))),
  );
});

test('a continue token decodes to the place that it encodes', () => {
  const places = [
    { position: 12, after: { namespace: 'default', name: 'a.b-c' } },
    { position: 12, after: { namespace: 'default', name: 'a.b-c' }, remaining: 3 },
    { after: { namespace: '', name: 'node' } },
  ];
  for (const place of places) expect(decodeContinueToken(encodeContinueToken(place))).toEqual(place);
});

describe('resolveRequestInfo', () => {
  const cases: readonly [string, string, Record<string, unknown>][] = [
    ['GET', '/api/v1/pods', { verb: 'list', resource: 'pods', namespace: '' }],
    ['GET', '/api/v1/namespaces/a/pods', { verb: 'list', namespace: 'a', isCollection: true }],
    ['GET', '/api/v1/namespaces/a/pods?watch=true', { verb: 'watch' }],
    ['GET', '/api/v1/namespaces/a/pods?watch=false', { verb: 'list' }],
    ['GET', '/api/v1/namespaces/a/pods/b?watch=true', { verb: 'get', name: 'b' }],
    [
      'GET',
      '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Db',
      { verb: 'list', name: 'b', isCollection: true },
    ],
    ['GET', '/api/v1/watch/namespaces/a/pods/b', { verb: 'watch', resource: 'pods', namespace: 'a', name: 'b' }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' }],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      { verb: 'update', resource: 'namespaces', name: 'a', subresource: 'finalize' },
    ],
    ['POST', '/apis/apps/v1/namespaces/a/deployments', { verb: 'create', group: 'apps', version: 'v1' }],
    ['PATCH', '/apis/apps/v1/namespaces/a/deployments/b/scale', { verb: 'patch', name: 'b', subresource: 'scale' }],
    ['DELETE', '/api/v1/namespaces/a/pods', { verb: 'deletecollection' }],
    [
      'DELETE',
      '/api/v1/namespaces/a/pods?fieldSelector=spec.nodeName%3Dn',
      { verb: 'deletecollection', name: '', fieldSelector: 'spec.nodeName=n' },
    ],
    ['DELETE', '/api/v1/namespaces/a/pods/b', { verb: 'delete' }],
    ['HEAD', '/api/v1/nodes/n', { verb: 'get', resource: 'nodes', name: 'n' }],
    ['GET', '/api/v1/namespaces/a/pods/b/proxy/x/y', { subresource: 'proxy', rest: ['x', 'y'] }],
    ['GET', '/apis/apps/v1', { isResourceRequest: false, verb: 'get', group: 'apps', version: 'v1' }],
    ['GET', '/healthz', { isResourceRequest: false, path: '/healthz' }],
  ];
  test.each(cases)('reads the verb and the place of %s %s', (method, path, info) => {
    expect(resolveRequestInfo(method, new URL(`http://host${path}`))).toMatchObject(info);
  });
});
