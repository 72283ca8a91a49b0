import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { bootstrapTokenSecret } from '../../support/bootstrapTokenSecret.ts';
import { kubectlFor, runKubectl } from '../../support/kubectl.ts';
import { KubeletClient } from '../../support/kubelet/KubeletClient.ts';
import { ServerProcess } from '../../support/ServerProcess.ts';
import { IMAGE } from './busyboxImage.ts';
import type { Containerd } from './Containerd.ts';
import { RealKubelet } from './RealKubelet.ts';

const NODE = 'driftless-real';
const KUBELET_PORT = 20_250;
const ARGUMENTS = ['--tls', '--nodes', '0'];
const REPLICAS = 10;

/** A server, a real kubelet that has joined it, and what is tried with them, one step after the other. */
export class NodeTrial {
  #server: ServerProcess;
  readonly #kubectl: string;
  readonly #kubelet: RealKubelet;

  private constructor(server: ServerProcess, kubectl: string, kubelet: RealKubelet) {
    this.#server = server;
    this.#kubectl = kubectl;
    this.#kubelet = kubelet;
  }

  /** Starts a server, and a kubelet that joins it by a bootstrap token; resolves when its node is Ready and its certificates are issued. */
  static async start(kubelet: string, kubectl: string, containerd: Containerd, folder: string): Promise<NodeTrial> {
    const server = await ServerProcess.start(ARGUMENTS);
    const config = parse(readFileSync(server.kubeconfig, 'utf8'));
    const { server: url, 'certificate-authority-data': data } = config.clusters[0].cluster;
    const authority = Buffer.from(data, 'base64').toString();
    const administrator = new KubeletClient({ server: url, authority, token: config.users[0].user.token });
    await administrator.send('POST', '/api/v1/namespaces/kube-system/secrets', bootstrapTokenSecret());
    const { socket } = containerd;
    const token = 'abcdef.0123456789abcdef';
    const options = { program: kubelet, folder: join(folder, 'kubelet'), nodeName: NODE, port: KUBELET_PORT };
    const real = new RealKubelet({ ...options, server: url, authority, token, socket });
    const trial = new NodeTrial(server, kubectl, real);
    try {
      real.start();
      await trial.#approveServing(administrator);
      await trial.#says(`wait --for=condition=Ready node/${NODE} --timeout=180s`);
      return trial;
    } catch (error) {
      await trial.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#kubelet.end('SIGTERM');
    await this.#server.dispose();
  }

  /** Ten pods with a ConfigMap as a volume and a readiness probe that reads it. */
  async runPods(): Promise<void> {
    await this.#says('create configmap web --from-literal=color=green');
    await this.#apply(deployment());
    await this.#says('rollout status deployment/web --timeout=300s');
    assert.match(await this.#says('logs deployment/web'), /started green/);
    assert.equal(await this.#says('exec deployment/web -- cat /config/color'), 'green');
    assert.equal((await this.#run('exec', 'deployment/web', '--', 'sh', '-c', 'exit 7')).code, 7);
  }

  /** A liveness probe that fails makes the kubelet restart the container. */
  async restartSickContainer(): Promise<void> {
    const livenessProbe = { exec: { command: ['test', '-e', '/missing'] }, periodSeconds: 1, failureThreshold: 1 };
    await this.#apply(podOf('sick', { livenessProbe }));
    await this.#says("wait --for=jsonpath='{.status.containerStatuses[0].restartCount}'=1 pod/sick --timeout=120s");
    await this.#says('delete pod sick --timeout=120s');
  }

  /** A roll in whose middle the control plane dies and comes back. */
  async rollOverRestart(): Promise<void> {
    await this.#says('set env deployment/web ROLL=1');
    await this.#says(`wait --for=jsonpath='{.status.updatedReplicas}' deployment/web --timeout=60s`);
    await this.#server.end('SIGKILL');
    const port = new URL(this.#server.baseUrl).port;
    this.#server = await ServerProcess.start([...ARGUMENTS, '--port', port], this.#server.dataDir);
    await this.#says('rollout status deployment/web --timeout=300s');
    assert.equal(runningPods(await this.#says('get pods -l app=web -o json')).length, REPLICAS);
  }

  /** Without its kubelet a node is not ready, and its pods leave; when it comes back, it ends what has been deleted. */
  async loseKubelet(): Promise<void> {
    const toleration = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' };
    await this.#apply(podOf('evicted', {}, { tolerations: [{ ...toleration, tolerationSeconds: 5 }] }));
    await this.#says('wait --for=condition=Ready pod/evicted --timeout=120s');
    await this.#kubelet.end('SIGKILL');
    await this.#says(`wait --for=condition=Ready=Unknown node/${NODE} --timeout=180s`);
    await this.#says("wait --for=jsonpath='{.metadata.deletionTimestamp}' pod/evicted --timeout=120s");
    this.#kubelet.start();
    await this.#says(`wait --for=condition=Ready node/${NODE} --timeout=180s`);
    await this.#says('wait --for=delete pod/evicted --timeout=180s');
    await this.#says('rollout status deployment/web --timeout=300s');
  }

  /** Nothing is left of pods that were deleted. */
  async removePods(): Promise<void> {
    await this.#says('delete deployment web');
    await this.#says('wait --for=delete pod -l app=web --timeout=180s');
  }

  #says(commandLine: string): Promise<string> {
    return kubectlFor(this.#server.kubeconfig, this.#kubectl)(commandLine);
  }

  #run(...args: readonly string[]) {
    return runKubectl(this.#server.kubeconfig, args, { program: this.#kubectl });
  }

  async #apply(object: object): Promise<void> {
    const program = this.#kubectl;
    const input = JSON.stringify(object);
    const { code, stderr } = await runKubectl(this.#server.kubeconfig, ['apply', '-f', '-'], { program, input });
    assert.equal(code, 0, stderr);
  }

  /** Approves the request for the serving certificate, which no controller may. */
  async #approveServing(administrator: KubeletClient): Promise<void> {
    const found = new AbortController();
    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests?watch=true';
    let name = '';
    await administrator.watch(requests, found.signal, ({ object }) => {
      if (object.spec.signerName !== 'kubernetes.io/kubelet-serving') return;
      name = object.metadata.name;
      found.abort();
    });
    await this.#says(`certificate approve ${name}`);
  }
}

/** The names of the pods that run and are to stay. Pods of the old revision may still be ending: their phase is Running, too, until their containers have ended. */
function runningPods(list: string): readonly string[] {
  const { items } = JSON.parse(list) as { readonly items: readonly Pod[] };
  return items
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === 'Running')
    .map(({ metadata }) => metadata.name);
}

function container(more: object) {
  const command = ['sh', '-c', 'echo started $(cat /config/color); trap "exit 0" TERM; sleep 100000 & wait'];
  return { name: 'main', image: IMAGE, imagePullPolicy: 'Never', command, ...more };
}

function podOf(name: string, ofContainer: object, ofSpec: object = {}): object {
  const spec = { containers: [container(ofContainer)], terminationGracePeriodSeconds: 5, ...ofSpec };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
}

function deployment(): object {
  const labels = { app: 'web' };
  const probe = { exec: { command: ['cat', '/config/color'] }, periodSeconds: 1 };
  const mounts = { volumeMounts: [{ name: 'config', mountPath: '/config' }] };
  const spec = {
    containers: [container({ ...mounts, readinessProbe: probe })],
    volumes: [{ name: 'config', configMap: { name: 'web' } }],
    terminationGracePeriodSeconds: 5,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: REPLICAS, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
