import { jsonEqual } from '../../objects/json.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isPodTerminal, podConditionOf } from '../../objects/pods/podState.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { concernsScheduling } from '../scheduler/concernsScheduling.ts';
import { DEFAULT_SCHEDULER, isPending, isPlainPod } from '../scheduler/isPlainPod.ts';

export interface ChangeReaders {
  readonly registry: RegistryReader;
  /** Whether the pod controller binds this pod, which waits. */
  readonly isBoundAtStart: (pod: Pod) => boolean | Promise<boolean>;
}

/** Returns the keys of the pods to look at after a change of a pod or of a node. */
export function keysForChange(
  { registry, isBoundAtStart }: ChangeReaders,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  if (change.resource === 'nodes' && change.type === 'DELETED') return podsToLookAt(registry, undefined);
  if (change.type === 'DELETED') return [];
  if (change.resource === 'pods') {
    const { before, after } = change as { before?: Pod; after: Pod };
    if (before && !concernsRuntime(before, after)) return [];
    return isPending(after) ? keyUnlessForScheduler(after, isBoundAtStart) : [keyTo(after)];
  }
  if (change.resource !== 'nodes') return [];
  const { before, after } = change as { before?: Node; after: Node };
  if (before && isSimulatedNode(after) && !jsonEqual(before.status?.images, after.status?.images))
    return podsToLookAt(registry, after);
  if (before && !concernsScheduling(before, after)) return [];
  return podsToLookAt(registry, before?.spec?.providerID === after.spec?.providerID ? undefined : after);
}

/** A pod that waits for a decision of the scheduler is brought by the scheduler's own key. */
async function keyUnlessForScheduler(
  pod: Pod,
  isBoundAtStart: ChangeReaders['isBoundAtStart'],
): Promise<readonly KeyToSend[]> {
  return (await isBoundAtStart(pod)) ? [keyTo(pod)] : [];
}

/**
 * Whether a change of a pod concerns the runtime. A change of the status alone does not, and most changes are of that kind: the runtime wrote it itself, and has said when it wants to look again. The
 * exceptions are readiness gates, which are conditions that others set and a kubelet waits for, and a status that goes back.
 */
function concernsRuntime(before: Pod, after: Pod): boolean {
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return false;
  if (isBeingRemoved(before, after) || isBeingStarted(before, after)) return false;
  const isGated = (after.spec?.readinessGates?.length ?? 0) > 0;
  return (
    isGated ||
    hasGoneBack(before, after) ||
    !jsonEqual(before.spec, after.spec) ||
    !jsonEqual(metadataOf(before), metadataOf(after))
  );
}

/**
 * Whether a container that still runs is no longer ready, or runs again after it ended. A write that was under way for longer than its sync's lock lasts can do that, and nobody else will look at the
 * pod.
 */
function hasGoneBack(before: Pod, after: Pod): boolean {
  const earlier = new Map(before.status?.containerStatuses?.map((status) => [status.containerID, status]));
  return (after.status?.containerStatuses ?? []).some(({ containerID, state, ready }) => {
    const was = containerID === undefined ? undefined : earlier.get(containerID);
    if (!was || !state?.running) return false;
    return (was.ready && !ready) || was.state?.terminated !== undefined;
  });
}

/**
 * Whether this is the first of the two writes that remove a pod whose deletion had begun. If the second is lost, the pod's key still has the wake-up for the end of its grace period, or the
 * message of the sync that was removing it.
 */
function isBeingRemoved({ metadata: before }: Pod, { metadata: after }: Pod): boolean {
  const wasDeleted = before.deletionTimestamp !== undefined && before.deletionGracePeriodSeconds !== 0;
  return wasDeleted && after.deletionGracePeriodSeconds === 0 && (after.finalizers ?? []).length === 0;
}

/**
 * Whether this is the first of the two writes that start a pod: our scheduler binds it, and the same sync goes on with its status. If the second is lost, the message of that sync comes again. A pod that
 * was found unschedulable, or has another scheduler, may have been bound by somebody else, and nobody else looks at it.
 */
function isBeingStarted(before: Pod, after: Pod): boolean {
  const wasWaiting = before.spec?.nodeName || podConditionOf(before, 'PodScheduled') !== undefined;
  // A binding through the API sets this condition too, ours does not.
  if (podConditionOf(after, 'PodScheduled') !== undefined) return false;
  if (wasWaiting || !after.spec?.nodeName || before.spec?.schedulerName !== DEFAULT_SCHEDULER) return false;
  const { nodeName: _, ...spec } = after.spec;
  return jsonEqual(before.spec, spec) && jsonEqual(metadataOf(before), metadataOf(after));
}

function metadataOf({ metadata }: Pod) {
  const { resourceVersion: _version, managedFields: _fields, ...rest } = metadata;
  return rest;
}

/**
 * Returns the plain pods without a node and those of the node `registered`: if it is known only now whether it is simulated, they were bound to it before; if it has got images, they may have waited for one. Lists all pods. Nodes change seldom, so this is cheaper than an index of the pods
 * without a node.
 */
async function podsToLookAt(registry: RegistryReader, registered: Node | undefined): Promise<readonly KeyToSend[]> {
  const { items } = await registry.list<Pod>('pods');
  const isOn = ({ spec }: Pod) => spec?.nodeName !== undefined && spec.nodeName === registered?.metadata.name;
  return items.filter((pod) => (isPending(pod) && isPlainPod(pod)) || (isOn(pod) && !isPodTerminal(pod))).map(keyTo);
}

function keyTo({ metadata }: Pod): KeyToSend {
  return { key: { controller: 'pod', namespace: metadata.namespace ?? '', name: metadata.name } };
}
