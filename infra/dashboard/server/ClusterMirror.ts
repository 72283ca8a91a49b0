import type { DaemonSet, Deployment, Event, Pod, ReplicaSet, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { SendRequest } from '../../local/applyManifest.ts';
import { SharedWatch } from './SharedWatch.ts';

interface Clock extends KubernetesObject {
  readonly status?: { readonly time?: string; readonly type?: string };
}

/** What the page's process knows of the cluster: one watch for each kind, which runs while a page needs it. */
export class ClusterMirror {
  readonly send: SendRequest;
  readonly deployments: SharedWatch<Deployment>;
  readonly statefulSets: SharedWatch<StatefulSet>;
  readonly daemonSets: SharedWatch<DaemonSet>;
  readonly replicaSets: SharedWatch<ReplicaSet>;
  readonly pods: SharedWatch<Pod>;
  readonly events: SharedWatch<Event>;
  /** Of a cluster for tests; elsewhere there is no such resource, and it is not followed. */
  readonly clocks: SharedWatch<Clock>;
  readonly #clock: (() => number) | undefined;

  /** `clock`: that of a cluster in this process. */
  constructor(send: SendRequest, clock?: () => number) {
    this.send = send;
    this.#clock = clock;
    this.deployments = new SharedWatch(send, '/apis/apps/v1/deployments');
    this.statefulSets = new SharedWatch(send, '/apis/apps/v1/statefulsets');
    this.daemonSets = new SharedWatch(send, '/apis/apps/v1/daemonsets');
    this.replicaSets = new SharedWatch(send, '/apis/apps/v1/replicasets');
    this.pods = new SharedWatch(send, '/api/v1/pods');
    this.events = new SharedWatch(send, '/api/v1/events');
    this.clocks = new SharedWatch(send, '/apis/testing.driftless.dev/v1/clocks');
  }

  /** The time of the cluster's clock. */
  nowMs(): number {
    return this.#clock?.() ?? this.#virtualMs() ?? Date.now();
  }

  deployment(namespace: string, name: string): Deployment | undefined {
    for (const one of this.deployments.all())
      if (one.metadata.name === name && one.metadata.namespace === namespace) return one;
    return undefined;
  }

  /** How many watches run, and how many were begun since the start. */
  watchCounts(): { readonly running: number; readonly begun: number } {
    const all = this.#watches();
    return {
      running: all.filter(({ isRunning }) => isRunning).length,
      begun: all.reduce((sum, { begunCount }) => sum + begunCount, 0),
    };
  }

  stop(): void {
    for (const watch of this.#watches()) watch.stop();
  }

  #watches(): readonly SharedWatch[] {
    const { deployments, statefulSets, daemonSets, replicaSets, pods, events, clocks } = this;
    return [deployments, statefulSets, daemonSets, replicaSets, pods, events, clocks] as readonly SharedWatch[];
  }

  #virtualMs(): number | undefined {
    const [clock] = this.clocks.all();
    return clock?.status?.type === 'Virtual' ? Date.parse(clock.status.time ?? '') : undefined;
  }
}
