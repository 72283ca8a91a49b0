import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import { KubeletClient } from '../support/kubelet/KubeletClient.ts';
import { requestCertificate, servingCertificateOf } from '../support/kubelet/requestCertificate.ts';
import { TestKubelet } from '../support/kubelet/TestKubelet.ts';
import { isCloud } from './serverArguments.ts';

const INSTANCE = { id: 'i-0123456789abcdef0', privateDnsName: 'ip-10-0-1-5.ec2.internal' };
const TERMINATED = { id: 'i-0123456789abcdef1', privateDnsName: '' };
const NODE = INSTANCE.privateDnsName;
const PODS = '/api/v1/namespaces/default/pods';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const AUTHORITY = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const BINDING = {
  kind: 'ClusterRoleBinding',
  metadata: { name: 'default-admin' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
};
const POD = {
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'main', image: 'busybox:1' }] },
};

describe.skipIf(!isCloud || missingJava() !== undefined).each(['function', 'container'] as const)(
  'an EC2 instance that joins the emulated cloud, with the API as a %s (npm run test:cloud)',
  (api) => {
    let emulation: Emulation;
    let administrator: KubeletClient;
    let node: KubeletClient;
    let kubelet: TestKubelet;

    const clientOf = (token: string) => new KubeletClient({ server: emulation.url, token });

    beforeAll(async () => {
      const instances = [INSTANCE, TERMINATED];
      const directAddress = api === 'container';
      emulation = await startEmulation({ api, nodes: 0, accountConcurrency: 1000, instances, directAddress });
      administrator = clientOf(emulation.token());
      node = clientOf(emulation.instanceToken(INSTANCE.id));
    }, 240_000);
    afterAll(async () => {
      await kubelet?.stop();
      await emulation?.stop();
    }, 60_000);

    it('is the node of its private DNS name, and no more than that', async () => {
      const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
      const { body } = await node.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
      expect(body.status.userInfo).toMatchObject({
        username: `system:node:${NODE}`,
        groups: ['system:nodes', 'system:authenticated'],
      });
      expect((await node.send('GET', '/api/v1/secrets')).code).toBe(403);
      expect((await node.send('GET', '/api/v1/nodes')).code).toBe(403);
    }, 60_000);

    it('is nobody once it was terminated', async () => {
      expect((await clientOf(emulation.instanceToken(TERMINATED.id)).send('GET', '/api/v1/services')).code).toBe(401);
    }, 60_000);

    it('gets the certificate of its kubelet from the authority that it reads, and joins', async () => {
      const { code, body } = await node.send('GET', AUTHORITY);
      expect(code).toBe(200);
      const { issued } = await requestCertificate(node, servingCertificateOf(NODE, 'serving'));
      const { body: request } = await administrator.send('GET', `${REQUESTS}/serving`);
      const conditions = [{ type: 'Approved', status: 'True', reason: 'KubectlApprove' }];
      await administrator.send('PUT', `${REQUESTS}/serving/approval`, { ...request, status: { conditions } });
      const serving = { ...(await issued()), clientAuthority: body.data['client-ca-file'] };
      const credentials = { server: emulation.url, token: emulation.instanceToken(INSTANCE.id) };
      kubelet = await TestKubelet.start({ nodeName: NODE, api: credentials, serving });
      const { body: nodes } = await administrator.send('GET', '/api/v1/nodes');
      expect(nodes.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([NODE]);
    }, 120_000);

    it('runs the pods that are scheduled to it', async () => {
      await administrator.send('POST', PODS, POD);
      const running = new AbortController();
      const selected = `${PODS}?watch=true&fieldSelector=metadata.name%3Dweb&timeoutSeconds=50`;
      while (!running.signal.aborted)
        await administrator.watch(selected, running.signal, ({ object }) => {
          if (object.status?.phase === 'Running') running.abort();
        });
      const { body } = await administrator.send('GET', `${PODS}/web`);
      expect([body.spec.nodeName, body.status.phase]).toEqual([NODE, 'Running']);
    }, 120_000);

    it('shows the logs of its pods to the API server, which it knows by its certificate', async () => {
      kubelet.server.write('default/web/main', 'hello');
      const log = await administrator.send('GET', `${PODS}/web/log`);
      expect([log.code, log.body]).toEqual([200, 'hello\n']);
      expect(kubelet.calls.at(-1)?.client).toBe('kube-apiserver-kubelet-client');
    }, 60_000);

    it.each(['exec?command=ls', 'attach', 'portforward?ports=80'])(
      'is not asked for %s, because API Gateway changes no protocols',
      async (path) => {
        const { code, body } = await administrator.send('GET', `${PODS}/web/${path}`);
        expect([code, body.reason]).toEqual([501, 'NotImplemented']);
        expect(body.message).toContain('API Gateway changes the protocol of no connection');
      },
      60_000,
    );

    // A function has no address of its own.
    if (api === 'function') return;
    it('runs commands for clients of the container`s own address, which knows them by their tokens', async () => {
      const { body: made } = await administrator.send('POST', `${ACCOUNTS}/default/token`, { kind: 'TokenRequest' });
      await administrator.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', BINDING);
      const { body: config } = await administrator.send('GET', AUTHORITY);
      const headers = { authorization: `Bearer ${made.status.token}` };
      const url = `${emulation.directUrl?.replace('https', 'wss')}${PODS}/web/exec?command=echo&command=hello&stdout=true`;
      const options = { ca: config.data['client-ca-file'], headers };
      const messages: string[] = [];
      const webSocket = new WebSocket(url, 'v5.channel.k8s.io', options);
      webSocket.on('message', (message: Buffer) => messages.push(`${message[0]}:${message.subarray(1).toString()}`));
      await once(webSocket, 'close');
      expect(messages).toEqual(['1:hello\n', '3:{"metadata":{},"status":"Success"}']);
      const stranger = new WebSocket(url, 'v5.channel.k8s.io', { ...options, headers: {} });
      const [error] = (await once(stranger, 'error')) as [Error];
      expect(error.message).toBe('Unexpected server response: 401');
    }, 60_000);
  },
);
