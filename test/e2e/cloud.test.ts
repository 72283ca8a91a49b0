import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../infra/emulation/identity/createToken.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { isCloud, SERVER_ARGUMENTS } from './serverArguments.ts';

describe.skipIf(!isCloud)('the emulated cloud (npm run test:cloud)', () => {
  let server: ServerProcess;
  let token: string;

  beforeAll(async () => {
    server = await ServerProcess.start(SERVER_ARGUMENTS);
    token = readFileSync(join(server.dataDir, 'token'), 'utf8');
  }, 120_000);
  afterAll(() => server?.dispose());

  const get = (path: string, authorization?: string) =>
    fetch(server.baseUrl + path, authorization === undefined ? {} : { headers: { authorization } });

  it.each(['/api/v1/namespaces', '/k8s/api/v1/namespaces'])('answers a known caller at %s', async (path) => {
    const answer = await get(path, `Bearer ${token}`);
    expect(answer.status).toBe(200);
    const { items } = (await answer.json()) as { items: { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toContain('kube-system');
  });

  it('has the Service of its API server from the start', async () => {
    const answer = await get('/api/v1/namespaces/default/services/kubernetes', `Bearer ${token}`);
    expect(await answer.json()).toMatchObject({ spec: { clusterIP: '10.96.0.1' } });
    const endpoints = await get('/api/v1/namespaces/default/endpoints/kubernetes', `Bearer ${token}`);
    expect(endpoints.status).toBe(200);
  });

  const stranger = { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'guessed' };
  const decoded = () => Buffer.from(token.replace('k8s-aws-v1.', ''), 'base64url').toString();
  const encoded = (url: string) => `Bearer k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;

  it.each([
    ['a request without a token', () => undefined],
    ['something that is not a token', () => 'Bearer secret'],
    [
      'a token of an unknown identity',
      () => `Bearer ${createToken(stranger, 'Driftless-us-east-1-000000000000', Date.now())}`,
    ],
    ['a token with a changed signature', () => encoded(`${decoded().slice(0, -4)}0000`)],
    ['a token for another host than STS', () => encoded(decoded().replace('sts.us-east-1.amazonaws.com', '127.0.0.1'))],
    ['two tokens in one header', () => `Bearer ${token}, Bearer ${token}`],
  ])('answers 401 to %s', async (_, authorization) => {
    const answer = await get('/api/v1/namespaces', authorization());
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 });
  });

  it('answers access reviews by RBAC', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'jane', resourceAttributes: { verb: 'delete', resource: 'pods', namespace: 'default' } },
    };
    const answer = await fetch(`${server.baseUrl}/apis/authorization.k8s.io/v1/subjectaccessreviews`, {
      method: 'POST',
      headers,
      body: JSON.stringify(review),
    });
    expect(await answer.json()).toMatchObject({ status: { allowed: false } });
  });
});
