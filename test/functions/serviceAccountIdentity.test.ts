import { beforeEach, describe, expect, it } from 'vitest';
import { MemorySigningKeys } from '../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { parseUser } from '../../lambdas/functions/api/fromProxyEvent.ts';
import { userOfRequest } from '../../lambdas/functions/api/composeApi.ts';
import { createAuthenticator } from '../../lambdas/functions/authorize/createAuthenticator.ts';
import { openTokens } from '../../lambdas/rest/authentication/authenticateToken.ts';
import { encodeClaims, type TokenClaims } from '../../lambdas/rest/authentication/TokenClaims.ts';
import { claimsFor, wishOf } from '../../lambdas/rest/subresources/decideTokenRequest.ts';
import { advance } from '../support/advance.ts';
import { ControllerBench } from '../support/ControllerBench.ts';

const MINUTE_MS = 60_000;
const USERNAME = 'system:serviceaccount:lab:robot';
const REQUEST = new Request('https://api.example/api/v1/pods');

let bench: ControllerBench;
let tokens: ReturnType<typeof openTokens>['tokens'];
let claims: TokenClaims;
beforeEach(async () => {
  bench = new ControllerBench();
  ({ tokens } = openTokens({ registry: bench.registry, clock: bench.clock, signingKeys: new MemorySigningKeys() }));
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } });
  const account = await bench.create('serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot', namespace: 'lab' },
  });
  claims = claimsFor(account, wishOf({ audiences: [] }), {}, { id: 'id1', nowMs: bench.clock.now() });
});

/** What `authorize` answers to this token. */
const authenticate = (token: string) =>
  createAuthenticator({
    clock: bench.clock,
    partition: 'aws',
    mappings: [],
    ask: () => Promise.reject(new Error('STS knows no service accounts')),
    instanceNames: { privateDnsNameOf: () => Promise.reject(new Error('EC2 knows no service accounts')) },
    verify: (one) => tokens.verify(one),
  })([`Bearer ${token}`]);

/** The user of a request whose context the authorizer has filled like this. */
const userOf = async (context: Readonly<Record<string, unknown>>) =>
  await userOfRequest({ registry: bench.registry, clock: bench.clock })({ user: parseUser(context) }, REQUEST);
const context = () => ({ username: USERNAME, uid: 'u', groups: '[]', claims: encodeClaims(claims) });

describe('a service account in the cloud', () => {
  it('is identified by the signature of its token', async () => {
    expect(await authenticate(await tokens.sign(claims))).toMatchObject({
      username: USERNAME,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:lab', 'system:authenticated'],
      claims,
    });
    expect(await authenticate(`${await tokens.sign(claims)}x`)).toBeUndefined();
  });

  it('is the user of a request, with what the claims say and nothing else', async () => {
    expect(await userOf(context())).toMatchObject({
      username: USERNAME,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:lab', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id1'] },
    });
  });

  it('is nobody once its token is over, although API Gateway remembers it', async () => {
    await advance(bench.clock, 62 * MINUTE_MS);
    expect(await userOf(context())).toBeUndefined();
  });

  it('is nobody once it is deleted, although API Gateway remembers it', async () => {
    await bench.registry.delete({ resource: 'serviceaccounts', namespace: 'lab', name: 'robot' });
    expect(await userOf(context())).toBeUndefined();
  });

  it('is nobody with a token for another audience', async () => {
    expect(await userOf({ ...context(), claims: encodeClaims({ ...claims, aud: ['vault'] }) })).toBeUndefined();
  });

  it.each([
    ['of another user', () => encodeClaims({ ...claims, sub: 'system:serviceaccount:kube-system:root' })],
    ['that are no claims', () => 'nonsense'],
  ])('is nobody with claims %s', async (_, text) => {
    expect(await userOf({ ...context(), claims: text() })).toBeUndefined();
  });
});

describe('an identity of IAM', () => {
  it('has no claims, and costs no read', async () => {
    const registry = { get: () => Promise.reject(new Error('no read is expected')) };
    const user = parseUser({ username: 'jane', groups: '["dev"]', claims: '' });
    expect(await userOfRequest({ registry, clock: bench.clock })({ user }, REQUEST)).toEqual({
      username: 'jane',
      groups: ['dev'],
    });
  });
});
