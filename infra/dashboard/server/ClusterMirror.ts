import type { DaemonSet, Deployment, Event, Pod, ReplicaSet, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import type { SendRequest } from '../../local/applyManifest.ts';
import { SharedWatch } from './SharedWatch.ts';

/** What the page's process knows of the cluster: one watch for each kind, which runs while a page needs it. */
export class ClusterMirror {
  readonly send: SendRequest;
  readonly deployments: SharedWatch<Deployment>;
  readonly statefulSets: SharedWatch<StatefulSet>;
  readonly daemonSets: SharedWatch<DaemonSet>;
  readonly replicaSets: SharedWatch<ReplicaSet>;
  readonly pods: SharedWatch<Pod>;
  readonly events: SharedWatch<Event>;
  /** The time of the cluster's clock, in milliseconds. */
  readonly nowMs: () => number;

  constructor(send: SendRequest, nowMs: () => number) {
    this.send = send;
    this.nowMs = nowMs;
    this.deployments = new SharedWatch(send, '/apis/apps/v1/deployments');
    this.statefulSets = new SharedWatch(send, '/apis/apps/v1/statefulsets');
    this.daemonSets = new SharedWatch(send, '/apis/apps/v1/daemonsets');
    this.replicaSets = new SharedWatch(send, '/apis/apps/v1/replicasets');
    this.pods = new SharedWatch(send, '/api/v1/pods');
    this.events = new SharedWatch(send, '/api/v1/events');
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
    const { deployments, statefulSets, daemonSets, replicaSets, pods, events } = this;
    return [deployments, statefulSets, daemonSets, replicaSets, pods, events] as readonly SharedWatch[];
  }
}
