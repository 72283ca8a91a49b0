import type { Node, Pod } from '../../objects/kinds.ts';
import { boundlessResources } from '../../objects/nodes/boundlessResources.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';
import { allocatedSpec, isResizing, RESIZE_IN_PROGRESS, type ResizeCondition } from '../../objects/pods/podResize.ts';
import { podAmounts } from '../../objects/quantities/quota.ts';
import { parseAmounts, type ResourceAmounts } from '../../objects/quantities/resourceAmounts.ts';

/** What a kubelet does next about the resources of a running pod. */
export type Resize =
  /** The containers have what the spec asks for. */
  | { readonly step: 'none' }
  /** The node cannot give it. `Infeasible`: it never can. `Deferred`: other pods have it now. */
  | { readonly step: 'pending'; readonly reason: 'Infeasible' | 'Deferred'; readonly message: string }
  /** The node sets it aside. */
  | { readonly step: 'allocate' }
  /** The containers get what was set aside. */
  | { readonly step: 'actuate' };

/** In the order in which a kubelet looks: it names the last of them that is too small for a pod at all, and the first that other pods have. */
const RESOURCES = ['cpu', 'memory'] as const;

/**
 * Decides about a resize as the kubelet's allocation manager and its admission handlers do. `neighbours`: the pods of the same node. A node that is not known, or that does not say what it has, can give everything.
 * Pure.
 */
export function decideResize(pod: Pod, node: Node | undefined, neighbours: readonly Pod[]): Resize {
  if (!isResizing(pod)) return { step: 'none' };
  const inProgress: ResizeCondition | undefined = podConditionOf(pod, RESIZE_IN_PROGRESS);
  if (inProgress?.observedGeneration === pod.metadata.generation) return { step: 'actuate' };
  const capacity = parseAmounts(node?.status?.allocatable);
  const requested = podAmounts(pod.spec ?? { containers: [] }, 'requests');
  const impossible = RESOURCES.findLast((name) => isMore(name, amountOf(requested, name), capacity));
  if (impossible !== undefined) {
    const [wanted, most] = [amountOf(requested, impossible), amountOf(capacity, impossible)];
    const message = `Node didn't have enough capacity: ${impossible}, requested: ${wanted}, capacity: ${most}`;
    return { step: 'pending', reason: 'Infeasible', message };
  }
  const boundless = node ? boundlessResources(node) : new Set();
  const others = neighbours.filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
  for (const name of RESOURCES) {
    if (boundless.has(name)) continue;
    const wanted = amountOf(requested, name);
    const used = others.reduce((sum, one) => sum + amountOf(podAmounts(allocatedSpec(one), 'requests'), name), 0n);
    if (wanted === 0n || !isMore(name, wanted + used, capacity)) continue;
    const message = `Node didn't have enough resource: ${name}, requested: ${wanted}, used: ${used}, capacity: ${amountOf(capacity, name)}`;
    return { step: 'pending', reason: 'Deferred', message };
  }
  return { step: 'allocate' };
}

function isMore(name: (typeof RESOURCES)[number], amount: bigint, capacity: ResourceAmounts): boolean {
  return capacity[name] !== undefined && amount > amountOf(capacity, name);
}

/** In thousandths of a core, and in bytes. Fractions count as one. */
function amountOf(amounts: ResourceAmounts, name: (typeof RESOURCES)[number]): bigint {
  const unit = name === 'cpu' ? 1_000_000n : 1_000_000_000n;
  const nanos = amounts[name]?.nanos ?? 0n;
  return (nanos + unit - 1n) / unit;
}
