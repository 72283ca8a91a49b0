import type { Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { PodRuntime } from '../../ports/PodRuntime.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { PlainChoice } from '../scheduler/PlainChoice.ts';
import { PlainScheduler, type PlainSchedulerDeps } from '../scheduler/PlainScheduler.ts';
import { keysForChange } from './keysForChange.ts';
import { isReferenced, keysOfWaitingPods, REFERENCED } from './keysOfWaitingPods.ts';
import { type EventLimits, PodEventBudget, type PodEventsPolicy } from './PodEventBudget.ts';
import { RecentNodes } from './RecentNodes.ts';
import { RecentReferences } from './RecentReferences.ts';
import { syncPod } from './syncPod.ts';
import { RecentWaits } from './WaitNotice.ts';

export interface PodControllerDeps {
  readonly registry: RegistryReader;
  readonly podRuntime: PodRuntime;
  readonly clock: Clock;
  /** The recorder of `default-scheduler`. */
  readonly schedulerEvents: EventRecorder;
  /** The recorder of `kubelet`. */
  readonly kubeletEvents: EventRecorder;
  /** How long the nodes may be used again once they were listed; milliseconds. Absent: not at all. */
  readonly nodesRememberMs?: number | undefined;
  /** For the policy `limited`. Absent: a kubelet's. */
  readonly eventLimits?: EventLimits | undefined;
  /** Absent: somebody else is the scheduler. */
  readonly scheduling?: (Pick<PlainSchedulerDeps, 'sendKeys' | 'binds'> & { readonly choice: PlainChoice }) | undefined;
  readonly config?: {
    /** Which events of pods are written. Absent: `limited`. */
    readonly podEvents?: PodEventsPolicy;
  };
}

/** Creates the controller that stands for the kubelets of simulated nodes: it asks the pod runtime what they would write next, and writes it. It also binds the pods for which no other pod matters. */
export function createPodController(deps: PodControllerDeps): Controller<SyncContext> {
  const remembered = [deps.registry, deps.clock, deps.nodesRememberMs ?? 0] as const;
  const nodes = new RecentNodes(...remembered);
  const references = new RecentReferences(...remembered);
  const waits = new RecentWaits(...remembered);
  const readers = {
    registry: deps.registry,
    isBoundAtStart: (pod: Pod) => deps.scheduling?.choice.isBoundAtStart(pod, () => nodes.lately()) ?? false,
  };
  const scheduler = deps.scheduling && new PlainScheduler({ ...deps, ...deps.scheduling, nodes });
  const budget = new PodEventBudget(deps.config?.podEvents ?? 'limited', deps.clock, deps.eventLimits);
  return {
    name: 'pod',
    resources: ['pods'],
    watches: ['pods', 'nodes', ...REFERENCED],
    keysFor: (change) =>
      isReferenced(change.resource) ? keysOfWaitingPods(deps.registry, waits, change) : keysForChange(readers, change),
    keysToResync: (object) => keysToResync(object),
    sync: (key, context) => syncPod({ ...deps, budget, nodes, references, scheduler }, key, context),
  };
}

/** A pod that has ended does not change until it is deleted, so a resync need not look at it. */
function keysToResync(pod: Pod): readonly WorkKey[] {
  const { namespace = '', name, deletionTimestamp } = pod.metadata;
  return isPodTerminal(pod) && deletionTimestamp === undefined ? [] : [{ controller: 'pod', namespace, name }];
}
