import type { PodSpec } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { boundlessResources } from '../../objects/nodes/boundlessResources.ts';
import { stableInteger } from '../../objects/stableHash.ts';
import { allocatableOf, podRequests, type Resource } from './framework/Resource.ts';
import { nodeAffinity, requiredNodeNames } from './plugins/nodeAffinity.ts';
import { nodeUnschedulable } from './plugins/nodeUnschedulable.ts';
import { taintToleration } from './plugins/taintToleration.ts';

/** More pods than any control plane holds. A node that takes as many of a kind is never full of them, so the pods on it need not be counted. Simulated nodes are like that for pods that request nothing, and those whose capacity says so for others. */
export const BOUNDLESS_PODS = 1_000_000;

const PLUGINS = [nodeUnschedulable, taintToleration, nodeAffinity];

/** What has been found in a list of nodes: those that fit pods which ask for this. Thousands of pods ask for the same, so that a pod costs the same with 5,000 nodes as with five. */
const known = new WeakMap<readonly Node[], Map<string, readonly Node[]>>();
/** So much is remembered of a list; then all of it is forgotten. */
const MOST_KNOWN = 1_000;

/** What a plain pod asks for. */
interface Asked {
  /** The part of its spec by which nodes are chosen. */
  readonly spec: PodSpec;
  readonly requests: Resource;
}

/**
 * Chooses the node of a plain pod: one of those that fit, always the same for the same pod, with pods evenly spread. `undefined` if no node fits, or if the choice depends on the pods that the nodes have, since one of them
 * could become full: then the scheduler decides. Pure.
 */
export function choosePlainNode(pod: Pod, nodes: readonly Node[]): Node | undefined {
  const { metadata } = pod;
  const asked = { spec: askedOf(pod.spec), requests: podRequests(pod) };
  // The list of a single node is seldom seen twice.
  const fitting = nodes.length === 1 ? fittingNodes(asked, nodes) : rememberedNodes(asked, nodes);
  return fitting[stableInteger(metadata.uid) % fitting.length];
}

function askedOf({ nodeSelector, tolerations, affinity }: Partial<PodSpec> = {}): PodSpec {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return {
    containers: [],
    ...(nodeSelector && { nodeSelector }),
    ...(tolerations && { tolerations }),
    ...(required && { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }),
  };
}

function rememberedNodes(asked: Asked, nodes: readonly Node[]): readonly Node[] {
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
function fittingNodes({ spec, requests }: Asked, nodes: readonly Node[]): readonly Node[] {
  const names = requiredNodeNames(spec);
  const eligible = names ? nodes.filter(({ metadata }) => names.has(metadata.name)) : nodes;
  if (!takesPod(eligible, requests)) return [];
  const filters = PLUGINS.flatMap(({ prepare }) => prepare({ spec }) ?? []);
  const fitting = eligible.filter((node) => filters.every((filter) => filter({ node }) === undefined));
  return fitting.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Of a single node nothing but its room matters. */
function takesPod(nodes: readonly Node[], requests: Resource): boolean {
  const [only, ...others] = nodes;
  return only && others.length === 0 ? isBoundless(only, requests) : nodes.every((node) => isAsGood(node, requests));
}

/** A taint that is only to be avoided makes a difference between the nodes, which scores weigh. */
function isAsGood(node: Node, requests: Resource): boolean {
  const isAvoided = node.spec?.taints?.some(({ effect }) => effect === 'PreferNoSchedule');
  return !isAvoided && isBoundless(node, requests);
}

/** Whether no number of such pods fills the node, of each resource by itself: the node says so, or has so much. */
function isBoundless(node: Node, requests: Resource): boolean {
  const allocatable = allocatableOf(node);
  const boundless = boundlessResources(node);
  return Object.entries({ ...requests, pods: 1 }).every(
    ([resource, amount]) => (allocatable[resource] ?? 0) >= amount * (boundless.has(resource) ? 1 : BOUNDLESS_PODS),
  );
}
