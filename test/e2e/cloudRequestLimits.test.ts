import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import { isCloud } from './serverArguments.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const RATE = { perSecond: 5, burst: 10 };

describe.skipIf(!isCloud)('an emulated cloud with request limits (npm run test:cloud)', () => {
  let emulation: Emulation;
  let token: string;
  beforeAll(async () => {
    emulation = await startEmulation({ accountConcurrency: 1_000, requestLimits: { user: RATE } });
    // The authorizer's answer is remembered for one token.
    token = emulation.token();
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }];
    const body = JSON.stringify({ metadata: { name: 'all-view' }, roleRef, subjects });
    expect((await ask(undefined, BINDINGS, { method: 'POST', body })).status).toBe(201);
  }, 240_000);
  afterAll(() => emulation?.stop());

  /** `user`: whom the administrator impersonates. */
  const ask = (user: string | undefined, path: string, init: RequestInit = {}) =>
    fetch(emulation.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(user !== undefined && { 'Impersonate-User': user }),
      },
    });

  it('has the schemas of every cluster, to which the headers of answers refer', async () => {
    const answer = await ask('ann', PODS);
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/global-default';
    const { metadata } = (await (await ask(undefined, path)).json()) as { metadata: { uid: string } };
    expect(answer.headers.get('x-kubernetes-pf-flowschema-uid')).toBe(metadata.uid);
  });
});
