import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasKubectl, runKubectl } from '../support/kubectl.ts';
import { KubeletClient, type KubeletClientOptions } from '../support/kubelet/KubeletClient.ts';
import {
  clientCertificateOf,
  requestCertificate,
  servingCertificateOf,
} from '../support/kubelet/requestCertificate.ts';
import { TestKubelet } from '../support/kubelet/TestKubelet.ts';
import { ServerProcess } from '../support/ServerProcess.ts';

const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };
const WORKER = 'worker';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

let server: ServerProcess;
let cluster: Required<Pick<KubeletClientOptions, 'server' | 'authority'>>;
let administrator: KubeletClient;
let bootstrap: KubeletClient;

beforeAll(async () => {
  server = await ServerProcess.start(['--tls', '--ephemeral', '--nodes', '0']);
  const config = parse(readFileSync(server.kubeconfig, 'utf8'));
  const authority = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  cluster = { server: config.clusters[0].cluster.server, authority };
  administrator = new KubeletClient({ ...cluster, token: config.users[0].user.token });
  bootstrap = new KubeletClient({ ...cluster, token: `${TOKEN.id}.${TOKEN.secret}` });
  await createToken(TOKEN.id, { 'token-secret': TOKEN.secret });
}, 120_000);
afterAll(() => server?.dispose());

async function createToken(id: string, data: Record<string, string>): Promise<void> {
  const stringData = { 'token-id': id, 'usage-bootstrap-authentication': 'true', ...data };
  const metadata = { name: `bootstrap-token-${id}`, namespace: 'kube-system' };
  const secret = { kind: 'Secret', metadata, type: 'bootstrap.kubernetes.io/token', stringData };
  expect((await administrator.send('POST', '/api/v1/namespaces/kube-system/secrets', secret)).code).toBe(201);
}

/** Gets a client certificate for a node by the bootstrap token. */
async function joined(node: string): Promise<KubeletClientOptions> {
  const { issued } = await requestCertificate(bootstrap, clientCertificateOf(node, `csr-${node}`));
  return { ...cluster, ...(await issued()) };
}

const whoami = async (client: KubeletClient) => {
  const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
  const { code, body } = await client.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
  return code === 201 ? [body.status.userInfo.username, body.status.userInfo.groups] : code;
};

describe('a machine with a bootstrap token', () => {
  it('is a bootstrapper, and may do no more than ask for a certificate', async () => {
    expect(await whoami(bootstrap)).toEqual([
      'system:bootstrap:abcdef',
      ['system:bootstrappers', 'system:authenticated'],
    ]);
    expect((await bootstrap.send('GET', '/api/v1/nodes')).code).toBe(403);
  });

  it('is nobody with a token that is wrong, has ended, or is for something else', async () => {
    await createToken('ended0', { 'token-secret': TOKEN.secret, expiration: '2020-01-01T00:00:00Z' });
    await createToken('other0', { 'token-secret': TOKEN.secret, 'usage-bootstrap-authentication': 'false' });
    for (const token of ['abcdef.fedcba9876543210', `ended0.${TOKEN.secret}`, `other0.${TOKEN.secret}`])
      expect(await whoami(new KubeletClient({ ...cluster, token }))).toBe(401);
  });

  it('becomes a node: its certificate is approved, issued, and says who it is', async () => {
    const node = new KubeletClient(await joined('first'));
    expect(await whoami(node)).toEqual(['system:node:first', ['system:nodes', 'system:authenticated']]);
    const renewed = await requestCertificate(node, clientCertificateOf('first', 'csr-first-again'));
    expect((await renewed.issued()).certificate).toMatch(/^-----BEGIN CERTIFICATE-----/);
  }, 60_000);

  it('gets no certificate for another identity, although somebody approves it', async () => {
    const wanted = { ...clientCertificateOf('x', 'csr-masters'), organizations: ['system:masters'] };
    const { issued } = await requestCertificate(bootstrap, wanted);
    const { body } = await administrator.send('GET', `${REQUESTS}/csr-masters`);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'KubectlApprove' }];
    await administrator.send('PUT', `${REQUESTS}/csr-masters/approval`, { ...body, status: { conditions } });
    await expect(issued()).rejects.toThrow('subject organization is not system:nodes');
  });
});

describe('a node', () => {
  let node: KubeletClient;
  let kubelet: TestKubelet;
  const pod = (name: string, nodeName: string, secret: string) => ({
    kind: 'Pod',
    metadata: { name },
    spec: {
      nodeName,
      containers: [{ name: 'main', image: 'busybox:1', envFrom: [{ secretRef: { name: secret } }] }],
    },
  });

  beforeAll(async () => {
    const credentials = await joined(WORKER);
    node = new KubeletClient(credentials);
    const { issued } = await requestCertificate(node, servingCertificateOf(WORKER, 'csr-serving'));
    const { body } = await administrator.send('GET', `${REQUESTS}/csr-serving`);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'KubectlApprove' }];
    await administrator.send('PUT', `${REQUESTS}/csr-serving/approval`, { ...body, status: { conditions } });
    const serving = { ...(await issued()), clientAuthority: cluster.authority };
    kubelet = await TestKubelet.start({ nodeName: WORKER, api: credentials, serving });
    for (const name of ['used', 'unused'])
      await administrator.send('POST', '/api/v1/namespaces/default/secrets', { kind: 'Secret', metadata: { name } });
    await administrator.send('POST', '/api/v1/namespaces/default/pods', pod('mine', WORKER, 'used'));
    await administrator.send('POST', '/api/v1/namespaces/default/pods', pod('theirs', 'elsewhere', 'unused'));
  }, 60_000);
  afterAll(() => kubelet?.stop());

  const PODS = '/api/v1/namespaces/default/pods';
  it.each([
    ['reads the secret that its pod uses', 'GET', '/api/v1/namespaces/default/secrets/used', undefined, 200],
    ['reads no other secret', 'GET', '/api/v1/namespaces/default/secrets/unused', undefined, 403],
    ['lists no secrets', 'GET', '/api/v1/namespaces/default/secrets', undefined, 403],
    ['lists its pods', 'GET', `/api/v1/pods?fieldSelector=spec.nodeName%3D${WORKER}`, undefined, 200],
    ['lists no other pods', 'GET', '/api/v1/pods', undefined, 403],
    ['reads its pod', 'GET', `${PODS}/mine`, undefined, 200],
    ['reads no other pod', 'GET', `${PODS}/theirs`, undefined, 403],
    ['reads itself', 'GET', `/api/v1/nodes/${WORKER}`, undefined, 200],
    ['deletes no pod of another node', 'DELETE', `${PODS}/theirs`, undefined, 403],
    ['creates no node but its own', 'POST', '/api/v1/nodes', { kind: 'Node', metadata: { name: 'other' } }, 403],
    ['creates no pod that an administrator did not ask for', 'POST', PODS, pod('new', WORKER, 'used'), 403],
    ['reads services', 'GET', '/api/v1/services', undefined, 200],
    ['changes no deployments', 'DELETE', '/apis/apps/v1/namespaces/default/deployments', undefined, 403],
    [
      'makes no token of an account that its pods do not have',
      'POST',
      '/api/v1/namespaces/kube-system/serviceaccounts/default/token',
      { kind: 'TokenRequest', spec: {} },
      403,
    ],
  ])('%s', async (_, method, path, body, code) => {
    expect((await node.send(method, path, body)).code).toBe(code);
  });

  it('does not change its taints, nor labels by which others choose it', async () => {
    const change = (patch: object) =>
      node.send('PATCH', `/api/v1/nodes/${WORKER}`, patch, 'application/merge-patch+json');
    expect((await change({ spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } })).body.message).toBe(
      'nodes "worker" is forbidden: node "worker" is not allowed to modify taints',
    );
    expect((await change({ metadata: { labels: { 'node-restriction.kubernetes.io/x': '1' } } })).body.message).toBe(
      'nodes "worker" is forbidden: is not allowed to modify labels: node-restriction.kubernetes.io/x',
    );
    expect((await change({ metadata: { labels: { 'example.com/disk': 'ssd' } } })).code).toBe(200);
  });

  it('is known by its certificate when the API server calls it, and knows the API server by its', async () => {
    kubelet.server.write('default/mine/main', 'hello');
    const log = await administrator.send('GET', `${PODS}/mine/log`);
    expect([log.code, log.body]).toEqual([200, 'hello\n']);
    expect(kubelet.calls.at(-1)?.client).toBe('kube-apiserver-kubelet-client');
  });

  it('with a certificate of its own making is not trusted', async () => {
    const stranger = await TestKubelet.start({ nodeName: 'stranger', api: await joined('stranger') });
    await administrator.send('POST', PODS, pod('doubtful', 'stranger', 'used'));
    const { code, body } = await administrator.send('GET', `${PODS}/doubtful/log`);
    expect(code).toBe(500);
    expect(body.message).toContain('tls: failed to verify certificate: x509: certificate signed by unknown authority');
    await stranger.stop();
  }, 60_000);
});

describe('a server with --tls', () => {
  it.skipIf(!hasKubectl)(
    'serves kubectl',
    async () => {
      const { code, stdout } = await runKubectl(server.kubeconfig, ['auth', 'whoami', '-o', 'name']);
      expect([code, stdout]).toEqual([0, expect.anything()]);
    },
    60_000,
  );

  it('keeps its authority over restarts', async () => {
    const first = await ServerProcess.start(['--tls', '--nodes', '0']);
    const authorityOf = () =>
      parse(readFileSync(first.kubeconfig, 'utf8')).clusters[0].cluster['certificate-authority-data'];
    const before = authorityOf();
    await first.end();
    const second = await ServerProcess.start(['--tls', '--nodes', '0'], first.dataDir);
    expect(authorityOf()).toBe(before);
    await second.dispose();
  }, 120_000);

  it('listens beyond loopback only if it knows its clients', async () => {
    await expect(ServerProcess.start(['--listen', '0.0.0.0'])).rejects.toThrow('the server ended with 2');
    const open = await ServerProcess.start(['--tls', '--ephemeral', '--listen', '0.0.0.0', '--nodes', '0']);
    const socket = connect(Number(new URL(open.baseUrl).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    await open.dispose();
  }, 120_000);
});
