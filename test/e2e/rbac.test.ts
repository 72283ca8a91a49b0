import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CoreV1Api } from '@kubernetes/client-node';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-rbac-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ROBOT = `
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [''], resources: [pods], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: robot}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: robot}]
`;

async function tokenOf(cluster: Cluster, account: string): Promise<string> {
  const path = `/api/v1/namespaces/default/serviceaccounts/${account}/token`;
  const answer = await cluster.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ spec: {} }),
  });
  return ((await answer.json()) as { status: { token: string } }).status.token;
}

const pods = '/api/v1/namespaces/default/pods';
const status = async (cluster: Cluster, token: string, path = pods) =>
  (await cluster.request(path, { headers: { authorization: `Bearer ${token}` } })).status;

describe('a cluster with RBAC', () => {
  test('lets a service account do what its role allows', async () => {
    const cluster = await startTestCluster({ rbac: true, clock: 'virtual' });
    await cluster.apply(ROBOT);
    const token = await tokenOf(cluster, 'robot');
    expect(await status(cluster, token)).toBe(200);
    expect(await status(cluster, token, '/api/v1/namespaces/default/secrets')).toBe(403);
    await cluster.delete('serviceaccount/robot');
    expect(await status(cluster, token)).toBe(401);
  });

  test('serves the JavaScript client over HTTPS, as an administrator', async () => {
    const cluster = await startTestCluster({ rbac: true });
    const core = (await cluster.kubeConfig()).makeApiClient(CoreV1Api);
    expect((await core.listNode()).items).toHaveLength(3);
  });

  test('knows nobody without a token', async () => {
    const cluster = await startTestCluster({ rbac: true });
    const answer = await fetch(cluster.url + pods);
    expect({ code: answer.status, message: ((await answer.json()) as { message: string }).message }).toEqual({
      code: 403,
      message:
        'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"',
    });
    expect((await fetch(`${cluster.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${cluster.url}/debug/explain/deployment/default/web`)).status).toBe(403);
    expect((await fetch(cluster.url + pods, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  test('publishes its certificate to pods', async () => {
    const cluster = await startTestCluster({ rbac: true });
    const { data } = await cluster.get('configmap/kube-root-ca.crt');
    expect(data?.['ca.crt']).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  test('keeps keys and credentials across a restart', async () => {
    const first = await startTestCluster({ rbac: true, dataDir: directory });
    await first.apply(ROBOT);
    const token = await tokenOf(first, 'robot');
    const { kubeconfig, url } = first;
    await first.stop();
    const second = await startTestCluster({ rbac: true, dataDir: directory });
    expect(second.kubeconfig.replace(/127.0.0.1:\d+/, '')).toBe(kubeconfig.replace(/127.0.0.1:\d+/, ''));
    expect(url).toMatch(/^http:/);
    expect(await status(second, token)).toBe(200);
  });
});

describe('a cluster without RBAC', () => {
  test('knows service accounts by their tokens, and says that they may do everything when someone impersonates them', async () => {
    const cluster = await startTestCluster();
    await cluster.apply(ROBOT);
    expect(await status(cluster, await tokenOf(cluster, 'robot'), '/api/v1/namespaces/default/secrets')).toBe(200);
    expect(await status(cluster, 'nonsense')).toBe(401);
    const answer = await cluster.request(pods, { headers: { 'impersonate-user': 'jane' } });
    expect(answer.headers.get('warning')).toBe(
      '299 - "\\"jane\\" may do everything, because this server checks no permissions; start it with --rbac to check them"',
    );
  });
});
