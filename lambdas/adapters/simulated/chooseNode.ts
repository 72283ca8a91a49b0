import type { NodeSelectorRequirement, NodeSelectorTerm, Taint, Toleration } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { stableInteger } from './stableHash.ts';

export type NodeChoice = { readonly nodeName: string } | { readonly why: string };

/**
 * Chooses a node as the scheduler would: one of those that fit, always the same for the same pod, with pods evenly spread. It ignores how full nodes are. If none
 * fits, it says why in the scheduler's words. Pure.
 */
export function chooseNode(pod: Pod, nodes: readonly Node[]): NodeChoice {
  if (nodes.length === 0) return { why: 'no nodes available to schedule pods' };
  const misfits = new Map<string, number>();
  const fitting: string[] = [];
  for (const node of nodes) {
    const misfit = whyNot(pod, node);
    if (misfit === undefined) fitting.push(node.metadata.name);
    else misfits.set(misfit, (misfits.get(misfit) ?? 0) + 1);
  }
  const nodeName = fitting.sort()[stableInteger(pod.metadata.uid) % fitting.length];
  return nodeName === undefined ? { why: unschedulable(nodes.length, misfits) } : { nodeName };
}

function unschedulable(total: number, misfits: ReadonlyMap<string, number>): string {
  const reasons = [...misfits].map(([reason, count]) => `${count} ${reason}`).sort();
  const none = `0/${total} nodes are available`;
  return `${none}: ${reasons.join(', ')}. preemption: ${none}: ${total} Preemption is not helpful for scheduling.`;
}

/** Returns the first of the scheduler's filters that the node fails, in the scheduler's words; `undefined` if the pod fits. */
function whyNot(pod: Pod, node: Node): string | undefined {
  const { spec } = pod;
  const tolerations = spec?.tolerations ?? [];
  if (node.spec?.unschedulable && !tolerations.some((toleration) => tolerates(toleration, UNSCHEDULABLE)))
    return 'node(s) were unschedulable';
  const taint = taintsOf(node).find((candidate) => !tolerations.some((toleration) => tolerates(toleration, candidate)));
  if (taint) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  return matchesNode(pod, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const NOT_READY: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Returns the taints that keep pods away. A node that is not Ready has the taint that the node controller would add. */
function taintsOf(node: Node): Taint[] {
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
  const isReady = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return isReady || taints.some(({ key }) => key === NOT_READY.key) ? taints : [...taints, NOT_READY];
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '');
}

function matchesNode({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const selector = Object.entries(spec?.nodeSelector ?? {});
  if (!selector.every(([key, value]) => labels[key] === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** True if all requirements of the term hold. An empty term matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  return (
    matchExpressions.every((requirement) => meets(requirement, labels[requirement.key])) &&
    matchFields.every((requirement) => requirement.key === 'metadata.name' && meets(requirement, node.metadata.name))
  );
}

function meets({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
