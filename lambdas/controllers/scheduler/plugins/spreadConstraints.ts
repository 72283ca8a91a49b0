import type { Taint, TopologySpreadConstraint } from 'kubernetes-types/core/v1.js';
import { compileLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import { withMatchLabelKeys } from '../framework/AffinityTerm.ts';
import { marksSelectedBy } from '../framework/marks.ts';
import type { NodeInfo } from '../framework/NodeInfo.ts';
import type { PodInfo } from '../framework/PodInfo.ts';
import { matchesRequiredNodeAffinity } from './nodeAffinity.ts';
import { tolerates } from './tolerates.ts';

/** A constraint of a pod, ready to be matched. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  /** Whether only nodes that the pod's selector and affinity allow are counted. */
  readonly honorsAffinity: boolean;
  /** Whether only nodes whose taints the pod tolerates are counted. */
  readonly honorsTaints: boolean;
  /** Every pod that is to be spread has these (see PodGroups). */
  readonly marks: readonly string[];
  /** Whether the pod is one of those that are to be spread. */
  readonly matches: (pod: PodInfo) => boolean;
}

/** Returns the pod's constraints of this kind. Pure. */
export function spreadConstraintsOf(
  { spec, labels, namespace }: PodInfo,
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway',
): readonly SpreadConstraint[] {
  return (spec.topologySpreadConstraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map((constraint) => compileConstraint(constraint, labels, namespace));
}

function compileConstraint(
  constraint: TopologySpreadConstraint,
  ownLabels: Readonly<Record<string, string>>,
  ownNamespace: string,
): SpreadConstraint {
  const { topologyKey, maxSkew, minDomains = 1, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  const selector = withMatchLabelKeys(constraint, ownLabels);
  const selects = compileLabelSelector(selector);
  return {
    topologyKey,
    maxSkew,
    minDomains,
    honorsAffinity: nodeAffinityPolicy !== 'Ignore',
    honorsTaints: nodeTaintsPolicy === 'Honor',
    marks: marksSelectedBy(selector),
    matches: ({ namespace, labels }) => namespace === ownNamespace && selects(labels),
  };
}

/** Counts the node's pods that the constraint means. Pods that are being deleted are gone soon, and do not count. Pure. */
export function countMatching({ pods: { groups } }: NodeInfo, { marks, matches }: SpreadConstraint): number {
  let matching = 0;
  for (const { sample, count } of groups.withMarks(marks))
    if (sample.pod.metadata.deletionTimestamp === undefined && matches(sample)) matching += count;
  return matching;
}

/** Whether the node's place counts for the constraint, by its `nodeAffinityPolicy` and `nodeTaintsPolicy`. Pure. */
export function isCounted(
  { spec }: PodInfo,
  { node }: NodeInfo,
  { honorsAffinity, honorsTaints }: SpreadConstraint,
): boolean {
  if (honorsAffinity && !matchesRequiredNodeAffinity(spec, node)) return false;
  return !honorsTaints || keepsAway(node.spec?.taints ?? []).every((taint) => tolerates(spec.tolerations, taint));
}

function keepsAway(taints: readonly Taint[]): readonly Taint[] {
  return taints.filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
}
