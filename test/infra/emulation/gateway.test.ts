import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { forwardedRequest } from '../../../infra/emulation/gateway/forwardToContainer.ts';
import {
  type GatewayRequest,
  gatewayRequest,
  methodArn,
  proxyEvent,
} from '../../../infra/emulation/gateway/GatewayRequest.ts';
import { fromProxyEvent } from '../../../lambdas/functions/api/fromProxyEvent.ts';
import { withoutStage } from '../../../lambdas/functions/api/openContainerServer.ts';
import { PreludeReader } from '../../../infra/emulation/gateway/PreludeReader.ts';
import type { ApiSpec } from '../../../infra/emulation/template/readApi.ts';

const API: ApiSpec = {
  id: 'api',
  arn: 'arn:aws:execute-api:us-east-1:000000000000:api',
  stage: 'k8s',
  integration: { kind: 'function', functionName: 'Api' },
  authorizer: { functionName: 'Authorize', cacheMs: 0, identityHeaders: ['authorization'] },
  binaryMediaTypes: ['*/*'],
  isStreamed: true,
  timeoutMs: 1000,
  gatewayResponses: new Map(),
};

const incoming = (method: string, url: string, rawHeaders: string[] = []) =>
  ({ method, url, rawHeaders, socket: { remoteAddress: '127.0.0.1' } }) as unknown as IncomingMessage;

describe('a proxy event', () => {
  it('has the path without the stage, still encoded, and every value of headers and parameters', () => {
    const raw = ['host', 'h', 'authorization', 'Bearer t', 'accept', 'a', 'accept', 'b', 'connection', 'close'];
    const url = '/k8s/apis/rbac.authorization.k8s.io/v1/clusterroles/a%2Fb?watch=1&x=%20&x=2';
    const request = gatewayRequest(incoming('GET', url, raw), API.stage, 5);
    const event = JSON.parse(proxyEvent(API, request, Buffer.alloc(0), { principalId: 'me' }));
    expect(event).toMatchObject({
      resource: '/{proxy+}',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/a%2Fb',
      pathParameters: { proxy: 'apis/rbac.authorization.k8s.io/v1/clusterroles/a%2Fb' },
      headers: { host: 'h', Authorization: 'Bearer t', accept: 'b' },
      multiValueHeaders: { accept: ['a', 'b'] },
      queryStringParameters: { watch: '1', x: '2' },
      multiValueQueryStringParameters: { x: [' ', '2'] },
      requestContext: { stage: 'k8s', path: url.split('?')[0], authorizer: { principalId: 'me' } },
      body: null,
      isBase64Encoded: false,
    });
    expect(event.multiValueHeaders).not.toHaveProperty('connection');
  });

  it('has a binary body in base64, byte for byte', () => {
    const body = Buffer.from([0x6b, 0x38, 0x73, 0x00, 0xff]);
    const request = gatewayRequest(incoming('POST', '/k8s/api/v1/namespaces'), API.stage, 5);
    const event = JSON.parse(proxyEvent(API, request, body, {}));
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body, 'base64')).toEqual(body);
  });

  it.each([
    ['/k8s', '/'],
    ['/k8s/', '/'],
    ['/k8s/api', '/api'],
    ['/api/v1', '/api/v1'],
    ['/k8sother', '/k8sother'],
  ])('maps the path %s to %s', (url, path) => {
    const request = gatewayRequest(incoming('GET', url), API.stage, 5);
    expect(request.path).toBe(path);
    expect(methodArn(API, request)).toBe(`${API.arn}/k8s/GET${path}`);
  });
});

describe('a request to a custom domain, whose path has no stage', () => {
  const [byDomain, byApi] = ['/apis/apps/v1/deployments?watch=1', '/k8s/apis/apps/v1/deployments?watch=1'].map((url) =>
    gatewayRequest(incoming('GET', url, ['host', 'k8s.example.com']), API.stage, 5),
  ) as [GatewayRequest, GatewayRequest];
  const urlOf = (request: GatewayRequest) =>
    fromProxyEvent(JSON.parse(proxyEvent(API, request, Buffer.alloc(0), {})) as APIGatewayProxyEvent).url;
  const pathTo = (request: GatewayRequest) =>
    withoutStage(forwardedRequest(API.stage, { requestHeaders: new Map() }, request, {}).path, API.stage);

  it('reaches the function as the same request', () => {
    expect(urlOf(byDomain)).toBe('https://k8s.example.com/apis/apps/v1/deployments?watch=1');
    expect(urlOf(byApi)).toBe(urlOf(byDomain));
  });

  it('reaches the container with the same path', () => {
    expect(pathTo(byDomain)).toBe('/apis/apps/v1/deployments?watch=1');
    expect(pathTo(byApi)).toBe(pathTo(byDomain));
  });

  it('asks the authorizer about the same method, so that its kept answer is for both names', () => {
    expect(methodArn(API, byDomain)).toBe(methodArn(API, byApi));
  });
});

describe('the prelude of a streamed answer', () => {
  const answer = Buffer.concat([
    Buffer.from('{"statusCode":201,"headers":{"a":"b"}}'),
    Buffer.alloc(8),
    Buffer.from('body\0\0'),
  ]);

  it('is parsed for every split of the answer into two chunks', () => {
    for (let cut = 0; cut <= answer.length; cut += 1) {
      const reader = new PreludeReader();
      const parts = [reader.take(answer.subarray(0, cut)), reader.take(answer.subarray(cut))];
      expect(reader.prelude).toEqual({ statusCode: 201, headers: { a: 'b' } });
      expect(Buffer.concat(parts).toString()).toBe('body\0\0');
    }
  });

  it('is required: an answer without one is an error', () => {
    expect(() => new PreludeReader().take(Buffer.alloc(100_000, 'x'))).toThrow('no prelude');
  });
});
