import type { ControllerRevision, Pod, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodReady } from '../../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from '../World.ts';
import { ordinalOf, rangeOf } from '../checks/StatefulPods.ts';

/** Every StatefulSet has exactly the pods that it wants, ready, of the revisions that its partition asks for, and its status says so. It has lost no revision in use, and keeps no more old ones than its limit. */
export function unmetStatefulSet(world: World): string | undefined {
  for (const set of world.statefulSets()) {
    const pods = world.podsOf(set.metadata.uid);
    const wrong = wrongPods(set, pods) ?? wrongStatus(set, pods) ?? wrongRevisions(world, set, pods);
    if (wrong !== undefined) return `${nameOf(set)} ${wrong}`;
  }
  return undefined;
}

function wrongPods(set: StatefulSet, pods: readonly Pod[]): string | undefined {
  const { first, last } = rangeOf(set);
  const names = pods.map(({ metadata }) => metadata.name).toSorted();
  const wanted = Array.from({ length: last - first + 1 }, (_, nth) => `${set.metadata.name}-${first + nth}`);
  if (names.join() !== wanted.join()) return `has the pods ${names.join()} and wants ${wanted.join()}`;
  if (!pods.every(isPodReady)) return 'has pods that are not ready';
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type === 'OnDelete') return undefined;
  const isOld = (pod: Pod) => revisionOf(pod) !== set.status?.updateRevision;
  const old = pods.find((pod) => isOld(pod) && ordinalOf(pod) >= first + (rollingUpdate?.partition ?? 0));
  return old && `has an old revision in ${nameOf(old)}`;
}

function wrongStatus({ status }: StatefulSet, pods: readonly Pod[]): string | undefined {
  const { replicas, readyReplicas = 0, availableReplicas = 0, updatedReplicas = 0, updateRevision } = status ?? {};
  const updated = pods.filter((pod) => revisionOf(pod) === updateRevision).length;
  const counts = [replicas, readyReplicas, availableReplicas, updatedReplicas].join();
  const right = [pods.length, pods.length, pods.length, updated].join();
  return counts === right ? undefined : `has a wrong status: ${JSON.stringify(status)}`;
}

function wrongRevisions(world: World, set: StatefulSet, pods: readonly Pod[]): string | undefined {
  const { currentRevision = '', updateRevision = '' } = set.status ?? {};
  const revisions = world
    .all<ControllerRevision>('ControllerRevision')
    .filter((one) => controllerOf(one)?.uid === set.metadata.uid);
  const names = new Set(revisions.map(({ metadata }) => metadata.name));
  const lost = [currentRevision, updateRevision].find((name) => !names.has(name));
  if (lost !== undefined) return `has lost its revision ${lost}`;
  const live = new Set([currentRevision, updateRevision, ...pods.map(revisionOf)]);
  const old = revisions.filter(({ metadata }) => !live.has(metadata.name)).length;
  return old > (set.spec?.revisionHistoryLimit ?? 10) ? `keeps ${old} old revisions` : undefined;
}

function revisionOf({ metadata }: Pod): string {
  return metadata.labels?.['controller-revision-hash'] ?? '';
}
