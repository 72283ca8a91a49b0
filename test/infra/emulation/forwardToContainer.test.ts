import { describe, expect, it } from 'vitest';
import { forwardedRequest } from '../../../infra/emulation/gateway/forwardToContainer.ts';
import type { GatewayRequest } from '../../../infra/emulation/gateway/GatewayRequest.ts';

const MAPPED = new Map([
  ['x-driftless-username', 'username'],
  ['x-driftless-uid', 'uid'],
]);

function requestOf(headers: Readonly<Record<string, string[]>>): GatewayRequest {
  const query = new Map([
    ['labelSelector', ['a=b c']],
    ['x', ['1', '2']],
  ]);
  const place = { path: '/api/v1/pods', fullPath: '/k8s/api/v1/pods', sourceIp: '', requestId: '', receivedAtMs: 0 };
  return { method: 'GET', headers: new Map(Object.entries(headers)), query, ...place };
}

describe('a request that is passed on to the container', () => {
  it('keeps the stage, every parameter and every header', () => {
    const { method, path, headers } = forwardedRequest(
      'k8s',
      { requestHeaders: MAPPED },
      requestOf({ Accept: ['a', 'b'], host: ['h'] }),
      {},
    );
    expect([method, path]).toEqual(['GET', '/k8s/api/v1/pods?labelSelector=a%3Db+c&x=1&x=2']);
    expect(headers).toEqual(['Accept', 'a', 'Accept', 'b']);
  });

  it('names the user that the authorizer found, and never the one that the client names', () => {
    const forged = requestOf({
      'X-Driftless-Username': ['root'],
      'x-driftless-username': ['root'],
      'x-driftless-uid': ['0'],
    });
    const { headers } = forwardedRequest('k8s', { requestHeaders: MAPPED }, forged, { username: 'jane' });
    expect(headers).toEqual(['x-driftless-username', 'jane']);
  });
});
