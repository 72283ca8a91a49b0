import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs that run pods on a real node. Debian's packages have all but the kubelet: containerd, runc, containernetworking-plugins, busybox-static. */
export interface NodePrograms {
  readonly kubelet: string;
  readonly containerd: string;
  readonly ctr: string;
  readonly busybox: string;
  /** The folder of the CNI plugins. */
  readonly cni: string;
}

const CNI_FOLDERS = ['/usr/lib/cni', '/opt/cni/bin'];

/** Finds the programs of a node. Resolves to why there is none, in words, if something is missing. `KUBELET` names the kubelet, which is otherwise searched in the PATH. */
export function findNodePrograms(env: NodeJS.ProcessEnv): NodePrograms | { readonly missing: string } {
  if (process.platform !== 'linux') return { missing: 'a node needs Linux' };
  if (process.getuid?.() !== 0) return { missing: 'a kubelet needs root' };
  const find = (name: string) =>
    [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path));
  const cni = CNI_FOLDERS.find((folder) => existsSync(join(folder, 'bridge')));
  const found = {
    kubelet: env['KUBELET'] ?? find('kubelet'),
    containerd: find('containerd'),
    ctr: find('ctr'),
    runc: find('runc'),
    busybox: find('busybox'),
    cni,
  };
  const missing = Object.entries(found).flatMap(([name, path]) => (path && existsSync(path) ? [] : [name]));
  if (missing.length > 0) return { missing: `there is no ${missing.join(', no ')}` };
  return found as NodePrograms;
}
