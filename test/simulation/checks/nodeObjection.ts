import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { nameOf } from '../World.ts';

/** Says what speaks against the pod on this node beside these pods, which have not ended; `undefined` if nothing does. Computed from the objects alone, for what the simulation draws. */
export function nodeObjection(pod: Pod, node: Node, others: readonly Pod[]): string | undefined {
  return refusal(pod, node) ?? shortage([...others, pod], node) ?? quarrel(pod, others);
}

/** Whether the node itself keeps the pod away. */
function refusal({ spec }: Pod, node: Node): string | undefined {
  const labels = node.metadata.labels ?? {};
  const missing = Object.entries(spec?.nodeSelector ?? {}).find(([key, value]) => labels[key] !== value);
  if (missing) return `which lacks the label ${missing[0]}`;
  if (isForAnother(spec, node)) return 'which is not the node that it is for';
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const taints = [...(node.spec?.taints ?? []), ...(node.spec?.unschedulable ? [cordon] : [])];
  const isTolerated = ({ key, effect }: { readonly key: string; readonly effect: string }) =>
    effect === 'PreferNoSchedule' ||
    spec?.tolerations?.some((one) => (one.key ?? key) === key && (one.effect ?? effect) === effect);
  const taint = taints.find((one) => !isTolerated(one));
  return taint && `whose taint ${taint.key} it does not tolerate`;
}

/** Whether the pod is one of a DaemonSet, each of which is for one node. */
function isForAnother(spec: Pod['spec'], { metadata }: Node): boolean {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const names = terms.flatMap(({ matchFields = [] }) => matchFields.flatMap(({ values = [] }) => values));
  return names.length > 0 && !names.includes(metadata.name);
}

function shortage(pods: readonly Pod[], { status }: Node): string | undefined {
  const most = Number(status?.allocatable?.['pods'] ?? 0);
  if (pods.length > most) return `which takes ${most} pods`;
  const asked = pods.reduce((sum, pod) => sum + milliCpu(pod), 0);
  const capacity = 1000 * Number(status?.allocatable?.['cpu'] ?? 0);
  return asked > capacity ? `whose pods ask for ${asked}m of its ${capacity}m CPUs` : undefined;
}

function quarrel(pod: Pod, others: readonly Pod[]): string | undefined {
  if (takesPort(pod) && others.some(takesPort)) return 'where another pod has its port';
  const enemy = others.find((other) => avoids(pod, other) || avoids(other, pod));
  return enemy && `beside ${nameOf(enemy)}, and one of them must not be with the other`;
}

/** Of one container that asks for `500m`, `1` or nothing. */
function milliCpu({ spec }: Pod): number {
  const asked = spec?.containers[0]?.resources?.requests?.['cpu'] ?? '0';
  return asked.endsWith('m') ? Number(asked.slice(0, -1)) : 1000 * Number(asked);
}

function takesPort({ spec }: Pod): boolean {
  return spec?.containers.some(({ ports = [] }) => ports.some(({ hostPort }) => hostPort !== undefined)) === true;
}

/** Whether the pod must not be on the node of the other, by the labels that its anti-affinity names. */
function avoids({ metadata, spec }: Pod, other: Pod): boolean {
  const terms = spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (metadata.namespace !== other.metadata.namespace) return false;
  return terms.some(({ labelSelector }) =>
    (labelSelector?.matchExpressions ?? []).every(({ key, values = [] }) =>
      values.includes(other.metadata.labels?.[key] ?? ''),
    ),
  );
}
