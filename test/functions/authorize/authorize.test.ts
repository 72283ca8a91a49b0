import { describe, expect, it } from 'vitest';
import type { StsAnswer } from '../../../lambdas/functions/authorize/askSts.ts';
import { askSts } from '../../../lambdas/functions/authorize/askSts.ts';
import { createAuthenticator } from '../../../lambdas/functions/authorize/createAuthenticator.ts';
import { canonicalArn, mapCaller } from '../../../lambdas/functions/authorize/mapCaller.ts';
import { MemorySigningKeys } from '../../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { ServiceAccountTokens } from '../../../lambdas/rest/authentication/ServiceAccountTokens.ts';
import { parseBearerToken } from '../../../lambdas/functions/authorize/parseBearerToken.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const PARAMETERS = {
  Action: 'GetCallerIdentity',
  Version: '2011-06-15',
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Credential': 'AKIAEXAMPLE/20260501/eu-central-1/sts/aws4_request',
  'X-Amz-Date': '20260501T115900Z',
  'X-Amz-Expires': '60',
  'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
  'X-Amz-Signature': 'ab'.repeat(32),
};

function tokenOf(url: string): string {
  return `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
}

function presigned(
  change: Record<string, string | undefined> = {},
  host = 'sts.eu-central-1.amazonaws.com',
  more = '',
): string {
  const parameters = Object.entries({ ...PARAMETERS, ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return tokenOf(`https://${host}/?${new URLSearchParams(parameters).toString()}${more}`);
}

const parse = (token: string, partition = 'aws') => parseBearerToken(token, { partition, nowMs: NOW });

describe('the form of a bearer token', () => {
  it.each([
    ['a regional endpoint', presigned(), 'aws'],
    ['the global endpoint', presigned({}, 'sts.amazonaws.com'), 'aws'],
    ['a FIPS endpoint', presigned({}, 'sts-fips.us-east-1.amazonaws.com'), 'aws'],
    ['China, in its partition', presigned({}, 'sts.cn-north-1.amazonaws.com.cn'), 'aws-cn'],
    ['GovCloud, in its partition', presigned({}, 'sts.us-gov-west-1.amazonaws.com'), 'aws-us-gov'],
    ['a session token', presigned({ 'X-Amz-Security-Token': 'x/y+z=' }), 'aws'],
    ['lower-case parameter names', presigned({ 'X-Amz-Date': undefined, 'x-amz-date': '20260501T115900Z' }), 'aws'],
  ])('accepts %s', (_, token, partition) => {
    expect(parse(token, partition)).toMatchObject({ status: 'ask', expiresAtMs: Date.parse('2026-05-01T12:14:00Z') });
  });

  it.each([
    ['another prefix', 'k8s-aws-v2.abc', 'begin'],
    ['5,000 bytes', `k8s-aws-v1.${'a'.repeat(5000)}`, 'too long'],
    ['a token that is not base64url', 'k8s-aws-v1.a=b', 'base64url'],
    ['a token that holds no URL', tokenOf('nonsense'), 'no URL'],
    ['http', tokenOf('http://sts.amazonaws.com/?Action=GetCallerIdentity'), 'https'],
    ['a forged host', presigned({}, 'sts.amazonaws.com.evil.example'), 'not STS'],
    ['a host that only begins like STS', presigned({}, 'sts.eu-central-1.amazonaws.com.evil.example'), 'not STS'],
    ['a host in user information', presigned({}, 'sts.amazonaws.com@evil.example'), 'credentials'],
    ['a port', presigned({}, 'sts.amazonaws.com:8443'), 'port'],
    ['a bucket with a name like a region', presigned({}, 'sts.s3.amazonaws.com'), 'not STS'],
    ['China, from the standard partition', presigned({}, 'sts.cn-north-1.amazonaws.com.cn'), 'not STS'],
    ['GovCloud, from the standard partition', presigned({}, 'sts.us-gov-west-1.amazonaws.com'), 'not STS'],
    ['a backslash before the host', tokenOf('https:\\\\evil.example/?x=https://sts.amazonaws.com/'), 'characters'],
    ['a line break', tokenOf('https://sts.amazonaws.com/\r\nHost:evil'), 'characters'],
    ['a path', tokenOf(`https://sts.amazonaws.com/other?${new URLSearchParams(PARAMETERS).toString()}`), 'path'],
    ['a fragment', presigned({}, 'sts.amazonaws.com', '#x'), 'fragment'],
    ['another action', presigned({ Action: 'AssumeRole' }), 'GetCallerIdentity'],
    ['a second action', presigned({}, 'sts.amazonaws.com', '&Action=GetCallerIdentity'), 'twice'],
    ['a second action in lower case', presigned({}, 'sts.amazonaws.com', '&action=AssumeRole'), 'twice'],
    ['a parameter that is not allowed', presigned({ DurationSeconds: '9' }), 'not allowed'],
    ['an unsigned cluster id', presigned({ 'X-Amz-SignedHeaders': 'host' }), 'x-k8s-aws-id'],
    [
      'a cluster id that only contains the name',
      presigned({ 'X-Amz-SignedHeaders': 'host;not-x-k8s-aws-id' }),
      'x-k8s-aws-id',
    ],
    ['an unsigned host', presigned({ 'X-Amz-SignedHeaders': 'x-k8s-aws-id' }), 'host is not'],
    ['a signature of 15 minutes ago', presigned({ 'X-Amz-Date': '20260501T114500Z' }), 'expired'],
    ['a signature of tomorrow', presigned({ 'X-Amz-Date': '20260502T120000Z' }), 'future'],
    ['no date', presigned({ 'X-Amz-Date': undefined }), 'not a time'],
    ['an impossible date', presigned({ 'X-Amz-Date': '20261399T990000Z' }), 'not a time'],
    ['a long expiry', presigned({ 'X-Amz-Expires': '901' }), 'X-Amz-Expires'],
    ['a negative expiry', presigned({ 'X-Amz-Expires': '-1' }), 'X-Amz-Expires'],
    ['no expiry', presigned({ 'X-Amz-Expires': undefined }), 'X-Amz-Expires'],
  ])('refuses %s', (_, token, why) => {
    expect(parse(token)).toMatchObject({ status: 'refused', why: expect.stringContaining(why) as string });
  });
});

describe('asking STS', () => {
  const caller = {
    Arn: 'arn:aws:sts::111122223333:assumed-role/Deployer/ann',
    Account: '111122223333',
    UserId: 'AROAX:ann',
  };
  const answer = (body: unknown, status = 200) =>
    (async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })) as typeof fetch;
  const ask = (fetchFrom: typeof fetch) => askSts(new URL('https://sts.amazonaws.com/'), 'stack-1', fetchFrom);

  it('sends this stack’s id and follows no redirect', async () => {
    let sent: RequestInit | undefined;
    await ask(async (_, init) => {
      sent = init;
      return new Response(null, { status: 302, headers: { location: 'https://evil.example' } });
    });
    expect(sent).toMatchObject({ redirect: 'manual', headers: { 'x-k8s-aws-id': 'stack-1' } });
  });

  it('reads the identity', async () => {
    const outcome = await ask(answer({ GetCallerIdentityResponse: { GetCallerIdentityResult: caller } }));
    expect(outcome).toEqual({
      status: 'caller',
      caller: { arn: caller.Arn, account: caller.Account, userId: caller.UserId },
    });
  });

  it.each([
    ['a refusal', 'SignatureDoesNotMatch', 403],
    ['a redirect', '', 302],
    ['an answer that is not JSON', '<html>', 200],
    ['an identity without an ARN', { GetCallerIdentityResponse: { GetCallerIdentityResult: { Account: '1' } } }, 200],
    ['an answer that is too long', 'x'.repeat(200_000), 200],
  ])('takes %s as a refusal', async (_, body, status) => {
    expect(await ask(answer(body, status))).toMatchObject({ status: 'refused' });
  });
});

describe('the canonical ARN', () => {
  it.each([
    ['arn:aws:sts::111122223333:assumed-role/Deployer/ann', 'arn:aws:iam::111122223333:role/Deployer'],
    ['arn:aws:iam::111122223333:user/ops/ann', 'arn:aws:iam::111122223333:user/ops/ann'],
    ['arn:aws:iam::111122223333:root', 'arn:aws:iam::111122223333:root'],
    ['arn:aws:sts::111122223333:federated-user/ann', 'arn:aws:sts::111122223333:federated-user/ann'],
    ['arn:aws:s3:::bucket', undefined],
    ['nonsense', undefined],
  ])('of %s is %s', (arn, canonical) => expect(canonicalArn(arn)).toBe(canonical));
});

describe('the user of a caller', () => {
  const mapping = {
    arn: 'arn:aws:iam::111122223333:role/Deployer',
    username: 'deployer:{{SessionName}}',
    groups: ['team'],
  };
  const asked: string[] = [];
  const instanceNames = {
    privateDnsNameOf: async (instanceId: string) => {
      asked.push(instanceId);
      return instanceId === 'i-0123456789abcdef0' ? 'ip-10-0-1-5.ec2.internal' : undefined;
    },
  };
  const callerOf = (session: string, account = '111122223333') => ({
    arn: `arn:aws:sts::${account}:assumed-role/Deployer/${session}`,
    account,
    userId: `AROAX:${session}`,
  });
  const userOf = (session: string, change: Partial<typeof mapping> = {}) =>
    mapCaller(callerOf(session), [{ ...mapping, ...change }], instanceNames);

  it('is in its groups and in system:authenticated', async () => {
    expect(await userOf('ann@example.com')).toEqual({
      status: 'mapped',
      user: {
        username: 'deployer:ann-example.com',
        uid: 'aws-iam-authenticator:111122223333:AROAX',
        groups: ['team', 'system:authenticated'],
      },
    });
  });

  it('is unknown if no mapping names it', async () => {
    const foreign = callerOf('ann', '999922223333');
    expect(await mapCaller(foreign, [mapping], instanceNames)).toEqual({
      status: 'refused',
      why: `${foreign.arn} is not mapped to a user`,
    });
  });

  it('cannot become a system user by its session’s name', async () => {
    const mapped = await userOf('system:masters', { username: '{{SessionName}}' });
    expect(mapped).toMatchObject({ user: { username: 'system-masters' } });
  });

  it('is a node if it is an instance, by the name that EC2 knows', async () => {
    const node = { username: 'system:node:{{EC2PrivateDNSName}}', groups: ['system:nodes', 'of:{{AccountID}}'] };
    expect(await userOf('i-0123456789abcdef0', node)).toMatchObject({
      user: {
        username: 'system:node:ip-10-0-1-5.ec2.internal',
        groups: ['system:nodes', 'of:111122223333', 'system:authenticated'],
      },
    });
    expect(asked).toEqual(['i-0123456789abcdef0']);
  });

  it.each([
    ['an instance that EC2 does not know', 'i-0123456789abcdef1', 'EC2 knows no private DNS name'],
    ['a session that a person has named', 'ann', 'is not named after an instance'],
    ['a session that only begins like an instance', 'i-0123456789abcdef0x', 'is not named after an instance'],
  ])('is not a node for %s', async (_, session, why) => {
    const outcome = await userOf(session, { username: 'system:node:{{EC2PrivateDNSName}}' });
    expect(outcome).toEqual({ status: 'refused', why: expect.stringContaining(why) as string });
  });

  it('does not make anybody ask EC2 if its mapping names no instances', async () => {
    asked.length = 0;
    await userOf('i-0123456789abcdef0');
    expect(asked).toEqual([]);
  });
});

describe('authenticating a request', () => {
  const clock = { now: () => NOW, steadyMs: () => NOW, setTimer: () => () => {} };
  const tokens = new ServiceAccountTokens({ clock, signingKeys: new MemorySigningKeys() });
  const caller = {
    arn: 'arn:aws:sts::111122223333:assumed-role/Deployer/ann',
    account: '111122223333',
    userId: 'AROAX:ann',
  };
  const authenticate = (answer: StsAnswer = { status: 'caller', caller }) =>
    createAuthenticator({
      clock,
      partition: 'aws',
      mappings: [{ arn: 'arn:aws:iam::111122223333:role/Deployer', username: 'deployer', groups: [] }],
      ask: async () => answer,
      instanceNames: { privateDnsNameOf: async () => undefined },
      verify: (token) => tokens.verify(token),
    });

  it('returns the user of a caller whom STS knows', async () => {
    expect(await authenticate()([`Bearer ${presigned()}`])).toMatchObject({ username: 'deployer' });
  });

  it.each([
    ['no token', []],
    ['two tokens', [`Bearer ${presigned()}`, `Bearer ${presigned()}`]],
    ['two tokens in one value', [`Bearer ${presigned()}, Bearer ${presigned()}`]],
    ['another scheme', [`Basic ${presigned()}`]],
  ])('returns no user for a request with %s', async (_, values) => {
    expect(await authenticate()(values)).toBeUndefined();
  });

  it('returns no user for a caller whom STS refuses', async () => {
    expect(
      await authenticate({ status: 'refused', why: 'STS answers 403' })([`Bearer ${presigned()}`]),
    ).toBeUndefined();
  });
});
