import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UserInfo } from '../../../lambdas/rest/rbac/UserInfo.ts';
import { advance } from '../../support/advance.ts';
import { type Api, startApi } from '../startApi.ts';

const ISSUER = 'https://kubernetes.default.svc.cluster.local';
const REVIEWS = '/apis/authentication.k8s.io/v1';
const PLACE = '/api/v1/namespaces/default';
const MINUTE_MS = 60_000;

let api: Api;
beforeEach(async () => {
  api = await startApi();
  await api.call('POST', `${PLACE}/serviceaccounts`, { metadata: { name: 'robot' } });
});

async function tokenFor(spec: object = {}): Promise<string> {
  const { body } = await api.call('POST', `${PLACE}/serviceaccounts/robot/token`, { spec });
  return body.status.token as string;
}

async function review(token: string, audiences?: readonly string[]) {
  const { body } = await api.call('POST', `${REVIEWS}/tokenreviews`, { spec: { token, audiences } });
  return body.status;
}

describe('a TokenReview', () => {
  it('says whose token it is', async () => {
    await api.call('POST', `${PLACE}/pods`, {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'robot', nodeName: 'n1', containers: [{ name: 'main', image: 'i' }] },
    });
    const token = await tokenFor({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } });
    const { metadata } = (await api.call('GET', `${PLACE}/serviceaccounts/robot`)).body;
    const pod = (await api.call('GET', `${PLACE}/pods/p`)).body.metadata;
    expect(await review(token)).toEqual({
      authenticated: true,
      user: {
        username: 'system:serviceaccount:default:robot',
        uid: metadata.uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)],
          'authentication.kubernetes.io/node-name': ['n1'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': [pod.uid],
        },
      },
      audiences: [ISSUER],
    });
  });

  it('returns the audiences that the token and the review have in common', async () => {
    const token = await tokenFor({ audiences: ['vault', 'other'] });
    expect((await review(token, ['x', 'vault'])).audiences).toEqual(['vault']);
    expect(await review(token)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault" "other"] is invalid for the target audiences ["${ISSUER}"]]`,
    });
  });

  it.each([
    ['no token at all', 'nonsense'],
    ['a token with a forged signature', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA'],
    ['a token without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
  ])('refuses %s', async (_, token) => {
    await tokenFor();
    expect(await review(token)).toEqual({ user: {}, error: 'invalid bearer token' });
  });

  it('refuses tokens as long as none was signed', async () => {
    expect(await review('a.b.c')).toEqual({ user: {}, error: 'invalid bearer token' });
  });

  it('refuses a token a minute after its end', async () => {
    const token = await tokenFor({ expirationSeconds: 600 });
    await advance(api.clock, 10.5 * MINUTE_MS);
    expect((await review(token)).authenticated).toBe(true);
    await advance(api.clock, MINUTE_MS);
    expect((await review(token)).error).toBe('[invalid bearer token, service account token has expired]');
  });

  it.each([
    ['the service account', 'serviceaccounts/robot', 'serviceaccounts "robot" not found'],
    ['the bound secret', 'secrets/s', 'service account token has been invalidated'],
  ])('refuses a token when %s is gone', async (_, path, why) => {
    await api.call('POST', `${PLACE}/secrets`, { metadata: { name: 's' } });
    const token = await tokenFor({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } });
    expect((await review(token)).authenticated).toBe(true);
    await api.call('DELETE', `${PLACE}/${path}`);
    expect((await review(token)).error).toBe(`[invalid bearer token, ${why}]`);
  });

  it('refuses a token whose account or secret was made again', async () => {
    await api.call('POST', `${PLACE}/secrets`, { metadata: { name: 's' } });
    const token = await tokenFor({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } });
    await api.call('DELETE', `${PLACE}/secrets/s`);
    await api.call('POST', `${PLACE}/secrets`, { metadata: { name: 's' } });
    expect((await review(token)).error).toMatch(
      /secret UID \(.+\) does not match service account secret ref claim \(.+\)/,
    );
    await api.call('DELETE', `${PLACE}/serviceaccounts/robot`);
    await api.call('POST', `${PLACE}/serviceaccounts`, { metadata: { name: 'robot' } });
    expect((await review(token)).error).toMatch(/service account UID \(.+\) does not match claim \(.+\)/);
  });

  it('needs a token', async () => {
    const { code, body } = await api.call('POST', `${REVIEWS}/tokenreviews`, { spec: {} });
    expect({ code, message: body.message }).toEqual({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  });
});

describe('a SelfSubjectReview', () => {
  const ann: UserInfo = { username: 'ann', uid: 'u1', groups: ['dev'], extra: { team: ['a', 'b'] } };
  const whoami = (one: Api, headers: Record<string, string> = {}) =>
    one.call('POST', `${REVIEWS}/selfsubjectreviews`, {}, headers);

  it('says who sends it', async () => {
    const { code, body } = await whoami(await startApi({ userOf: () => ann }));
    expect({ code, status: body.status }).toEqual({ code: 201, status: { userInfo: ann } });
  });

  it('says whom the sender impersonates, with a warning where no permissions are checked', async () => {
    const { body, headers } = await whoami(await startApi({ userOf: () => ann }), {
      'impersonate-user': 'bob',
      'impersonate-group': 'ops',
      'impersonate-extra-example.com%2fscope': 'all',
    });
    expect(body.status.userInfo).toEqual({
      username: 'bob',
      groups: ['ops', 'system:authenticated'],
      extra: { 'example.com/scope': ['all'] },
    });
    expect(headers.get('warning')).toContain('this server checks no permissions; start it with --rbac');
  });

  it('is refused where nobody has a name', async () => {
    expect((await whoami(api)).body).toMatchObject({ code: 400, message: 'no user present on request' });
  });
});

describe('the documents of OpenID Connect', () => {
  it('let others verify a token', async () => {
    const token = await tokenFor({ audiences: ['vault'] });
    const { body, headers } = await api.call('GET', '/.well-known/openid-configuration');
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect(body).toEqual({
      issuer: ISSUER,
      jwks_uri: 'http://127.0.0.1/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
    const answer = await api.app.request(body.jwks_uri as string);
    expect(answer.headers.get('content-type')).toBe('application/jwk-set+json');
    const keys = createLocalJWKSet((await answer.json()) as JSONWebKeySet);
    const options = { issuer: body.issuer, audience: 'vault', currentDate: new Date(api.clock.now()) };
    const { payload } = await jwtVerify(token, keys, options);
    expect(payload.sub).toBe('system:serviceaccount:default:robot');
  });

  it('names the stage of the cloud', async () => {
    const { body } = await (await startApi({ basePath: '/k8s' })).call('GET', '/.well-known/openid-configuration');
    expect(body.jwks_uri).toBe('http://127.0.0.1/k8s/openid/v1/jwks');
  });
});
