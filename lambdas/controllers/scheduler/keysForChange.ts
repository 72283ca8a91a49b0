import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isResizing } from '../../objects/pods/podResize.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { concernsScheduling } from './concernsScheduling.ts';
import type { FilterPluginName } from './framework/Plugin.ts';
import { CSI_DRIVERS, CSI_NODES, STORAGE_CAPACITIES } from './framework/Volumes.ts';
import { isPending } from './isPlainPod.ts';
import type { SchedulerNotice } from './SchedulerNotice.ts';

/** The only key: one sync at a time decides for all pods that wait, so that no two bind to the same room. */
export const SCHEDULER_KEY: WorkKey = { controller: 'scheduler', namespace: '', name: 'default-scheduler' };

export interface ChangeReaders {
  /** Whether another controller binds plain pods. */
  readonly leavesPlainPods: boolean;
  notice(): Promise<SchedulerNotice>;
  /** Whether that controller looks first at this pod, which waits. */
  readonly isBoundAtStart: (pod: Pod) => boolean | Promise<boolean>;
}

/** Returns the scheduler's key if it may have something to do after the change: a pod that it has to bind, or something that may help a pod that waits. */
export function keysForChange(
  readers: ChangeReaders,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  if (bringsRepellingPod(change) || endsRepelling(change)) return [{ key: SCHEDULER_KEY }];
  const pod = pendingPodOf(change);
  if (pod) return keysOfPending(readers, pod);
  const helped = pluginsHelpedBy(change);
  return helped === 'none' ? [] : keysIfWaitedFor(readers, helped);
}

/** Returns the key if a pod waits for one of these plugins. */
async function keysIfWaitedFor(
  readers: ChangeReaders,
  helped: readonly FilterPluginName[] | 'all',
): Promise<readonly KeyToSend[]> {
  const { waitsFor } = await readers.notice();
  if (waitsFor === undefined) return [];
  const mayHelp = helped === 'all' || waitsFor.size === 0 || helped.some((plugin) => waitsFor.has(plugin));
  return mayHelp ? [{ key: SCHEDULER_KEY }] : [];
}

/** Returns the pod if it is there to be bound and was not there before, or has changed by itself. */
function pendingPodOf(change: Change): Pod | undefined {
  if (change.resource !== 'pods' || change.type === 'DELETED') return undefined;
  const { before, after } = change as { before?: Pod; after: Pod };
  if (!isPending(after)) return undefined;
  const isNews = !before || !isPending(before) || !jsonEqual(before.spec, after.spec) || hasOtherLabels(before, after);
  return isNews ? after : undefined;
}

async function keysOfPending(
  { leavesPlainPods, isBoundAtStart }: ChangeReaders,
  pod: Pod,
): Promise<readonly KeyToSend[]> {
  return leavesPlainPods && (await isBoundAtStart(pod)) ? [] : [{ key: SCHEDULER_KEY }];
}

/** Whether somebody else has bound a pod that keeps others away. From now on plain pods must not come near it. */
function bringsRepellingPod(change: Change): boolean {
  if (change.resource !== 'pods' || change.type === 'DELETED') return false;
  const { before, after } = change as { before?: Pod; after: Pod };
  const isBound = Boolean(after.spec?.nodeName) && !before?.spec?.nodeName;
  return isBound && (before === undefined || !isPending(before)) && repelsPods(after);
}

/** Whether a pod is gone that kept others away. If it was the last one, plain pods are released. */
function endsRepelling(change: Change): boolean {
  if (change.resource !== 'pods' || change.type === 'ADDED') return false;
  const { before } = change as { before: Pod };
  const hasEnded = change.type === 'DELETED' || isPodTerminal(change.after);
  return hasEnded && !isPodTerminal(before) && repelsPods(before);
}

/** Whether the pod keeps others away, as it demands by its anti-affinity. Pure. */
export function repelsPods({ spec }: Pod): boolean {
  return (spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;
}

type Helped = readonly FilterPluginName[] | 'all' | 'none';

/** What waits for a new or changed object of these resources. */
const BY_VOLUMES: Readonly<Record<string, readonly FilterPluginName[]>> = {
  persistentvolumeclaims: ['VolumeRestrictions', 'NodeVolumeLimits', 'VolumeBinding', 'VolumeZone'],
  persistentvolumes: ['VolumeBinding', 'VolumeZone'],
  'storageclasses.storage.k8s.io': ['VolumeBinding', 'VolumeZone'],
  [CSI_NODES]: ['NodeVolumeLimits'],
  [CSI_DRIVERS]: ['VolumeBinding'],
  [STORAGE_CAPACITIES]: ['VolumeBinding'],
};

/** The plugins that may find a node now, as the `EventsToRegister` of Kubernetes' plugins say. */
function pluginsHelpedBy(change: Change): Helped {
  if (change.resource === 'pods') return helpedByPod(change);
  if (change.resource === 'nodes') return helpedByNode(change);
  const byVolumes = BY_VOLUMES[change.resource];
  if (byVolumes) return change.type === 'DELETED' ? 'none' : byVolumes;
  if (change.resource === 'namespaces' && change.type === 'MODIFIED')
    return hasOtherLabels(change.before, change.after) ? ['InterPodAffinity'] : 'none';
  return 'none';
}

const BY_ROOM: readonly FilterPluginName[] = [
  'NodeResourcesFit',
  'NodePorts',
  'PodTopologySpread',
  'InterPodAffinity',
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
];
const BY_NEIGHBOURS: readonly FilterPluginName[] = ['PodTopologySpread', 'InterPodAffinity'];

function helpedByPod(change: Change): Helped {
  if (change.type === 'DELETED') return holdsRoom(change.before) ? BY_ROOM : 'none';
  const { before, after } = change as { before?: Pod; after: Pod };
  if (!after.spec?.nodeName) return 'none';
  if (isPodTerminal(after)) return before && !isPodTerminal(before) ? BY_ROOM : 'none';
  if (!before?.spec?.nodeName || hasOtherLabels(before, after)) return BY_NEIGHBOURS;
  // A pod that is resized may need less than before: once its spec asks for less, or once its containers have less.
  return jsonEqual(before.spec, after.spec) && !isResizing(before) ? 'none' : BY_ROOM;
}

/** Whether the pod had a place, or a node waited for it. */
function holdsRoom({ spec, status }: Pod): boolean {
  return Boolean(spec?.nodeName) || Boolean(status?.nominatedNodeName);
}

function helpedByNode(change: Change): Helped {
  if (change.type === 'DELETED') return ['PodTopologySpread'];
  const { before, after } = change as { before?: Node; after: Node };
  return !before || concernsScheduling(before, after) ? 'all' : 'none';
}

function hasOtherLabels(before: KubernetesObject, after: KubernetesObject): boolean {
  return !jsonEqual(before.metadata.labels, after.metadata.labels);
}
