import type { Pod } from '../../objects/kinds.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { type EventLimits, PodEventBudget } from '../pod/PodEventBudget.ts';
import { RecentNodes } from '../pod/RecentNodes.ts';
import type { NoticeDelays } from './decideNotice.ts';
import { requestsNothing } from './framework/Resource.ts';
import { CSI_DRIVERS, CSI_NODES, STORAGE_CAPACITIES } from './framework/Volumes.ts';
import { isPending, isPlainPod } from './isPlainPod.ts';
import { listPods, type PodsReader } from './KeptPods.ts';
import { keysForChange, SCHEDULER_KEY } from './keysForChange.ts';
import type { PlainBinds } from './PlainBinds.ts';
import type { PlainChoice } from './PlainChoice.ts';
import { RecentNotice } from './SchedulerNotice.ts';
import { syncScheduler } from './syncScheduler.ts';

export interface SchedulerControllerDeps {
  readonly registry: RegistryReader;
  readonly clock: Clock;
  /** The recorder of `default-scheduler`. */
  readonly events: EventRecorder;
  /** How long nodes and the notice may be used again once they were read; milliseconds. Absent: not at all. */
  readonly rememberMs?: number | undefined;
  readonly delays: NoticeDelays;
  /** For normal events. Absent: a kubelet's. */
  readonly eventLimits?: EventLimits | undefined;
  /** Whether the pod controller binds plain pods. */
  readonly leavesPlainPods: boolean;
  /** Those that it binds in this process. */
  readonly binds: PlainBinds;
  readonly choice: PlainChoice;
  /** Absent: lists them. */
  readonly readPods?: PodsReader | undefined;
  /** How many pods a sync decides about. Absent: 500, so that it ends in time. */
  readonly mostPods?: number | undefined;
}

const MOST_PODS = 500;

/** The resources whose changes may let a pod run that waits. */
const WATCHED = [
  'pods',
  'nodes',
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'storageclasses.storage.k8s.io',
  CSI_NODES,
  CSI_DRIVERS,
  STORAGE_CAPACITIES,
];

/** Creates the scheduler, which binds pods to nodes as kube-scheduler does with its default plugins. */
export function createSchedulerController(deps: SchedulerControllerDeps): Controller<SyncContext> {
  const { registry, clock, rememberMs = 0, leavesPlainPods, readPods = listPods, mostPods = MOST_PODS } = deps;
  const notice = new RecentNotice(registry, clock, rememberMs);
  const nodes = new RecentNodes(registry, clock, rememberMs);
  const budget = new PodEventBudget('limited', clock, deps.eventLimits);
  const readers = {
    leavesPlainPods,
    notice: () => notice.recent(),
    isBoundAtStart: (pod: Pod) => deps.choice.isBoundAtStart(pod, () => nodes.lately()),
  };
  return {
    name: 'scheduler',
    resources: ['pods'],
    watches: WATCHED,
    keysFor: (change) => keysForChange(readers, change),
    keysToResync: (object) => keysToResync(object, leavesPlainPods),
    sync: (_key, context) => syncScheduler({ ...deps, readPods, mostPods, nodes, budget }, context),
  };
}

/** The key is queued for each pod that may wait, for one with requests whatever the nodes are like; the queue keeps one. */
function keysToResync(pod: Pod, leavesPlainPods: boolean) {
  const isLeft = leavesPlainPods && isPlainPod(pod) && requestsNothing(pod.spec ?? { containers: [] });
  return isPending(pod) && !isLeft ? [SCHEDULER_KEY] : [];
}
