import type { Pod } from '../../objects/kinds.ts';
import { volumeBoundTo } from '../persistentvolume/boundPair.ts';
import type { ClusterPods } from './framework/ClusterPods.ts';
import type { FilterPluginName } from './framework/Plugin.ts';
import { type PodInfo, podInfoOf } from './framework/PodInfo.ts';
import type { AssumedVolumes, Snapshot } from './framework/Snapshot.ts';
import { withSelectedNode } from './framework/Volumes.ts';
import { repelsPods } from './keysForChange.ts';
import { type PodDecision, schedulePod } from './schedulePod.ts';
import type { DisruptionBudget } from './selectVictimsOnNode.ts';

export interface ScheduleInput {
  /** Those that the cluster was made of. */
  readonly pods: ClusterPods;
  readonly cluster: Snapshot;
  readonly budgets: readonly DisruptionBudget[];
  /** Whether a pod is bound by the sync that starts it, and is no concern of this one. */
  readonly isLeft: (pod: Pod) => boolean;
  /** Whether no other process binds plain pods any more, so that a pod may keep others away. */
  readonly mayRepel: boolean;
  /** The most pods that are decided about. */
  readonly limit: number;
}

/** What is to be done about the pods that wait. */
export interface Schedule {
  readonly decisions: readonly { readonly pod: PodInfo; readonly decided: PodDecision }[];
  /** The pods whose scheduling gates are not removed yet. */
  readonly gated: readonly Pod[];
  /** Whether there are pods with a required anti-affinity, which plain pods must heed. */
  readonly repels: boolean;
  /** Pods that have to wait until no other process binds plain pods. */
  readonly held: number;
  /** Pods beyond the limit. */
  readonly left: number;
  /** The plugins that the waiting pods wait for; `undefined` if no pod waits. */
  readonly waitsFor: ReadonlySet<FilterPluginName> | undefined;
}

/** Decides about all pods that wait, the most important first; each sees what was decided for those before it. `input.cluster` is afterwards without the pods that were decided about. */
export function decideSchedule(input: ScheduleInput): Schedule {
  const pending = input.pods.pending.filter((pod) => !input.isLeft(pod));
  const gated = pending.filter(({ spec }) => (spec?.schedulingGates ?? []).length > 0);
  const free = pending.filter((pod) => !gated.includes(pod));
  const ready = free.filter((pod) => input.mayRepel || !repelsPods(pod)).map(podInfoOf);
  const decisions = ready
    .toSorted(mostUrgentFirst)
    .slice(0, input.limit)
    .map((pod) => ({ pod, decided: decideOne(pod, input) }));
  input.cluster.forgetAssumed();
  const waiting = decisions.flatMap(({ decided }) => waitsFor(decided));
  return {
    decisions,
    gated,
    repels: input.pods.areAnyRepelling,
    held: free.length - ready.length,
    left: ready.length - decisions.length,
    waitsFor: waiting.length === 0 ? undefined : new Set(waiting.flat()),
  };
}

function decideOne(pod: PodInfo, { cluster, budgets }: ScheduleInput): PodDecision {
  const decided = schedulePod(pod, cluster, budgets);
  if (decided.decision === 'wait') cluster.nominate(pod, decided.nominatedNodeName);
  else {
    cluster.nominate(pod, '');
    if (decided.decision === 'provision') cluster.assumeVolumes(assumedVolumes(decided));
    cluster.assumePod(pod, decided.node.metadata.name);
  }
  return decided;
}

/** The claims and volumes as they will be: no other pod may get the same volumes. */
function assumedVolumes({ volumes, node }: Extract<PodDecision, { decision: 'provision' }>): AssumedVolumes {
  return {
    claims: volumes.provisions.map((claim) => withSelectedNode(claim, node.metadata.name)),
    volumes: volumes.bindings.map(({ volume, claim }) => volumeBoundTo(volume, claim)),
  };
}

function waitsFor(decided: PodDecision): readonly (readonly FilterPluginName[])[] {
  switch (decided.decision) {
    case 'bind':
      return [];
    case 'provision':
      return [['VolumeBinding']];
    case 'wait':
      return [decided.waitsFor];
    default:
      return decided satisfies never;
  }
}

/** Kubernetes' `PrioritySort`: the higher priority, then the older pod. */
function mostUrgentFirst(a: PodInfo, b: PodInfo): number {
  const ageOf = ({ pod: { metadata } }: PodInfo) =>
    `${metadata.creationTimestamp}/${metadata.namespace}/${metadata.name}`;
  return b.priority - a.priority || (ageOf(a) < ageOf(b) ? -1 : 1);
}
