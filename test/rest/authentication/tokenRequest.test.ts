import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../startApi.ts';

const ISSUER = 'https://kubernetes.default.svc.cluster.local';
const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts/robot';
const UUID = /^[0-9a-f-]{36}$/;

let api: Api;
let account: { uid: string };
beforeEach(async () => {
  api = await startApi();
  account = (await api.call('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } })).body
    .metadata;
});

const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { serviceAccountName: 'robot', containers: [{ name: 'main', image: 'i' }], ...spec },
});
const request = (spec: object = {}, metadata: object = {}) => api.call('POST', `${ACCOUNT}/token`, { metadata, spec });

describe('a token request', () => {
  it('returns a token for the API that is valid for an hour', async () => {
    const { code, body } = await request();
    expect(code).toBe(201);
    expect(body).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        name: 'robot',
        namespace: 'default',
        uid: account.uid,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null },
      status: { token: expect.any(String), expirationTimestamp: '2026-01-01T01:00:00Z' },
    });
    const iat = Date.UTC(2026, 0, 1) / 1000;
    expect(decodeProtectedHeader(body.status.token)).toEqual({ alg: 'ES256', kid: expect.any(String) });
    expect(decodeJwt(body.status.token)).toEqual({
      aud: [ISSUER],
      exp: iat + 3600,
      iat,
      iss: ISSUER,
      jti: expect.stringMatching(UUID),
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot', uid: account.uid } },
      nbf: iat,
      sub: 'system:serviceaccount:default:robot',
    });
  });

  it('takes audiences and a duration', async () => {
    const { body } = await request({ audiences: ['vault', 'other'], expirationSeconds: 600 });
    const { aud, exp = 0, iat = 0 } = decodeJwt(body.status.token);
    expect({ aud, seconds: exp - iat }).toEqual({ aud: ['vault', 'other'], seconds: 600 });
  });

  it('names the pod to which the token is bound, and its node', async () => {
    const node = (await api.call('POST', '/api/v1/nodes', { metadata: { name: 'n1' } })).body.metadata;
    const created = await api.call('POST', '/api/v1/namespaces/default/pods', pod('p', { nodeName: 'n1' }));
    const { uid } = created.body.metadata;
    const { body } = await request({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid } });
    expect(decodeJwt(body.status.token)['kubernetes.io']).toEqual({
      namespace: 'default',
      node: { name: 'n1', uid: node.uid },
      pod: { name: 'p', uid },
      serviceaccount: { name: 'robot', uid: account.uid },
    });
    expect(body.spec.boundObjectRef).toEqual({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid });
  });

  it('names a node without UID if the node of the pod is not registered', async () => {
    await api.call('POST', '/api/v1/namespaces/default/pods', pod('p', { nodeName: 'gone' }));
    const { body } = await request({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } });
    expect(decodeJwt(body.status.token)).toMatchObject({ 'kubernetes.io': { node: { name: 'gone' } } });
  });

  it.each([
    ['Secret', '/api/v1/namespaces/default/secrets', 'secret'],
    ['Node', '/api/v1/nodes', 'node'],
  ])('names the %s to which the token is bound', async (kind, path, claim) => {
    const { uid } = (await api.call('POST', path, { metadata: { name: 'it' } })).body.metadata;
    const { body } = await request({ boundObjectRef: { apiVersion: 'v1', kind, name: 'it' } });
    expect(decodeJwt(body.status.token)['kubernetes.io']).toMatchObject({ [claim]: { name: 'it', uid } });
  });

  it('extends the time that a kubelet asks for to a year, and says when the token becomes stale', async () => {
    await api.call('POST', '/api/v1/namespaces/default/pods', pod('p'));
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p' };
    const { body } = await request({ expirationSeconds: 3607, boundObjectRef });
    const { exp = 0, iat = 0, 'kubernetes.io': own } = decodeJwt(body.status.token);
    expect(exp - iat).toBe(365 * 86_400);
    expect(own).toMatchObject({ warnafter: iat + 3607 });
    expect(body.status.expirationTimestamp).toBe('2026-01-01T01:00:07Z');
  });

  it.each([
    [
      'less than ten minutes',
      { expirationSeconds: 599 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      'more than 2^32 seconds',
      { expirationSeconds: 2 ** 32 + 1 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      'another name than that of the URL',
      {},
      { name: 'other' },
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    ],
    [
      'another namespace than that of the URL',
      {},
      { namespace: 'other' },
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.namespace: Invalid value: "other": must match the service account namespace if specified',
    ],
    ['a pod that does not exist', { boundObjectRef: { kind: 'Pod', name: 'x' } }, {}, 404, 'pods "x" not found'],
    [
      'an object of another kind',
      { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } },
      {},
      400,
      'cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
  ])('is refused for %s', async (_, spec, metadata, code, message) => {
    const answer = await request(spec, metadata);
    expect({ code: answer.code, message: answer.body.message }).toEqual({ code, message });
  });

  it('is refused for a UID that is not the account`s, or not the bound object`s', async () => {
    expect((await request({}, { uid: 'u1' })).body).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (u1) does not match the UID of the service account (${account.uid})`,
    });
    await api.call('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u2' };
    expect((await request({ boundObjectRef })).body).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (u2) does not match the UID in record. The object might have been deleted and then recreated',
    });
  });

  it('is refused for a pod of another account, and for an account that does not exist', async () => {
    await api.call('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'other' } });
    await api.call('POST', '/api/v1/namespaces/default/pods', pod('p', { serviceAccountName: 'other' }));
    expect((await request({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } })).body).toMatchObject({
      code: 400,
      message: 'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    });
    expect(
      (await api.call('POST', '/api/v1/namespaces/default/serviceaccounts/none/token', { spec: {} })).body,
    ).toMatchObject({
      code: 404,
      message: 'serviceaccounts "none" not found',
    });
  });

  it('is served for POST only, and listed in discovery', async () => {
    expect((await api.call('GET', `${ACCOUNT}/token`)).code).toBe(405);
    const { body } = await api.call('GET', '/api/v1');
    expect(body.resources).toContainEqual({
      name: 'serviceaccounts/token',
      singularName: '',
      namespaced: true,
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    });
  });
});
