import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../../support/runProgram.ts';
import { IMAGE, makeBusyboxImage } from './busyboxImage.ts';
import type { NodePrograms } from './findNodePrograms.ts';

/** The namespace of containerd in which the kubelet's containers are. */
const NAMESPACE = 'k8s.io';

/** A containerd of its own, below one folder, with a bridge for pods and the image of busybox. */
export class Containerd {
  readonly socket: string;
  readonly #child: ChildProcess;
  readonly #ctr: string;

  private constructor(child: ChildProcess, socket: string, ctr: string) {
    this.#child = child;
    this.socket = socket;
    this.#ctr = ctr;
  }

  static async start({ containerd, ctr, busybox, cni }: NodePrograms, folder: string): Promise<Containerd> {
    const socket = join(folder, 'containerd.sock');
    const networks = join(folder, 'net.d');
    mkdirSync(networks, { recursive: true });
    writeFileSync(join(networks, '10-bridge.conflist'), JSON.stringify(bridge(folder)));
    writeFileSync(join(folder, 'containerd.toml'), configuration(folder, socket, networks, cni));
    const log = openSync(join(folder, 'containerd.log'), 'a');
    const child = spawn(containerd, ['--config', join(folder, 'containerd.toml')], { stdio: ['ignore', log, log] });
    const started = new Containerd(child, socket, ctr);
    try {
      await started.#listening(folder);
      const archive = await makeBusyboxImage(busybox, join(folder, 'image'));
      await started.ctr('images', 'import', archive);
      return started;
    } catch (error) {
      // Why it did not start says more than why nothing can be removed.
      await started.stop().catch(() => {});
      throw error;
    }
  }

  /** Runs `ctr` in the kubelet's namespace; resolves to its output. */
  ctr(...args: readonly string[]): Promise<string> {
    return outputOf(this.#ctr, ['--address', this.socket, '--namespace', NAMESPACE, ...args]);
  }

  /** Runs a command in a container of the image, without a kubelet; resolves to its output. */
  run(name: string, ...command: readonly string[]): Promise<string> {
    return this.ctr('run', '--rm', IMAGE, name, ...command);
  }

  /** Ends all containers first: they would outlive containerd, which lets go of them when it ends. No kubelet may be running, since it would start them again. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    try {
      await this.#removeContainers();
    } finally {
      this.#child.kill('SIGTERM');
      await ended;
    }
  }

  async #removeContainers(): Promise<void> {
    for (const id of await this.#ids('tasks')) await this.ctr('tasks', 'delete', '--force', id);
    for (const id of await this.#ids('containers')) await this.ctr('containers', 'delete', id);
  }

  async #ids(kind: 'tasks' | 'containers'): Promise<readonly string[]> {
    const listed = await this.ctr(kind, 'list', '--quiet');
    return listed.split('\n').filter((id) => id !== '');
  }

  /** Resolves when the socket is there. Rejects if containerd ends before. */
  #listening(folder: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const watcher = watch(folder);
      const look = () => {
        if (!existsSync(this.socket)) return;
        watcher.close();
        resolve();
      };
      watcher.on('change', look);
      this.#child.once('exit', (code) =>
        reject(new Error(`containerd ended with ${code}: see ${folder}/containerd.log`)),
      );
      look();
    });
  }
}

/** Works in a container, too: no lower OOM score than the own one, cgroups by their file system, overlayfs. */
function configuration(folder: string, socket: string, networks: string, cni: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"
[grpc]
  address = "${socket}"
[${cri}]
  restrict_oom_score_adj = true
  sandbox_image = "${IMAGE}"
[${cri}.containerd]
  snapshotter = "overlayfs"
[${cri}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
  SystemdCgroup = false
[${cri}.cni]
  bin_dir = "${cni}"
  conf_dir = "${networks}"
`;
}

function bridge(folder: string): object {
  const ranges = [[{ subnet: '10.88.77.0/24' }]];
  const ipam = { type: 'host-local', ranges, routes: [{ dst: '0.0.0.0/0' }], dataDir: join(folder, 'addresses') };
  const network = { type: 'bridge', bridge: 'driftless0', isGateway: true, ipMasq: false, ipam };
  return { cniVersion: '0.4.0', name: 'driftless', plugins: [network] };
}
