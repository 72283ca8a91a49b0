import type { Node, Pod } from '../../objects/kinds.ts';
import { stableInteger } from '../../objects/stableHash.ts';
import { nodeAffinity, requiredNodeNames } from './plugins/nodeAffinity.ts';
import { nodeUnschedulable } from './plugins/nodeUnschedulable.ts';
import { taintToleration } from './plugins/taintToleration.ts';

/** A node that takes so many pods is never full: no control plane holds as many. Simulated nodes are like that, so the pods on them need not be counted. */
export const BOUNDLESS_PODS = 1_000_000;

const PLUGINS = [nodeUnschedulable, taintToleration, nodeAffinity];

/** Whether the lists of nodes that were looked at take any number of plain pods. */
const known = new WeakMap<readonly Node[], boolean>();

/**
 * Chooses the node of a plain pod: one of those that fit, always the same for the same pod, with pods evenly spread. `undefined` if no node fits, or if the choice depends on the pods that the nodes have: then the scheduler
 * decides. Pure.
 */
export function choosePlainNode(pod: Pod, nodes: readonly Node[]): Node | undefined {
  const { spec = { containers: [] } } = pod;
  const names = requiredNodeNames(spec);
  const eligible = names ? nodes.filter(({ metadata }) => names.has(metadata.name)) : nodes;
  if (!takesPod(eligible)) return undefined;
  const filters = PLUGINS.flatMap(({ prepare }) => prepare({ spec }) ?? []);
  const fitting = eligible.filter((node) => filters.every((filter) => filter({ node }) === undefined));
  const sorted = fitting.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return sorted[stableInteger(pod.metadata.uid) % sorted.length];
}

/** Of a single node nothing but its room matters. */
function takesPod(nodes: readonly Node[]): boolean {
  const [only, ...others] = nodes;
  return only && others.length === 0 ? hasRoom(only) : takeAnyNumber(nodes);
}

function takeAnyNumber(nodes: readonly Node[]): boolean {
  const remembered = known.get(nodes);
  if (remembered !== undefined) return remembered;
  const all = nodes.every(isBoundless);
  known.set(nodes, all);
  return all;
}

/** A taint that is only to be avoided makes a difference between the nodes, which scores weigh. */
function isBoundless(node: Node): boolean {
  const isAvoided = node.spec?.taints?.some(({ effect }) => effect === 'PreferNoSchedule');
  return !isAvoided && hasRoom(node);
}

function hasRoom({ status }: Node): boolean {
  return Number(status?.allocatable?.['pods'] ?? 0) >= BOUNDLESS_PODS;
}
