import { describe, expect, test } from 'vitest';
import { DryRunClient, WouldWriteError } from '../../../infra/dashboard/server/DryRunClient.ts';
import type { SendRequest } from '../../../infra/host/SendRequest.ts';
import { startTestCluster } from '../../support/startTestCluster.ts';
import { storedObjects } from '../../support/storedObjects.ts';
import { webDeployment } from '../../support/webDeployment.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';
const JSON_BODY = 'application/json';
const MERGE = 'application/merge-patch+json';
const ORPHAN = { propagationPolicy: 'Orphan' };

interface Write {
  readonly path: string;
  readonly method: string;
  readonly type?: string;
  readonly body?: object;
}

const other = { ...webDeployment('nginx:9', 1), metadata: { name: 'other' } };
const evict = (deleteOptions?: object) => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name: 'POD' },
  ...(deleteOptions && { deleteOptions }),
});

/** Every verb that the client sends; `POD` is a pod of the Deployment. */
const WRITES: readonly (readonly [name: string, write: Write])[] = [
  ['create', { method: 'POST', path: DEPLOYMENTS, body: other }],
  ['update', { method: 'PUT', path: `${DEPLOYMENTS}/web`, body: webDeployment('nginx:9', 4) }],
  ['patch', { method: 'PATCH', path: `${DEPLOYMENTS}/web`, type: MERGE, body: { spec: { paused: true } } }],
  [
    'apply',
    { method: 'PATCH', path: `${DEPLOYMENTS}/other?fieldManager=a`, type: 'application/apply-patch+yaml', body: other },
  ],
  [
    'patch of a status',
    { method: 'PATCH', path: `${DEPLOYMENTS}/web/status`, type: MERGE, body: { status: { replicas: 7 } } },
  ],
  ['scale', { method: 'PATCH', path: `${DEPLOYMENTS}/web/scale`, type: MERGE, body: { spec: { replicas: 9 } } }],
  ['delete', { method: 'DELETE', path: `${DEPLOYMENTS}/web` }],
  ['delete with options', { method: 'DELETE', path: `${DEPLOYMENTS}/web`, body: ORPHAN }],
  ['delete that denies it', { method: 'DELETE', path: `${DEPLOYMENTS}/web?dryRun=`, body: { dryRun: [] } }],
  ['deletecollection', { method: 'DELETE', path: PODS }],
  ['deletecollection with options', { method: 'DELETE', path: PODS, body: { gracePeriodSeconds: 0 } }],
  ['eviction', { method: 'POST', path: `${PODS}/POD/eviction`, body: evict() }],
  ['eviction with options', { method: 'POST', path: `${PODS}/POD/eviction`, body: evict({ dryRun: [] }) }],
];

async function settledWeb() {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(webDeployment('nginx:1', 2));
  await cluster.advance('1m');
  const send: SendRequest = (path, init) => fetch(cluster.url + path, init);
  const [pod] = await cluster.list('pods');
  const write = (way: SendRequest, { path, method, type = JSON_BODY, body }: Write) => {
    const named = (text: string) => text.replaceAll('POD', pod?.metadata.name ?? '');
    const sent = body && { headers: { 'content-type': type }, body: named(JSON.stringify(body)) };
    return way(named(path), { method, ...sent });
  };
  return { cluster, send, write, stored: () => storedObjects(send) };
}

describe('a DryRunClient', () => {
  test.each(WRITES)('tries this without a write: %s', async (_, request) => {
    const { cluster, send, write, stored } = await settledWeb();
    const before = await stored();
    const tried = await write(new DryRunClient(send).send, request);
    expect([200, 201], await tried.text()).toContain(tried.status);
    await cluster.settle();
    expect(await stored()).toEqual(before);
    // The same request writes when it is not tried, so that the test would see it.
    await (await write(send, request)).text();
    await cluster.settle();
    expect(await stored()).not.toEqual(before);
  });

  test.each([
    ['POST', '/apis/testing.driftless.dev/v1/clocks/cluster/advance'],
    ['POST', '/api/v1/namespaces/default/serviceaccounts/default/token'],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
    ['POST', `${PODS}/a/binding`],
    ['POST', `${PODS}/a/exec?command=reboot`],
    ['GET', `${PODS}/a/exec?command=reboot`],
    ['GET', `${PODS}/a/proxy/shutdown`],
    ['GET', '/api/v1/nodes/a/proxy/run'],
    ['PATCH', `${DEPLOYMENTS}/web/unheard-of`],
    ['DELETE', `${DEPLOYMENTS}/web/scale`],
    ['POST', '/version'],
    ['BREW', DEPLOYMENTS],
    ['HEAD', DEPLOYMENTS],
    ['DELETE', `${DEPLOYMENTS}/../../../../../api/v1/namespaces/default`],
    ['DELETE', `${DEPLOYMENTS}//web`],
    ['DELETE', `${DEPLOYMENTS}/web%2Fscale`],
    ['DELETE', `//elsewhere${DEPLOYMENTS}/web`],
    ['DELETE', `${DEPLOYMENTS}/web#`],
  ])('does not send %s %s', async (method, path) => {
    const client = new DryRunClient(() => Promise.reject(new Error('was sent')));
    await expect(client.send(path, { method })).rejects.toThrow(WouldWriteError);
  });

  test.each(['[]', 'null', 'dryRun: []', '{"dryRun":'])('does not send a deletion with the body %s', async (body) => {
    const client = new DryRunClient(() => Promise.reject(new Error('was sent')));
    await expect(client.send(`${DEPLOYMENTS}/web`, { method: 'DELETE', body })).rejects.toThrow(WouldWriteError);
  });

  test('reads as any client', async () => {
    const { send } = await settledWeb();
    const client = new DryRunClient(send);
    for (const path of [DEPLOYMENTS, `${DEPLOYMENTS}/web`, `${DEPLOYMENTS}/web/scale`, '/version'])
      expect((await client.send(path)).status).toBe(200);
  });
});
