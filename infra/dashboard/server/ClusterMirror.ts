import type { DaemonSet, Deployment, Event, Pod, ReplicaSet, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { SendRequest } from '../../host/SendRequest.ts';
import type { RemoteClock } from './RemoteClock.ts';
import { SharedWatch } from './SharedWatch.ts';

/** A clock that is known by asking for it, and by what is written at its times. */
export type FollowedClock = Pick<RemoteClock, 'follow' | 'isKnown' | 'problem' | 'saw'>;

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

  /** Absent: the clock is that of this process. */
  readonly clock: FollowedClock | undefined;
  /** The server explains rollouts itself, as far as is known. */
  explainsItself = true;

  /** `namespace`: only what is in it. */
  constructor(send: SendRequest, nowMs: () => number, clock?: FollowedClock, namespace?: string) {
    this.send = send;
    this.nowMs = nowMs;
    this.clock = clock;
    const saw = (object: KubernetesObject) => clock?.saw(object);
    const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    const watch = <T extends KubernetesObject>(root: string, plural: string) =>
      new SharedWatch<T>(send, `${root}${within}/${plural}`, saw);
    this.deployments = watch('/apis/apps/v1', 'deployments');
    this.statefulSets = watch('/apis/apps/v1', 'statefulsets');
    this.daemonSets = watch('/apis/apps/v1', 'daemonsets');
    this.replicaSets = watch('/apis/apps/v1', 'replicasets');
    this.pods = watch('/api/v1', 'pods');
    this.events = watch('/api/v1', 'events');
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
