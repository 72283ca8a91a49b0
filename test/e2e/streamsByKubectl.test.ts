import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';
import { hasKubectl, type KubectlOptions, kubectlFor, RunningKubectl, runKubectl } from '../support/kubectl.ts';
import { TestKubelet } from '../support/kubelet/TestKubelet.ts';
import { layerPrograms } from '../support/layerPrograms.ts';
import { runProgram } from '../support/runProgram.ts';

/** Since 1.31 kubectl tries WebSocket first. Told not to, it uses SPDY at once, as older ones do. */
const SPDY = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' };
const newest = layerPrograms()?.kubectl;
const KUBECTLS: readonly (readonly [name: string, options: KubectlOptions])[] = [
  ...(hasKubectl
    ? ([
        ['the kubectl of this machine', {}],
        ['the same over SPDY', { env: SPDY }],
      ] as const)
    : []),
  ...(newest === undefined
    ? []
    : ([
        ['the newest kubectl', { program: newest }],
        ['the newest over SPDY', { program: newest, env: SPDY }],
      ] as const)),
];
/** Gives a program a terminal. */
const hasScript = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0;
const LOG = 'default/web/main';

let cluster: Cluster;
let kubelet: TestKubelet;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 0 });
  kubelet = await TestKubelet.start({ nodeName: 'worker', api: { server: cluster.url } });
  const containers = [{ name: 'main', image: 'busybox:1', stdin: true, ports: [{ containerPort: 8080 }] }];
  const spec = { nodeName: 'worker', containers };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec });
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'lost' },
    spec: { ...spec, nodeName: 'gone' },
  });
  const running = new AbortController();
  const selected = '/api/v1/namespaces/default/pods?watch=true&fieldSelector=metadata.name%3Dweb';
  await kubelet.client.watch(selected, running.signal, ({ object }) => {
    if (object.status.phase === 'Running') running.abort();
  });
  for (const line of ['one', 'two', 'three']) kubelet.server.write(LOG, line);
  const closed = await TestKubelet.start({ nodeName: 'gone', api: { server: cluster.url } });
  await closed.stop();
}, 120_000);
afterAll(async () => {
  await kubelet?.stop();
  await cluster?.stop();
});

/** Opens a connection to a port of this machine, sends a text, and resolves to as many characters. */
async function answerOf(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString();
}

describe.skipIf(KUBECTLS.length === 0).each(KUBECTLS)('%s and a pod on a node with a kubelet', (_, options) => {
  const says = (commandLine: string, input?: string) =>
    kubectlFor(cluster.kubeconfigPath, options.program)(commandLine, {
      ...(options.env && { env: options.env }),
      ...(input !== undefined && { input }),
    });
  const run = (...args: readonly string[]) => runKubectl(cluster.kubeconfigPath, args, options);

  it('shows its log with all options, and follows it', async () => {
    expect(await says('logs web')).toContain('one\ntwo\nthree\n');
    await says('logs web -c main --tail=2 --timestamps --previous --since=1h --limit-bytes=1000');
    expect(kubelet.calls.at(-1)?.url).toBe(
      '/containerLogs/default/web/main?limitBytes=1000&previous=true&sinceSeconds=3600&tailLines=2&timestamps=true',
    );
    const following = new RunningKubectl(cluster.kubeconfigPath, ['logs', '-f', '--tail=1', 'web'], options);
    await following.until(/./);
    kubelet.server.write(LOG, 'later');
    await following.until(/later/);
    following.end();
  }, 60_000);

  it('runs commands in it, with input, both outputs and the exit code', async () => {
    expect(await says('exec web -- echo hello')).toBe('hello\n');
    expect(await says('exec -i web -c main -- cat', 'typed')).toBe('typed');
    expect(await run('exec', 'web', '--', 'fail', '7')).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/^this fails\ncommand terminated with exit code 7\n$/),
    });
  }, 60_000);

  it.skipIf(!hasScript)(
    'tells a command the size of the terminal',
    async () => {
      const { program = 'kubectl', env } = options;
      const command = `stty rows 24 cols 80; exec ${program} exec -it web -- size`;
      const { stdout } = await runProgram('script', ['-qec', command, '/dev/null'], {
        env: { ...env, KUBECONFIG: cluster.kubeconfigPath, SHELL: '/bin/sh' },
      });
      expect(stdout).toContain('80x24');
    },
    60_000,
  );

  it('attaches to it', async () => {
    expect(await says('attach -i web -c main', 'typed')).toContain('typed');
    expect(kubelet.calls.at(-1)?.url).toMatch(/^\/attach\/default\/web\/main\?input=1&output=1&error=1$/);
  }, 60_000);

  it('forwards its port, for one connection after the other', async () => {
    const forwarding = new RunningKubectl(cluster.kubeconfigPath, ['port-forward', 'pod/web', ':8080'], options);
    const printed = await forwarding.until(/Forwarding from 127\.0\.0\.1:\d+ -> 8080/);
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(printed)?.[1]);
    expect(await answerOf(port, 'hello')).toBe('HELLO');
    expect(await answerOf(port, 'again')).toBe('AGAIN');
    forwarding.end();
  }, 60_000);

  it('reaches the kubelet itself, and is told when it cannot', async () => {
    expect(await says('get --raw /api/v1/nodes/worker/proxy/healthz')).toBe('ok');
    const refused = /dial tcp 127\.0\.0\.1:\d+: connect: connection refused/;
    for (const args of [
      ['logs', 'lost'],
      ['exec', 'lost', '--', 'ls'],
      ['attach', 'lost'],
      ['get', '--raw', '/api/v1/nodes/gone/proxy/healthz'],
    ]) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(refused)]);
    }
  }, 60_000);
});
