import { stuckPods } from '../../explain/stuckPods.ts';
import { podsOf } from '../claim/candidatePods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import { type DaemonNode, daemonNodes, type DaemonWorld, isAvailable, isPodUpdated } from './DaemonNodes.ts';
import { memoryOf } from './commitDaemonPods.ts';
import { decideHistory, hashOf } from './decideHistory.ts';
import { manageDaemons } from './manageDaemons.ts';
import type { NodeMisfit } from './nodeShouldRunDaemonPod.ts';
import { updateBounds } from './updateBounds.ts';
import { sortControllerRevisions } from '../history/sortControllerRevisions.ts';
import { reasonInWords } from './daemonSetReasons.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { ControllerRevision, DaemonSet, Node, Pod } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import { durationInWords } from '../../explain/durationInWords.ts';
import type { DecisionExplanation } from '../../explain/Explanation.ts';

/** What an explanation of a DaemonSet goes by. */
export interface DaemonFacts {
  readonly daemonSet: DaemonSet;
  readonly nodes: readonly Node[];
  /** Those that it controls. */
  readonly pods: readonly Pod[];
  readonly revisions: readonly ControllerRevision[];
  /** That of its key. */
  readonly intent: Intent | undefined;
  readonly nowMs: number;
}

/** So many nodes or pods are named; the others are counted. */
const MOST_NAMED = 5;

/** Why each node has a pod of the DaemonSet or none, and what an update waits for: what is stored, and what its controller would decide now. Writes nothing. */
export function explainDaemonSet(facts: DaemonFacts): DecisionExplanation {
  const world = worldOf(facts);
  const plan = manageDaemons(world);
  return {
    summary: [...summaryLines(world), ...nodesWithoutPod(world)],
    why: plan.why.map(reasonInWords),
    waitsFor: [
      ...waits(world),
      ...(plan.retryInMs === undefined
        ? []
        : [`until a failed pod may be replaced, in ${durationInWords(plan.retryInMs)}`]),
    ],
  };
}

function worldOf({ daemonSet, nodes, pods, revisions, intent, nowMs }: DaemonFacts): DaemonWorld {
  const own = revisions.filter((revision) => controllerOf(revision)?.uid === daemonSet.metadata.uid);
  const { current } = decideHistory(daemonSet, sortControllerRevisions(own));
  const failedPods = intent?.ownerUid === daemonSet.metadata.uid ? memoryOf(intent).failedPods : undefined;
  return {
    daemonSet,
    hash: current ? hashOf(current) : 'none',
    nodes: daemonNodes(daemonSet, nodes, pods),
    failedPods,
    nowMs,
  };
}

function summaryLines(world: DaemonWorld): string[] {
  const { daemonSet, nodes, hash } = world;
  const fitting = nodes.filter(({ shouldRun }) => shouldRun);
  const count = (holds: (pod: Pod) => boolean) => fitting.filter(({ pods }) => pods.slice(0, 1).some(holds)).length;
  const counts = [
    `${count(() => true)} have one`,
    `${count((pod) => isAvailable(world, pod))} an available one`,
    `${count((pod) => isPodUpdated(pod, hash))} one of the newest template`,
  ];
  return [
    `${fitting.length} of ${nodes.filter(({ exists }) => exists).length} nodes should run a pod: ${counts.join(', ')}`,
    strategyLine(daemonSet, fitting.length),
  ];
}

function strategyLine(daemonSet: DaemonSet, desired: number): string {
  const { type, rollingUpdate = {} } = daemonSet.spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return `its update strategy is ${type}`;
  const { maxSurge, maxUnavailable } = updateBounds(daemonSet, desired);
  const inNodes = (given: number | string | undefined, nodes: number) =>
    given === nodes ? `${nodes}` : `${given ?? 0}, which is ${nodes}`;
  return `its update strategy is RollingUpdate: maxUnavailable ${inNodes(rollingUpdate.maxUnavailable, maxUnavailable)}; maxSurge ${inNodes(rollingUpdate.maxSurge, maxSurge)}`;
}

/** A line for each reason for which nodes get no pod, with the nodes that it concerns. */
function nodesWithoutPod({ nodes }: DaemonWorld): string[] {
  const byReason = new Map<string, string[]>();
  for (const { name, why } of nodes) {
    if (!why) continue;
    const reason = misfitInWords(why);
    byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  return [...byReason].map(([reason, names]) => `no pod is wanted on ${listed(names)}: ${reason}`);
}

function misfitInWords(why: NodeMisfit): string {
  switch (why.misfit) {
    case 'otherNodeName':
      return `the template names another node, ${why.nodeName}`;
    case 'affinity':
      return "the labels do not match the template's nodeSelector and required node affinity";
    case 'taint':
      return `the template does not tolerate the taint {${why.taint.key}: ${why.taint.value ?? ''}} ${why.taint.effect}`;
  }
}

function waits(world: DaemonWorld): string[] {
  const waiting = world.nodes.flatMap((node) => node.pods.flatMap((pod) => waitOf(world, node, pod)));
  const more = waiting.length - MOST_NAMED;
  return [...waiting.slice(0, MOST_NAMED), ...(more > 0 ? [`for ${more} other pods`] : [])];
}

/** What is waited for at one pod; nothing for a pod that is available and stays. */
function waitOf(world: DaemonWorld, node: DaemonNode, pod: Pod): readonly string[] {
  const { name, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) return [`until pod ${name} on ${node.name} is gone, which is being deleted`];
  if (pod.status?.phase === 'Failed') return [];
  if (!pod.spec?.nodeName) return [`until the scheduler binds pod ${name} to ${node.name}`];
  if (isAvailable(world, pod)) return onDelete(world, node, pod);
  return [`until pod ${name} on ${node.name} is available`];
}

function onDelete({ daemonSet, hash }: DaemonWorld, node: DaemonNode, pod: Pod): readonly string[] {
  const isLeft = daemonSet.spec?.updateStrategy?.type === 'OnDelete' && !isPodUpdated(pod, hash);
  return isLeft ? [`until somebody deletes the old pod ${pod.metadata.name} on ${node.name}`] : [];
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} other nodes`] : [])].join(', ');
}

/** Explains a DaemonSet and its pods. */
export async function explainDaemonSetAndPods(given: ExplainFacts): Promise<RoomExplanation> {
  const { registry, object, intent, nowMs } = given;
  const { namespace = '', name: ownerName, uid } = object.metadata;
  const index = { name: 'controller', value: uid, ownerName } as const;
  const [pods, revisions, nodes] = await Promise.all([
    podsOf(registry, object),
    registry.list<ControllerRevision>('controllerrevisions.apps', { namespace, index }),
    registry.list<Node>('nodes'),
  ]);
  const facts = { daemonSet: object, nodes: nodes.items, pods, revisions: revisions.items, intent, nowMs };
  return { daemonSet: explainDaemonSet(facts), stuckPods: stuckPods(pods) };
}
