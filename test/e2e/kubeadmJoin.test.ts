import { createHmac, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bootstrapTokenSecret } from '../support/bootstrapTokenSecret.ts';
import { KubeletClient } from '../support/kubelet/KubeletClient.ts';
import { clientCertificateOf, requestCertificate } from '../support/kubelet/requestCertificate.ts';
import { ServerProcess } from '../support/ServerProcess.ts';

/** The requests of `kubeadm token create` and `kubeadm join` (1.31 and later), in their order, by the identities that kubeadm has at each step. */

const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const CONFIG_MAPS = '/api/v1/namespaces/kube-system/configmaps';
const INFO = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
const [ID, SECRET] = ['abcdef', '0123456789abcdef'];

let server: ServerProcess;
let address: string;
let authority: string;
let administrator: KubeletClient;
let anonymous: KubeletClient;

beforeAll(async () => {
  server = await ServerProcess.start(['--tls', '--ephemeral', '--nodes', '0']);
  const config = parse(readFileSync(server.kubeconfig, 'utf8'));
  const { cluster } = config.clusters[0];
  authority = Buffer.from(cluster['certificate-authority-data'], 'base64').toString();
  address = cluster.server;
  administrator = new KubeletClient({ server: address, authority, token: config.users[0].user.token });
  anonymous = new KubeletClient({ server: address, authority });
}, 120_000);
afterAll(() => server?.dispose());

/** Resolves to the config map's data once the token has signed it: kubeadm asks again until then. */
async function signedInfo(): Promise<Record<string, string>> {
  const found = new AbortController();
  let data: Record<string, string> = {};
  const path = '/api/v1/namespaces/kube-public/configmaps?watch=true&fieldSelector=metadata.name%3Dcluster-info';
  await administrator.watch(path, found.signal, ({ object }) => {
    data = object.data;
    if (data[`jws-kubeconfig-${ID}`] !== undefined) found.abort();
  });
  return data;
}

describe('kubeadm token', () => {
  it('creates a token by looking for it first, lists it by its type, and creates it once', async () => {
    expect((await administrator.send('GET', `${SECRETS}/bootstrap-token-${ID}`)).code).toBe(404);
    const secret = bootstrapTokenSecret({ expiration: '2099-01-01T00:00:00Z' });
    expect((await administrator.send('POST', SECRETS, secret)).code).toBe(201);
    expect((await administrator.send('POST', SECRETS, secret)).code).toBe(409);
    const ofType = `${SECRETS}?fieldSelector=type%3Dbootstrap.kubernetes.io%2Ftoken`;
    const { body } = await administrator.send('GET', ofType);
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      `bootstrap-token-${ID}`,
    ]);
  });
});

describe('kubeadm join', () => {
  it('finds the cluster without an identity, and trusts what the token has signed', async () => {
    await signedInfo();
    const { code, body } = await anonymous.send('GET', INFO);
    expect(code).toBe(200);
    const { kubeconfig, [`jws-kubeconfig-${ID}`]: signature = '' } = body.data;
    const [header, text, mac] = signature.split('.');
    expect(text).toBe('');
    expect(Buffer.from(header, 'base64url').toString()).toBe(`{"alg":"HS256","kid":"${ID}"}`);
    const signed = `${header}.${Buffer.from(kubeconfig).toString('base64url')}`;
    expect(mac).toBe(createHmac('sha256', SECRET).update(signed).digest('base64url'));
    const { cluster } = parse(kubeconfig).clusters[0];
    expect(cluster).toEqual({
      server: address,
      'certificate-authority-data': Buffer.from(authority).toString('base64'),
    });
  });

  it.each([
    ['another config map of its namespace', '/api/v1/namespaces/kube-public/configmaps/kube-root-ca.crt'],
    ['the config maps of the namespace', '/api/v1/namespaces/kube-public/configmaps'],
    ['the configuration', `${CONFIG_MAPS}/kubeadm-config`],
    ['the token', `${SECRETS}/bootstrap-token-${ID}`],
    ['nodes', '/api/v1/nodes/worker'],
  ])('does not read %s without an identity', async (_, path) => {
    expect((await anonymous.send('GET', path)).code).toBe(403);
  });

  it('reads the configuration by its token, and whether the name of the node is free', async () => {
    const joining = new KubeletClient({ server: address, authority, token: `${ID}.${SECRET}` });
    const get = async (path: string) => await joining.send('GET', path);
    const cluster = await get(`${CONFIG_MAPS}/kubeadm-config`);
    expect(parse(cluster.body.data.ClusterConfiguration)).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      kubernetesVersion: expect.stringMatching(/^v1\.\d+\.\d+$/),
      controlPlaneEndpoint: new URL(address).host,
    });
    const kubelet = await get(`${CONFIG_MAPS}/kubelet-config`);
    expect(parse(kubelet.body.data.kubelet)).toMatchObject({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      rotateCertificates: true,
    });
    // kubeadm goes on without kube-proxy's configuration.
    expect((await get(`${CONFIG_MAPS}/kube-proxy`)).code).toBe(404);
    expect((await get('/api/v1/nodes/worker')).code).toBe(404);
    expect((await get('/api/v1/nodes')).code).toBe(403);
    expect((await get(`${SECRETS}/bootstrap-token-${ID}`)).code).toBe(403);
  });

  it('has a certificate issued for the kubelet, which registers itself and notes its container runtime', async () => {
    const joining = new KubeletClient({ server: address, authority, token: `${ID}.${SECRET}` });
    const { issued } = await requestCertificate(joining, clientCertificateOf('worker', 'csr-worker'));
    const kubelet = new KubeletClient({ server: address, authority, ...(await issued()) });
    expect((await kubelet.send('POST', '/api/v1/nodes', { kind: 'Node', metadata: { name: 'worker' } })).code).toBe(
      201,
    );
    expect((await kubelet.send('GET', '/api/v1/nodes/worker')).code).toBe(200);
    const annotations = { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock' };
    const patch = { metadata: { annotations } };
    const patched = await kubelet.send(
      'PATCH',
      '/api/v1/nodes/worker',
      patch,
      'application/strategic-merge-patch+json',
    );
    expect([patched.code, patched.body.metadata.annotations]).toEqual([200, expect.objectContaining(annotations)]);
    for (const name of ['kubeadm-config', 'kubelet-config'])
      expect((await kubelet.send('GET', `${CONFIG_MAPS}/${name}`)).code).toBe(200);
  }, 60_000);
});

it('lets extension servers know the authorities of clients and of proxies', async () => {
  const { body } = await administrator.send('GET', `${CONFIG_MAPS}/extension-apiserver-authentication`);
  const { 'requestheader-client-ca-file': ofProxies, ...others } = body.data;
  expect(others).toEqual({
    'client-ca-file': authority,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
  const certificate = new X509Certificate(ofProxies);
  expect([certificate.subject, certificate.ca]).toEqual(['CN=front-proxy-ca', true]);
  // A client with a certificate of the cluster is no proxy.
  expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(false);
});
