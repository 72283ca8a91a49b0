import type { Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/podState.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { PodRuntime } from '../../ports/PodRuntime.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../guardWrites.ts';
import { keysForPods } from './keysForPods.ts';
import { type PodEventsPolicy, PodEventBudget } from './PodEventBudget.ts';
import { syncPod } from './syncPod.ts';

export interface PodControllerDeps {
  readonly registry: RegistryReader;
  readonly podRuntime: PodRuntime;
  readonly clock: Clock;
  /** The recorder of `default-scheduler`. */
  readonly schedulerEvents: EventRecorder;
  /** The recorder of `kubelet`. */
  readonly kubeletEvents: EventRecorder;
  /** What the kubelet tells is written after what the scheduler told, not beside it. */
  readonly eventsInTurn?: boolean;
  readonly config?: {
    /** Which events of pods are written; `limited` if absent. */
    readonly podEvents?: PodEventsPolicy;
  };
}

/** Brings pods to life: asks the runtime what a scheduler and a kubelet would write next, and writes it. */
export function createPodController(deps: PodControllerDeps): Controller<SyncContext> {
  const budget = new PodEventBudget(deps.config?.podEvents ?? 'limited', deps.clock);
  return {
    name: 'pod',
    resources: ['pods'],
    watches: ['pods', 'nodes'],
    keysFor: (change) => keysForPods(deps.registry, change),
    keysToResync: (object) => keysToResync(object),
    sync: (key, context) => syncPod({ ...deps, budget }, key, context),
  };
}

/** A pod that has ended stays as it is until it is deleted. */
function keysToResync(pod: Pod): readonly WorkKey[] {
  const { namespace = '', name, deletionTimestamp } = pod.metadata;
  return isPodTerminal(pod) && deletionTimestamp === undefined ? [] : [{ controller: 'pod', namespace, name }];
}
