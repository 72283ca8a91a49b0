import { portsConflict } from '../framework/HostPort.ts';
import type { FilterPlugin, Misfit } from '../framework/Plugin.ts';

const MISFIT: Misfit = {
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  isResolvable: true,
};

/** Keeps pods from nodes on which another pod has a port that they ask for. */
export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  prepare({ hostPorts }) {
    if (hostPorts.length === 0) return undefined;
    return ({ pods }) => {
      const taken = pods.all.flatMap((pod) => pod.hostPorts);
      return hostPorts.some((port) => taken.some((other) => portsConflict(port, other))) ? MISFIT : undefined;
    };
  },
};
