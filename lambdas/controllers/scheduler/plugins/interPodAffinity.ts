import type { AffinityTerm } from '../framework/AffinityTerm.ts';
import type { NodeInfo } from '../framework/NodeInfo.ts';
import { type FilterPlugin, MAX_NODE_SCORE, type Misfit, type ScorePlugin } from '../framework/Plugin.ts';
import type { PodInfo } from '../framework/PodInfo.ts';
import type { Snapshot } from '../framework/Snapshot.ts';
import { TopologyCounts } from '../framework/TopologyCounts.ts';

const AFFINITY: Misfit = { reasons: ["node(s) didn't match pod affinity rules"], isResolvable: false };
const ANTI_AFFINITY: Misfit = { reasons: ["node(s) didn't match pod anti-affinity rules"], isResolvable: true };
const EXISTING: Misfit = { reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"], isResolvable: true };

/** Keeps pods together, or apart, by where other pods are: by what the pod requires of others, and by what others require of it. */
export const interPodAffinity: FilterPlugin = {
  name: 'InterPodAffinity',
  prepare(pod, cluster) {
    const { requiredAffinity, requiredAntiAffinity } = pod.terms;
    const repelled = placesOfRepellingPods(pod, cluster);
    if (requiredAffinity.length + requiredAntiAffinity.length === 0 && repelled.isEmpty) return undefined;
    const near = placesOfPods(cluster, requiredAffinity, (other) => meansAll(requiredAffinity, other, cluster));
    const far = placesOfPods(cluster, requiredAntiAffinity, () => true);
    // The first pod of a group that wants to be together finds nobody: it may start the group anywhere.
    const isFirst = near.isEmpty && meansAll(requiredAffinity, pod, cluster);
    return (node) => {
      if (!isNear(node, requiredAffinity, near, isFirst)) return AFFINITY;
      if (requiredAntiAffinity.some(({ topologyKey }) => far.at(node, topologyKey) > 0)) return ANTI_AFFINITY;
      return repelled.isAnyAt(node) ? EXISTING : undefined;
    };
  },
};

/** How much a required affinity of another pod counts for this one: Kubernetes' `HardPodAffinityWeight`. */
const HARD_POD_AFFINITY_WEIGHT = 1;

/** Prefers the nodes that pods would like to share, and those that they would not like least: by what the pod prefers, and by what others prefer or require of it. */
export const interPodAffinityScore: ScorePlugin = {
  name: 'InterPodAffinity',
  weight: 2,
  score(pod, nodes, cluster) {
    const { preferredAffinity, preferredAntiAffinity } = pod.terms;
    if (!cluster.areAnyTerms && preferredAffinity.length + preferredAntiAffinity.length === 0) return undefined;
    const counts = new TopologyCounts();
    for (const node of cluster.nodes) weighNode(pod, node, cluster, counts);
    if (counts.isEmpty) return undefined;
    const sums = nodes.map((node) => counts.sumAt(node));
    const least = Math.min(0, ...sums);
    const range = Math.max(0, ...sums) - least;
    return sums.map((sum) => (range === 0 ? 0 : Math.floor((MAX_NODE_SCORE * (sum - least)) / range)));
  },
};

/** Whether the node is in a place, for each of the terms, that has pods of all of the terms. */
function isNear(node: NodeInfo, terms: readonly AffinityTerm[], near: TopologyCounts, isFirst: boolean): boolean {
  const hasKeys = terms.every(({ topologyKey }) => Object.hasOwn(node.labels, topologyKey));
  return hasKeys && (isFirst || terms.every(({ topologyKey }) => near.at(node, topologyKey) > 0));
}

function meansAll(terms: readonly AffinityTerm[], pod: PodInfo, cluster: Snapshot): boolean {
  return terms.every((term) => term.matches(pod, cluster.labelsOf(pod.namespace)));
}

/** Counts the pods that the terms mean, by the places of their nodes. */
function placesOfPods(
  cluster: Snapshot,
  terms: readonly AffinityTerm[],
  isMeant: (pod: PodInfo) => boolean,
): TopologyCounts {
  const places = new TopologyCounts();
  if (terms.length === 0) return places;
  for (const node of cluster.nodes)
    for (const term of terms)
      for (const { sample, count } of node.pods.groups.withMarks(term.marks))
        if (isMeant(sample) && term.matches(sample, cluster.labelsOf(sample.namespace)))
          places.add(node, term.topologyKey, count);
  return places;
}

/** Counts the terms by which pods keep this one away, by the places of their nodes. */
function placesOfRepellingPods(pod: PodInfo, cluster: Snapshot): TopologyCounts {
  const places = new TopologyCounts();
  if (!cluster.areAnyTerms) return places;
  const labels = cluster.labelsOf(pod.namespace);
  for (const node of cluster.nodes)
    for (const { sample, count } of node.pods.groups.withTermsFor(pod))
      for (const term of sample.terms.requiredAntiAffinity)
        if (term.matches(pod, labels)) places.add(node, term.topologyKey, count);
  return places;
}

/** Adds what speaks for and against being where the pods of this node are: by what the pod prefers of them, and by what they prefer or require of it. */
function weighNode(pod: PodInfo, node: NodeInfo, cluster: Snapshot, counts: TopologyCounts): void {
  const { preferredAffinity, preferredAntiAffinity } = pod.terms;
  for (const term of preferredAffinity) weighPreferred(term, 1, node, cluster, counts);
  for (const term of preferredAntiAffinity) weighPreferred(term, -1, node, cluster, counts);
  if (!cluster.areAnyTerms) return;
  const labels = cluster.labelsOf(pod.namespace);
  for (const { sample, count } of node.pods.groups.withTermsFor(pod))
    for (const { term, weight } of termsWeighed(sample))
      if (term.matches(pod, labels)) counts.add(node, term.topologyKey, weight * count);
}

function weighPreferred(
  term: AffinityTerm,
  sign: 1 | -1,
  node: NodeInfo,
  cluster: Snapshot,
  counts: TopologyCounts,
): void {
  for (const { sample, count } of node.pods.groups.withMarks(term.marks))
    if (term.matches(sample, cluster.labelsOf(sample.namespace)))
      counts.add(node, term.topologyKey, sign * term.weight * count);
}

/** What a pod says of those that come after it. */
function termsWeighed({ terms }: PodInfo): readonly { readonly term: AffinityTerm; readonly weight: number }[] {
  return [
    ...terms.requiredAffinity.map((term) => ({ term, weight: HARD_POD_AFFINITY_WEIGHT })),
    ...terms.preferredAffinity.map((term) => ({ term, weight: term.weight })),
    ...terms.preferredAntiAffinity.map((term) => ({ term, weight: -term.weight })),
  ];
}
