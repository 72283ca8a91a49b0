import {
  daemonPodSpec,
  REVISION_HASH_LABEL,
  targetNodeName,
} from '../../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import { nodeShouldRunDaemonPod } from '../../../lambdas/controllers/daemonset/nodeShouldRunDaemonPod.ts';
import { allowsSurge, updateBounds } from '../../../lambdas/controllers/daemonset/updateBounds.ts';
import { templateOf } from '../../../lambdas/controllers/history/templatePatch.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ControllerRevision, DaemonSet, Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { templatesEqual } from '../../../lambdas/objects/pods/podTemplateHash.ts';
import { isPodReady } from '../../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from '../World.ts';

/** Each node that fits has one pod of the newest revision, which is ready, unless no more can be replaced; the others have none, but for those where a pod may stay; and the status and the history say so. */
export function unfinishedDaemonSet(world: World): string | undefined {
  for (const daemonSet of world.daemonSets()) {
    const wrong = wrongHistory(world, daemonSet) ?? wrongPods(world, daemonSet) ?? wrongStatus(world, daemonSet);
    if (wrong !== undefined) return `${nameOf(daemonSet)} ${wrong}`;
  }
  return undefined;
}

function revisionsOf(world: World, { metadata }: DaemonSet): readonly ControllerRevision[] {
  const own = world.all<ControllerRevision>('ControllerRevision');
  return own.filter((one) => controllerOf(one)?.uid === metadata.uid).sort((a, b) => a.revision - b.revision);
}

function wrongHistory(world: World, daemonSet: DaemonSet): string | undefined {
  const revisions = revisionsOf(world, daemonSet);
  const templates = revisions.map(templateOf);
  const numbers = revisions.map(({ revision }) => revision);
  if (!templatesEqual(templates.at(-1), daemonSet.spec?.template)) return `has no revision of its template`;
  if (templates.some((one, nth) => templates.slice(nth + 1).some((other) => templatesEqual(one, other))))
    return `has several revisions of one template: ${numbers.join(', ')}`;
  // Two old ones may share a number: one of them was created late, by a sync that had stood still, and the controller numbers only the current one anew. So does Kubernetes.
  if (numbers.at(-1) === numbers.at(-2)) return `has several newest revisions: ${numbers.join(', ')}`;
  const limit = daemonSet.spec?.revisionHistoryLimit ?? 10;
  return revisions.length > limit + 1 ? `keeps ${revisions.length} revisions` : undefined;
}

function wrongPods(world: World, daemonSet: DaemonSet): string | undefined {
  const hash = newestHash(world, daemonSet);
  const spec = daemonPodSpec(daemonSet);
  const pods = world.podsOf(daemonSet.metadata.uid);
  const nodes = world.all<Node>('Node');
  const mayBeOld = isHeldUp(world, daemonSet);
  for (const node of nodes) {
    const { name } = node.metadata;
    const its = pods.filter((pod) => targetNodeName(pod) === name);
    const { shouldRun, shouldContinueRunning } = nodeShouldRunDaemonPod(spec, node);
    const most = !shouldContinueRunning ? 0 : !shouldRun && waitsToReplace(daemonSet, its, hash) ? 2 : 1;
    if (its.length > most) return `has ${its.length} pods on ${name}`;
    if (shouldRun && !its.some((pod) => isPodReady(pod) && (mayBeOld || isOf(hash, pod))))
      return `has no ready pod of its newest revision on ${name}`;
  }
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  const stranded = pods.find((pod: Pod) => !names.has(targetNodeName(pod) ?? ''));
  return stranded && `has ${nameOf(stranded)} on a node that is gone`;
}

/** A surge pod was made for a node that takes no new pods since then: it waits there beside the old one, which stays as long as no new one is ready. So does Kubernetes. */
function waitsToReplace(daemonSet: DaemonSet, pods: readonly Pod[], hash: string | undefined): boolean {
  const [ofNew, ofOld] = [pods.find((pod) => isOf(hash, pod)), pods.find((pod) => !isOf(hash, pod))];
  const [newReady, oldReady] = [ofNew, ofOld].map((pod) => pod && isPodReady(pod));
  return allowsSurge(daemonSet) && newReady === false && oldReady === true;
}

/**
 * New pods were made for nodes that take no new pods since then. They wait there, count as unavailable, and are as many as may be: without a surge no old pod is replaced any more. So it is in Kubernetes.
 */
function isHeldUp(world: World, daemonSet: DaemonSet): boolean {
  const hash = newestHash(world, daemonSet);
  const spec = daemonPodSpec(daemonSet);
  const pods = world.podsOf(daemonSet.metadata.uid);
  const places = world.all<Node>('Node').map((node) => ({ node, ...nodeShouldRunDaemonPod(spec, node) }));
  const waiting = places.filter(({ node, shouldRun, shouldContinueRunning }) => {
    const its = pods.filter((pod) => targetNodeName(pod) === node.metadata.name);
    return !shouldRun && shouldContinueRunning && its.some((pod) => isOf(hash, pod) && !isPodReady(pod));
  });
  const { maxUnavailable } = updateBounds(daemonSet, places.filter(({ shouldRun }) => shouldRun).length);
  return !allowsSurge(daemonSet) && waiting.length > 0 && waiting.length >= maxUnavailable;
}

function newestHash(world: World, daemonSet: DaemonSet): string | undefined {
  return revisionsOf(world, daemonSet).at(-1)?.metadata.labels?.[REVISION_HASH_LABEL];
}

function isOf(hash: string | undefined, { metadata }: Pod): boolean {
  return metadata.labels?.[REVISION_HASH_LABEL] === hash;
}

function wrongStatus(world: World, daemonSet: DaemonSet): string | undefined {
  const spec = daemonPodSpec(daemonSet);
  const desired = world.all<Node>('Node').filter((node) => nodeShouldRunDaemonPod(spec, node).shouldRun).length;
  const { status, metadata } = daemonSet;
  const counts = [
    status?.desiredNumberScheduled,
    status?.currentNumberScheduled,
    status?.numberReady,
    isHeldUp(world, daemonSet) ? desired : (status?.updatedNumberScheduled ?? 0),
    status?.numberAvailable ?? 0,
  ];
  const isRight = counts.every((count) => count === desired) && status?.observedGeneration === metadata.generation;
  return isRight ? undefined : `has the status ${JSON.stringify(status)} where ${desired} nodes fit`;
}
