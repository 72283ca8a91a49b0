import type { PodSpec } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { stableInteger } from '../../objects/stableHash.ts';
import { nodeAffinity, requiredNodeNames } from './plugins/nodeAffinity.ts';
import { nodeUnschedulable } from './plugins/nodeUnschedulable.ts';
import { taintToleration } from './plugins/taintToleration.ts';

/** A node that takes so many pods is never full: no control plane holds as many. Simulated nodes are like that, so the pods on them need not be counted. */
export const BOUNDLESS_PODS = 1_000_000;

const PLUGINS = [nodeUnschedulable, taintToleration, nodeAffinity];

/** What has been found in a list of nodes: those that fit pods which ask for this. Thousands of pods ask for the same, so that a pod costs the same with 5,000 nodes as with five. */
const known = new WeakMap<readonly Node[], Map<string, readonly Node[]>>();
/** So much is remembered of a list; then all of it is forgotten. */
const MOST_KNOWN = 1_000;

/**
 * Chooses the node of a plain pod: one of those that fit, always the same for the same pod, with pods evenly spread. `undefined` if no node fits, or if the choice depends on the pods that the nodes have: then the scheduler
 * decides. Pure.
 */
export function choosePlainNode({ spec, metadata }: Pod, nodes: readonly Node[]): Node | undefined {
  const asked = askedOf(spec);
  // The list of a single node is seldom seen twice.
  const fitting = nodes.length === 1 ? fittingNodes(asked, nodes) : rememberedNodes(asked, nodes);
  return fitting[stableInteger(metadata.uid) % fitting.length];
}

/** The part of a plain pod's spec by which nodes are chosen. */
function askedOf({ nodeSelector, tolerations, affinity }: Partial<PodSpec> = {}): PodSpec {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return {
    containers: [],
    ...(nodeSelector && { nodeSelector }),
    ...(tolerations && { tolerations }),
    ...(required && { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }),
  };
}

function rememberedNodes(asked: PodSpec, nodes: readonly Node[]): readonly Node[] {
  const found = known.get(nodes) ?? new Map<string, readonly Node[]>();
  known.set(nodes, found);
  const key = JSON.stringify(asked);
  const remembered = found.get(key);
  if (remembered) return remembered;
  const fitting = fittingNodes(asked, nodes);
  if (found.size >= MOST_KNOWN) found.clear();
  found.set(key, fitting);
  return fitting;
}

/** Returns the nodes that fit, by name; none if the scheduler has to decide. */
function fittingNodes(asked: PodSpec, nodes: readonly Node[]): readonly Node[] {
  const names = requiredNodeNames(asked);
  const eligible = names ? nodes.filter(({ metadata }) => names.has(metadata.name)) : nodes;
  if (!takesPod(eligible)) return [];
  const filters = PLUGINS.flatMap(({ prepare }) => prepare({ spec: asked }) ?? []);
  const fitting = eligible.filter((node) => filters.every((filter) => filter({ node }) === undefined));
  return fitting.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Of a single node nothing but its room matters. */
function takesPod(nodes: readonly Node[]): boolean {
  const [only, ...others] = nodes;
  return only && others.length === 0 ? hasRoom(only) : nodes.every(isBoundless);
}

/** A taint that is only to be avoided makes a difference between the nodes, which scores weigh. */
function isBoundless(node: Node): boolean {
  const isAvoided = node.spec?.taints?.some(({ effect }) => effect === 'PreferNoSchedule');
  return !isAvoided && hasRoom(node);
}

function hasRoom({ status }: Node): boolean {
  return Number(status?.allocatable?.['pods'] ?? 0) >= BOUNDLESS_PODS;
}
