import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { selectsCandidates } from '../../objects/indexes.ts';
import { jsonEqual, mapsEqual } from '../../objects/json.ts';
import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { DaemonSet, Node } from '../../objects/kinds.ts';
import { matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { CONTROLLER_REVISIONS } from '../history/claimRevisions.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { daemonPodSpec } from './daemonPodTemplate.ts';
import { nodeShouldRunDaemonPod } from './nodeShouldRunDaemonPod.ts';

export const DAEMON_SETS = 'daemonsets.apps';

type Keys = readonly KeyToSend[] | Promise<readonly KeyToSend[]>;

/** Returns the keys that a change concerns: Kubernetes' event handlers for DaemonSets, their revisions, pods and nodes. A pod that has a controller needs no read, nor does a node whose labels and taints stay. */
export function keysForChange(registry: RegistryReader, change: Change): Keys {
  switch (change.resource) {
    case DAEMON_SETS:
      return [keyTo(subjectOf(change).metadata)];
    case 'nodes':
      return keysOfNode(registry, change as { readonly before?: Node; readonly after?: Node });
    case 'pods':
    case CONTROLLER_REVISIONS:
      return keysOfOwned(registry, change);
    default:
      return [];
  }
}

/** A pod or a revision leads to its DaemonSet by name. If another one has that name by now, its sync finds nothing to do. */
function keysOfOwned(registry: RegistryReader, { before, after }: Change): Keys {
  if (before?.metadata.resourceVersion === after?.metadata.resourceVersion) return [];
  const [was, is] = [before, after].map((object) => object && controllerOf(object));
  const known = dedupe([...keysOfController(before, was), ...keysOfController(after, is)]);
  if (!after || is || after.metadata.deletionTimestamp !== undefined) return known;
  const isNews = !before || was !== undefined || !mapsEqual(before.metadata.labels, after.metadata.labels);
  if (!isNews) return known;
  return keysOfSelectingDaemonSets(registry, after).then((selecting) => dedupe([...known, ...selecting]));
}

function keysOfController(
  object: KubernetesObject | undefined,
  controller: OwnerReference | undefined,
): readonly KeyToSend[] {
  return object && controller?.kind === 'DaemonSet' ? [keyTo({ ...object.metadata, name: controller.name })] : [];
}

/** Returns the keys of all DaemonSets that might adopt the orphan: `GetPodDaemonSets` and `GetHistoryDaemonSets`. */
async function keysOfSelectingDaemonSets(
  registry: RegistryReader,
  { metadata }: KubernetesObject,
): Promise<readonly KeyToSend[]> {
  const { namespace = '', labels } = metadata;
  const lists = await Promise.all(
    selectsCandidates(labels).map((value) =>
      registry.list<DaemonSet>(DAEMON_SETS, { namespace, index: { name: 'selects', value } }),
    ),
  );
  const daemonSets = lists.flatMap(({ items }) => items);
  return daemonSets
    .filter(({ spec }) => matchesLabelSelector(spec?.selector, labels))
    .map((daemonSet) => keyTo(daemonSet.metadata));
}

/** A node concerns those DaemonSets that judge it differently now: `addNode` and `updateNode`. Kubernetes does not look at nodes that are deleted, so its counts follow later. */
function keysOfNode(
  registry: RegistryReader,
  { before, after }: { readonly before?: Node; readonly after?: Node },
): Keys {
  if (before && after && shouldIgnoreNodeUpdate(before, after)) return [];
  return registry
    .list<DaemonSet>(DAEMON_SETS)
    .then(({ items }) =>
      items
        .filter((daemonSet) => !jsonEqual(verdictOf(daemonSet, before), verdictOf(daemonSet, after)))
        .map(({ metadata }) => keyTo(metadata)),
    );
}

/** True if neither the labels nor the taints of the node have changed: its heartbeats and conditions do not matter. Kubernetes' function of this name. */
function shouldIgnoreNodeUpdate(before: Node, after: Node): boolean {
  return mapsEqual(before.metadata.labels, after.metadata.labels) && jsonEqual(before.spec?.taints, after.spec?.taints);
}

function verdictOf(daemonSet: DaemonSet, node: Node | undefined) {
  if (!node) return { shouldRun: false, shouldContinueRunning: false };
  const { shouldRun, shouldContinueRunning } = nodeShouldRunDaemonPod(daemonPodSpec(daemonSet), node);
  return { shouldRun, shouldContinueRunning };
}

function keyTo({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): KeyToSend {
  return { key: { controller: 'daemonset', namespace, name } };
}

function dedupe(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  return [...new Map(keys.map((key) => [key.key.name, key])).values()];
}
