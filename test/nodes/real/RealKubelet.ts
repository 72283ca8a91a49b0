import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RealKubeletOptions {
  /** The path of the program. */
  readonly program: string;
  /** Where all its files are. */
  readonly folder: string;
  readonly nodeName: string;
  /** The API server's URL, and its authority in PEM. */
  readonly server: string;
  readonly authority: string;
  /** A bootstrap token: `abcdef.0123456789abcdef`. */
  readonly token: string;
  /** The socket of containerd. */
  readonly socket: string;
  readonly port: number;
}

/** A real kubelet, 1.31 or later, that joins by a bootstrap token. It can be ended as by a loss of power, and started again. */
export class RealKubelet {
  readonly #options: RealKubeletOptions;
  #child: ChildProcess | undefined;

  constructor(options: RealKubeletOptions) {
    const { folder, authority } = options;
    this.#options = options;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'ca.crt'), authority);
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n');
    writeFileSync(join(folder, 'bootstrap.conf'), JSON.stringify(bootstrapConfig(options)), { mode: 0o600 });
    writeFileSync(join(folder, 'kubelet.yaml'), JSON.stringify(kubeletConfiguration(options)));
  }

  start(): void {
    const { program, folder, nodeName } = this.#options;
    const log = openSync(join(folder, 'kubelet.log'), 'a');
    const args = [
      `--bootstrap-kubeconfig=${join(folder, 'bootstrap.conf')}`,
      `--kubeconfig=${join(folder, 'kubeconfig')}`,
      `--config=${join(folder, 'kubelet.yaml')}`,
      `--cert-dir=${join(folder, 'pki')}`,
      `--root-dir=${join(folder, 'root')}`,
      `--hostname-override=${nodeName}`,
    ];
    this.#child = spawn(program, args, { stdio: ['ignore', log, log] });
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

function bootstrapConfig({ server, authority, token }: RealKubeletOptions): object {
  const cluster = { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'driftless', cluster }],
    users: [{ name: 'bootstrap', user: { token } }],
    contexts: [{ name: 'driftless', context: { cluster: 'driftless', user: 'bootstrap' } }],
    'current-context': 'driftless',
  };
}

/** Works in a container, too: with swap, with either version of cgroups, without limits of its own, and on a disk that is nearly full. */
function kubeletConfiguration({ folder, socket, port }: RealKubeletOptions): object {
  const never = {
    'imagefs.available': '0%',
    'memory.available': '0%',
    'nodefs.available': '0%',
    'nodefs.inodesFree': '0%',
  };
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(folder, 'ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'cgroupfs',
    cgroupsPerQOS: false,
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: `unix://${socket}`,
    enforceNodeAllocatable: [],
    evictionHard: never,
    failCgroupV1: false,
    failSwapOn: false,
    healthzPort: 0,
    imageGCHighThresholdPercent: 100,
    localStorageCapacityIsolation: false,
    makeIPTablesUtilChains: false,
    port,
    resolvConf: join(folder, 'resolv.conf'),
    rotateCertificates: true,
    serverTLSBootstrap: true,
  };
}
