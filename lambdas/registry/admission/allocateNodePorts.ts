import type { ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { invalid } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { fnv1a } from './fnv1a.ts';

/** The range of kube-apiserver's `--service-node-port-range`. */
const FIRST = 30_000;
const LAST = 32_767;

/** True for a Service whose ports are open on each node. */
export function needsNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

/**
 * Gives each port of a new Service that needs one a node port that no other Service has. Changes the draft. Returns Invalid for a port that the client chose and that is taken, or that
 * is out of range. Two Services that are created at the same time may get the same port; nothing here routes by it.
 */
export function allocateNodePorts(draft: KubernetesObject, others: readonly KubernetesObject[]): ApiError | undefined {
  const spec = draft['spec'] as ServiceSpec;
  if (!needsNodePorts(spec)) return undefined;
  const taken = new Set(others.flatMap((service) => nodePortsOf(service['spec'] as ServiceSpec | undefined)));
  for (const [index, { nodePort }] of (spec.ports ?? []).entries()) {
    const detail = nodePort ? refusal(nodePort, taken) : undefined;
    const field = `spec.ports[${index}].nodePort`;
    if (detail !== undefined)
      return invalid('Service', draft.metadata.name, [
        { type: 'FieldValueInvalid', field, badValue: nodePort, detail },
      ]);
  }
  chooseNodePorts(draft, taken);
  return undefined;
}

function refusal(port: number, taken: ReadonlySet<number>): string | undefined {
  if (port < FIRST || port > LAST)
    return `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`;
  return taken.has(port) ? 'provided port is already allocated' : undefined;
}

/** Gives each port without a node port the first free one after a number that depends on the Service and the port. Changes the draft. */
export function chooseNodePorts({ metadata, ...service }: KubernetesObject, taken: ReadonlySet<number>): void {
  const spec = service['spec'] as ServiceSpec;
  if (!needsNodePorts(spec)) return;
  const used = new Set([...taken, ...nodePortsOf(spec)]);
  for (const port of spec.ports ?? []) {
    if (port.nodePort) continue;
    port.nodePort = freePort(`${metadata.namespace}/${metadata.name}/${portKey(port)}`, used);
    used.add(port.nodePort);
  }
}

/** Lets the ports of a changed Service keep their node ports, unless the client says otherwise. A Service that needs none any more loses those that it had. Changes the draft. */
export function keepNodePorts(draft: KubernetesObject, old: KubernetesObject): void {
  const [spec, before] = [draft['spec'] as ServiceSpec, old['spec'] as ServiceSpec];
  const known = new Map((before.ports ?? []).map((port) => [portKey(port), port.nodePort]));
  for (const port of spec.ports ?? []) {
    const kept = known.get(portKey(port));
    if (needsNodePorts(spec)) {
      if (!port.nodePort && kept !== undefined) port.nodePort = kept;
    } else if (port.nodePort === kept) delete port.nodePort;
  }
}

function portKey({ port, protocol = 'TCP' }: ServicePort): string {
  return `${protocol}/${port}`;
}

function nodePortsOf(spec: ServiceSpec | undefined): number[] {
  return (spec?.ports ?? []).flatMap(({ nodePort }) => nodePort ?? []);
}

function freePort(seed: string, used: ReadonlySet<number>): number {
  const count = LAST - FIRST + 1;
  const start = fnv1a(seed) % count;
  for (let step = 0; step < count; step += 1) {
    const port = FIRST + ((start + step) % count);
    if (!used.has(port)) return port;
  }
  throw new Error('the range of node ports has no free port');
}
