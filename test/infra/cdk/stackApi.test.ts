import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../../infra/topology.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const template = synthesizeStack({ throttling: { rateLimit: 20, burstLimit: 40 }, authorizerCacheSeconds: 60 });

describe('the API', () => {
  it('is regional, since an edge endpoint cuts a stream after 30 silent seconds, and treats every body as binary', () => {
    expect(resource(template, 'Api').Properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
      Name: 'driftless',
    });
  });

  it('passes every authenticated request on to `api` and streams the answer', () => {
    const methods = Object.values(resourcesOf(template, 'AWS::ApiGateway::Method'));
    expect(methods).toHaveLength(2);
    for (const { Properties } of methods) {
      expect(resolve(Properties)).toMatchObject({
        HttpMethod: 'ANY',
        AuthorizationType: 'CUSTOM',
        AuthorizerId: '<Authorizer>',
        Integration: {
          Type: 'AWS_PROXY',
          IntegrationHttpMethod: 'POST',
          ResponseTransferMode: 'STREAM',
          TimeoutInMillis: FUNCTIONS.api.timeoutMs,
          Uri: 'arn:aws:apigateway:eu-central-1:lambda:path/2021-11-15/functions/<ApiFunction.Arn>/response-streaming-invocations',
        },
      });
    }
    const paths = Object.values(resourcesOf(template, 'AWS::ApiGateway::Resource')).map(
      ({ Properties }) => Properties['PathPart'],
    );
    expect(paths).toEqual(['{proxy+}']);
  });

  it('asks `authorize` to identify the caller by the Authorization header, and caches the answer', () => {
    expect(resolve(resource(template, 'Authorizer').Properties)).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 60,
      AuthorizerUri: expect.stringMatching(
        /:lambda:path\/2015-03-31\/functions\/<AuthorizeFunction\.Arn>\/invocations$/,
      ) as string,
    });
  });

  it('caches the answer of `authorize` for five minutes by default', () => {
    expect(resource(synthesizeStack(), 'Authorizer').Properties['AuthorizerResultTtlInSeconds']).toBe(300);
  });

  it('is the only caller that may invoke its two functions', () => {
    const permissions = Object.values(resourcesOf(template, 'AWS::Lambda::Permission')).map(({ Properties }) =>
      resolve(Properties),
    );
    const api = 'arn:aws:execute-api:eu-central-1:111122223333:<Api>';
    const allowed = (permissions as { FunctionName: string; Principal: string; SourceArn: string }[]).map(
      ({ FunctionName, Principal, SourceArn }) => [
        FunctionName,
        Principal,
        SourceArn.replace(/<ApiDeploymentStage\w+>/, 'stage'),
      ],
    );
    expect(new Set(allowed.filter(([, principal]) => principal !== 'events.amazonaws.com'))).toEqual(
      new Set([
        ['<ApiFunction.Arn>', 'apigateway.amazonaws.com', `${api}/stage/*/`],
        ['<ApiFunction.Arn>', 'apigateway.amazonaws.com', `${api}/stage/*/*`],
        ['<AuthorizeFunction.Arn>', 'apigateway.amazonaws.com', `${api}/authorizers/<Authorizer>`],
      ]),
    );
  });

  it('has the configured throttling, and an access log without tokens, queries, bodies and what clients write freely', () => {
    const [stage] = Object.values(resourcesOf(template, 'AWS::ApiGateway::Stage'));
    const { MethodSettings, AccessLogSetting } = (stage?.Properties ?? {}) as {
      MethodSettings: unknown;
      AccessLogSetting: { Format: string };
    };
    expect(stage?.Properties['StageName']).toBe('k8s');
    expect(MethodSettings).toEqual([
      expect.objectContaining({
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 20,
        ThrottlingBurstLimit: 40,
        DataTraceEnabled: false,
      }),
    ]);
    const format = String(resolve(AccessLogSetting.Format));
    // CloudWatch counts with numbers, not with text.
    expect(JSON.parse(format.replace('$context.responseLatency', '12'))).toMatchObject({
      latencyMs: 12,
      service: 'driftless-eu-central-1-111122223333',
      responseType: '$context.error.responseType',
      integrationError: '$context.integrationErrorMessage',
      user: '$context.authorizer.principalId',
      status: '$context.status',
    });
    expect(format).not.toMatch(/header|querystring|requestOverride|userAgent/i);
  });

  it('does not change the account`s logging role if that is switched off', () => {
    const without = synthesizeStack({ apiGatewayAccount: false, accessLogs: false });
    without.resourceCountIs('AWS::ApiGateway::Account', 0);
    without.hasResourceProperties('AWS::ApiGateway::Stage', { AccessLogSetting: Match.absent() });
  });
});

describe('an answer of API Gateway itself', () => {
  const responses = Object.values(resourcesOf(template, 'AWS::ApiGateway::GatewayResponse')).map(
    ({ Properties }) =>
      Properties as { ResponseType: string; StatusCode?: string; ResponseTemplates: Record<string, string> },
  );
  const byType = Object.fromEntries(responses.map((response) => [response.ResponseType, response]));

  it.each([
    ['UNAUTHORIZED', 401, 'Unauthorized'],
    ['ACCESS_DENIED', 403, 'Forbidden'],
    ['REQUEST_TOO_LARGE', 413, 'RequestEntityTooLarge'],
    ['THROTTLED', 429, 'TooManyRequests'],
    ['AUTHORIZER_FAILURE', 500, 'InternalError'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 500, 'InternalError'],
    ['INTEGRATION_FAILURE', 429, 'TooManyRequests'],
    ['API_CONFIGURATION_ERROR', 429, 'TooManyRequests'],
    ['INTEGRATION_TIMEOUT', 504, 'Timeout'],
  ])('for %s is a Status with code %i and reason %s', (type, code, reason) => {
    expect(byType[type]?.StatusCode).toBe(`${code}`);
    expect(JSON.parse(byType[type]?.ResponseTemplates['application/json'] ?? '')).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: expect.any(String) as string,
      reason,
      code,
    });
  });

  it.each(['DEFAULT_4XX', 'DEFAULT_5XX'])('for %s is a Status with API Gateway`s own code and message', (type) => {
    expect(byType[type]).not.toHaveProperty('StatusCode');
    const filled = byType[type]?.ResponseTemplates['application/json']?.replace(
      '$context.error.messageString',
      '"why"',
    );
    expect(JSON.parse(filled ?? '')).toMatchObject({ kind: 'Status', status: 'Failure', message: 'why' });
  });
});
