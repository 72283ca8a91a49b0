import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { hasKubectl, kubectlFor, RunningKubectl, runKubectl } from '../support/kubectl.ts';
import { TestKubelet } from '../support/kubelet/TestKubelet.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

const POD = '/api/v1/namespaces/default/pods/web';
const LOG = 'default/web/main';

let cluster: Cluster;
let kubelet: TestKubelet;

beforeEach(async () => {
  cluster = await startTestCluster({ nodes: 0 });
  kubelet = await TestKubelet.start({ nodeName: 'worker', api: { server: cluster.url } });
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { nodeName: 'worker', containers: [{ name: 'main', image: 'busybox:1' }] },
  });
  await phase('Running');
}, 60_000);
afterEach(async () => {
  await kubelet.stop();
  expect(kubelet.refusals).toEqual([]);
});

/** Resolves when the pod has that phase. */
async function phase(wanted: string, name = 'web'): Promise<void> {
  const ended = new AbortController();
  const selected = `/api/v1/namespaces/default/pods?watch=true&fieldSelector=metadata.name%3D${name}`;
  await kubelet.client.watch(selected, ended.signal, ({ object }) => {
    if (object.status.phase === wanted) ended.abort();
  });
}

/** Resolves when the pod has been removed. */
async function gone(): Promise<void> {
  const ended = new AbortController();
  const selected = '/api/v1/namespaces/default/pods?fieldSelector=metadata.name%3Dweb';
  const { body } = await kubelet.client.send('GET', selected);
  if (body.items.length === 0) return;
  await kubelet.client.watch(
    `${selected}&watch=true&resourceVersion=${body.metadata.resourceVersion}`,
    ended.signal,
    ({ type }) => {
      if (type === 'DELETED') ended.abort();
    },
  );
}

/** Opens a stream of a pod; resolves to the messages when the other side closes it. */
async function stream(path: string, opened?: (webSocket: WebSocket) => void): Promise<string[]> {
  const webSocket = new WebSocket(`${cluster.url.replace('http', 'ws')}${path}`, 'v5.channel.k8s.io');
  const messages: string[] = [];
  webSocket.on('message', (message: Buffer) => messages.push(`${message[0]}:${message.subarray(1).toString()}`));
  webSocket.on('open', () => opened?.(webSocket));
  await once(webSocket, 'close');
  return messages;
}

describe('a kubelet', () => {
  const read = async (path: string) => (await kubelet.client.send('GET', path)).body;

  it('has registered its node, in protobuf, with its CSINode and its lease', async () => {
    const node = await read('/api/v1/nodes/worker');
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'worker', uid: node.metadata.uid };
    expect(node.status).toMatchObject({
      allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
      daemonEndpoints: { kubeletEndpoint: { Port: kubelet.server.port } },
      images: [{ names: ['docker.io/library/busybox:1'], sizeBytes: 2_166_802 }],
    });
    expect(node.status.conditions.map(({ type, status }: Record<string, string>) => `${type}=${status}`)).toEqual([
      'MemoryPressure=False',
      'DiskPressure=False',
      'PIDPressure=False',
      'Ready=True',
    ]);
    expect(await read('/apis/storage.k8s.io/v1/csinodes/worker')).toMatchObject({
      metadata: { name: 'worker', ownerReferences: [owner] },
    });
    expect(await read('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker')).toMatchObject({
      metadata: { ownerReferences: [owner] },
      spec: { holderIdentity: 'worker', leaseDurationSeconds: 40 },
    });
  });

  it('has reported how the pod came to run', async () => {
    const pod = await read(POD);
    expect(pod.status).toMatchObject({ phase: 'Running', podIPs: [{ ip: '10.88.0.2' }], qosClass: 'BestEffort' });
    const events = await read('/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dweb');
    expect(
      events.items.map(({ reason, message, source }: Record<string, unknown>) => [reason, message, source]),
    ).toEqual([['Started', 'Started container main', { component: 'kubelet', host: 'worker' }]]);
  });

  it('that starts again finds its node, its lease and its running pods', async () => {
    await kubelet.stop();
    const again = await TestKubelet.start({ nodeName: 'worker', api: { server: cluster.url } });
    await cluster.delete('pods/default/web');
    await gone();
    expect([...again.pods.started]).toEqual([]);
    expect(again.refusals).toEqual([]);
    await again.stop();
  });

  it('gets what its pod uses: a token of its account, the cluster’s certificate, its ConfigMap and its Secret', async () => {
    const metadata = { name: 'settings' };
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } });
    await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { a: '1' } });
    const volumes = [{ name: 'settings', configMap: metadata }];
    const containers = [{ name: 'main', image: 'busybox:1', envFrom: [{ secretRef: metadata }] }];
    const spec = { nodeName: 'worker', volumes, containers };
    await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'user' }, spec });
    await phase('Running', 'user');
    expect([...kubelet.pods.watched]).toEqual([
      'default/configmaps/kube-root-ca.crt',
      'default/configmaps/settings',
      'default/secrets/settings',
    ]);
    expect(kubelet.pods.tokens).toEqual(['default/default', 'default/default']);
  });
});

describe('a pod on a node with a kubelet', () => {
  it('has the log that the kubelet serves, with all options passed on', async () => {
    kubelet.server.write(LOG, 'one');
    kubelet.server.write(LOG, 'two');
    const response = await cluster.request(
      `${POD}/log?tailLines=1&timestamps=true&previous=true&sinceSeconds=60&limitBytes=1000`,
    );
    expect(await response.text()).toBe('two\n');
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(kubelet.calls.at(-1)?.url).toBe(
      '/containerLogs/default/web/main?limitBytes=1000&previous=true&sinceSeconds=60&tailLines=1&timestamps=true',
    );
  });

  it('has the kubelet’s refusal in Kubernetes’ form', async () => {
    const response = await cluster.request(`${POD}/log`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { reason: 'BadRequest', message: 'container "main" in pod "web" is waiting to start: ContainerCreating' },
    ]);
  });

  it('has a log that is followed until the client leaves', async () => {
    kubelet.server.write(LOG, 'one');
    const reader = (await fetch(`${cluster.url}${POD}/log?follow=true`)).body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe('one\n');
    kubelet.server.write(LOG, 'two');
    expect(await next()).toBe('two\n');
    await reader?.cancel();
  });

  it('runs commands over WebSocket: input, output, exit code, size of the terminal', async () => {
    expect(await stream(`${POD}/exec?command=echo&command=hello&stdout=true`)).toEqual([
      '1:hello\n',
      '3:{"metadata":{},"status":"Success"}',
    ]);
    const failed = await stream(`${POD}/exec?command=fail&command=7&stderr=true&stdout=true`);
    expect(failed[0]).toBe('2:this fails\n');
    expect(failed[1]).toContain('"message":"7"');
    const sized = await stream(`${POD}/exec?command=size&tty=true&stdin=true&stdout=true`, (webSocket) =>
      webSocket.send(Buffer.concat([Buffer.from([4]), Buffer.from('{"Width":80,"Height":24}')])),
    );
    expect(sized[0]).toBe('1:80x24\n');
    expect(kubelet.calls.map(({ url }) => url)).toContain('/exec/default/web/main?input=1&output=1&tty=1&command=size');
  });

  it('is attached to', async () => {
    const answered = await stream(`${POD}/attach?stdin=true&stdout=true`, (webSocket) => {
      webSocket.send(Buffer.from([0, ...Buffer.from('typed')]));
      webSocket.once('message', () => webSocket.send(Buffer.from([255, 0])));
    });
    expect(answered[0]).toBe('1:typed');
    expect(kubelet.calls.at(-1)?.url).toBe('/attach/default/web/main?input=1&output=1');
  });

  it('has its ports forwarded', async () => {
    const webSocket = new WebSocket(
      `${cluster.url.replace('http', 'ws')}${POD}/portforward?ports=8080`,
      'v4.channel.k8s.io',
    );
    const answered = new Promise<string>((resolve) => {
      webSocket.on('message', (message: Buffer) => {
        if (message.length > 3) resolve(message.subarray(1).toString());
      });
    });
    await once(webSocket, 'open');
    webSocket.send(Buffer.from([0, ...Buffer.from('hello')]));
    expect(await answered).toBe('HELLO');
    webSocket.close();
    expect(kubelet.calls.at(-1)?.url).toBe('/portForward/default/web?port=8080');
  });

  it('passes SPDY on byte by byte, without reading it', async () => {
    const ping = Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 0x81]);
    const socket = connect(Number(new URL(cluster.url).port), '127.0.0.1');
    const head = ['Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: SPDY/3.1', 'Content-Length: 0'].join('\r\n');
    socket.write(`POST ${POD}/exec?command=ls&stdout=true HTTP/1.1\r\n${head}\r\n\r\n`);
    let received = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.toString('latin1');
      if (received.endsWith('\r\n\r\n')) socket.write(ping);
      if (received.endsWith(ping.toString('latin1'))) break;
    }
    expect(received).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
  });

  it('is refused a stream without an upgrade, in an unknown container, or where there is no pod', async () => {
    const refusals = [
      ['exec?command=ls', 400, 'Upgrade request required'],
      ['exec?command=ls&container=other', 400, 'container other is not valid for pod web'],
      ['log?container=other', 400, 'container other is not valid for pod web'],
      [
        'log?tailLines=-1',
        422,
        'PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
      ],
    ] as const;
    for (const [path, code, message] of refusals) {
      const response = await cluster.request(`${POD}/${path}`);
      expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([code, message]);
    }
  });

  it('says in Kubernetes’ words that its node cannot be reached', async () => {
    const { port } = kubelet.server;
    await kubelet.stop();
    const log = await cluster.request(`${POD}/log`);
    expect(await log.json()).toMatchObject({
      code: 500,
      message: `Get "https://127.0.0.1:${port}/containerLogs/default/web/main": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    });
    const proxied = await cluster.request('/api/v1/nodes/worker/proxy/healthz');
    expect(await proxied.json()).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
    const webSocket = new WebSocket(`${cluster.url.replace('http', 'ws')}${POD}/exec?command=ls`);
    const [error] = (await once(webSocket, 'error')) as [Error];
    expect(error.message).toBe('Unexpected server response: 500');
  });

  it('has a kubelet behind nodes/proxy', async () => {
    const response = await cluster.request('/api/v1/nodes/worker/proxy/healthz?verbose=1', {
      headers: { accept: 'text/plain', authorization: 'Bearer secret' },
    });
    expect([response.status, await response.text()]).toEqual([401, expect.anything()]);
    const healthy = await cluster.request('/api/v1/nodes/worker/proxy/healthz?verbose=1', {
      headers: { accept: 'text/plain' },
    });
    expect([healthy.status, await healthy.text()]).toEqual([200, 'ok']);
    expect(kubelet.calls.at(-1)?.url).toBe('/healthz?verbose=1');
  });

  it('ends when its kubelet has ended it, and not earlier', async () => {
    await cluster.delete('pods/default/web');
    await gone();
    expect((await cluster.request(POD)).status).toBe(404);
  });
});

describe('a request that asks for another protocol where none is served', () => {
  it('is answered as if it had not asked, with its body', async () => {
    const socket = connect(Number(new URL(cluster.url).port), '127.0.0.1');
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'java' } });
    const head = [
      'Host: 127.0.0.1',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  });
});

describe.skipIf(!hasKubectl)('kubectl and a node with a kubelet', () => {
  it('shows and follows logs, runs commands with their exit codes, and names a node that is gone', async () => {
    kubelet.server.write(LOG, 'one');
    const says = kubectlFor(cluster.kubeconfigPath);
    expect(await says('logs web')).toBe('one\n');
    const following = new RunningKubectl(cluster.kubeconfigPath, ['logs', '-f', 'web']);
    await following.until(/one/);
    kubelet.server.write(LOG, 'two');
    await following.until(/two/);
    following.end();
    expect(await says('exec web -- echo hello')).toBe('hello\n');
    const failed = await runKubectl(cluster.kubeconfigPath, ['exec', 'web', '--', 'fail', '7']);
    expect(failed).toMatchObject({ code: 7, stderr: expect.stringContaining('this fails') });
    expect(await says('get --raw /api/v1/nodes/worker/proxy/healthz')).toBe('ok');
    await kubelet.stop();
    const lost = await runKubectl(cluster.kubeconfigPath, ['logs', 'web']);
    expect(lost.stderr).toMatch(
      /^Error from server: Get "https:\/\/127\.0\.0\.1:\d+\/containerLogs\/default\/web\/main": dial tcp 127\.0\.0\.1:\d+: connect: connection refused\n$/,
    );
  }, 60_000);
});
