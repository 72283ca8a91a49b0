import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerAuthorizerEvent } from '../../../lambdas/functions/authorize/answerAuthorizerEvent.ts';
import { parseIdentities } from '../../../lambdas/functions/authorize/mapCaller.ts';
import { VARIABLES } from '../../../lambdas/functions/readEnvironment.ts';
import { BundledFunctions } from '../../support/BundledFunctions.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const METHOD = 'arn:aws:execute-api:eu-central-1:111122223333:abc123/live/GET/api/v1/pods';
const JANE = { username: 'jane', uid: 'u1', groups: ['dev', 'system:authenticated'] };

function authorizerEvent(change: object): APIGatewayRequestAuthorizerEvent {
  return {
    type: 'REQUEST',
    methodArn: METHOD,
    headers: null,
    multiValueHeaders: null,
    ...change,
  } as APIGatewayRequestAuthorizerEvent;
}

type Authorize = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

const ROLE = 'arn:aws:iam::111122223333:role/Deployer';

/** A token in the form of `aws eks get-token`, with that time of signing and a fake signature. */
function tokenOf(signedAt: Date): string {
  const date = signedAt.toISOString().replace(/[-:]|\.\d+/g, '');
  const parameters = new URLSearchParams({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `AKIAEXAMPLE/${date.slice(0, 8)}/eu-central-1/sts/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': 'ab'.repeat(32),
  });
  const url = `https://sts.eu-central-1.amazonaws.com/?${parameters.toString()}`;
  return `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
}

describe('the authorizer', () => {
  it('allows a user the whole stage, since its answer is cached for all methods', async () => {
    expect(await answerAuthorizerEvent(async () => JANE, authorizerEvent({}))).toEqual({
      principalId: 'jane',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: 'Allow',
            Resource: 'arn:aws:execute-api:eu-central-1:111122223333:abc123/live/*',
          },
        ],
      },
      context: { username: 'jane', uid: 'u1', groups: '["dev","system:authenticated"]' },
    });
  });

  it('makes API Gateway answer 401 to an unknown user', async () => {
    // The whole message matters, since API Gateway makes a 500 of any other.
    await expect(answerAuthorizerEvent(async () => undefined, authorizerEvent({}))).rejects.toThrow(/^Unauthorized$/);
  });

  it.each([
    {
      sent: 'one',
      change: { multiValueHeaders: { Authorization: ['a'] }, headers: { Authorization: 'a' } },
      seen: ['a'],
    },
    {
      sent: 'two with the same name',
      change: { multiValueHeaders: { Authorization: ['a', 'b'] }, headers: { Authorization: 'b' } },
      seen: ['a', 'b'],
    },
    {
      sent: 'two in different cases',
      change: { multiValueHeaders: { Authorization: ['a'], authorization: ['b'] } },
      seen: ['a', 'b'],
    },
    { sent: 'one, in the single-value headers only', change: { headers: { authorization: 'a' } }, seen: ['a'] },
    { sent: 'none', change: {}, seen: [] },
  ])('passes on every token that was sent: $sent', async ({ change, seen }) => {
    const authenticate = vi.fn(async () => JANE);
    await answerAuthorizerEvent(authenticate, authorizerEvent(change));
    expect(authenticate).toHaveBeenCalledWith(seen);
  });

  it('accepts, as bundled, a signer whom STS knows, and nobody else', async () => {
    vi.stubEnv(VARIABLES.clusterId, 'stack-1');
    vi.stubEnv(VARIABLES.partition, 'aws');
    vi.stubEnv(VARIABLES.versionsTable, 'versions');
    vi.stubEnv(VARIABLES.identities, JSON.stringify([{ arn: ROLE, username: 'jane', groups: ['dev'] }]));
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'CRITICAL');
    const asked: unknown[] = [];
    vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
      asked.push(init.headers);
      const Arn = 'arn:aws:sts::111122223333:assumed-role/Deployer/jane';
      const GetCallerIdentityResult = { Arn, Account: '111122223333', UserId: 'AROA:jane' };
      return Response.json({ GetCallerIdentityResponse: { GetCallerIdentityResult } });
    });
    const bundles = await BundledFunctions.open();
    try {
      const handler = await bundles.load<Authorize>('authorize');
      const one = { Authorization: [`Bearer ${tokenOf(new Date())}`] };
      const { context, principalId } = await handler(authorizerEvent({ multiValueHeaders: one }));
      expect(principalId).toBe('jane');
      expect(context).toMatchObject({ username: 'jane', groups: '["dev","system:authenticated"]' });
      expect(asked).toMatchObject([{ 'x-k8s-aws-id': 'stack-1' }]);
      const two = { Authorization: [...one.Authorization, 'Bearer other'] };
      await expect(handler(authorizerEvent({ multiValueHeaders: two }))).rejects.toThrow(/^Unauthorized$/);
      const old = { Authorization: [`Bearer ${tokenOf(new Date(Date.now() - 3_600_000))}`] };
      await expect(handler(authorizerEvent({ multiValueHeaders: old }))).rejects.toThrow(/^Unauthorized$/);
      expect(asked).toHaveLength(1);
    } finally {
      vi.unstubAllGlobals();
      await bundles.close();
    }
  });

  it.each([
    { text: 'nonsense', message: 'JSON' },
    { text: '{}', message: 'the identities are not a list' },
    {
      text: '[{"arn":"a","username":"b"}]',
      message: 'no identity with arn, username and groups: {"arn":"a","username":"b"}',
    },
    { text: '[null]', message: 'no identity with arn, username and groups: null' },
  ])('does not start with invalid identities: $text', ({ text, message }) => {
    expect(() => parseIdentities(text)).toThrow(message);
  });
});
