import type { PodSpec } from 'kubernetes-types/core/v1.js';

/** A port of a node that a container takes. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY_IP = '0.0.0.0';

/** Returns the ports of its node that a pod takes: those of its containers and of its sidecars. Pure. */
export function hostPortsOf({ containers, initContainers = [] }: PodSpec): readonly HostPort[] {
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(containers ?? []), ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP, protocol }) =>
      hostPort > 0 ? [{ ip: hostIP || ANY_IP, protocol: protocol ?? 'TCP', port: hostPort }] : [],
    ),
  );
}

/** Whether both cannot be taken at the same time: `0.0.0.0` stands for every address. Pure. */
export function portsConflict(a: HostPort, b: HostPort): boolean {
  const sameAddress = a.ip === b.ip || a.ip === ANY_IP || b.ip === ANY_IP;
  return sameAddress && a.port === b.port && a.protocol === b.protocol;
}
