import type { Cluster, ClusterOptions } from '../../infra/testCluster/startCluster.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../../lambdas/objects/kinds.ts';
import { startTestCluster } from './startTestCluster.ts';

/** A cluster on a virtual clock with one StatefulSet, `web`, and short texts of what became of it. */
export class StatefulSetBench {
  readonly cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async start(options: ClusterOptions = {}): Promise<StatefulSetBench> {
    const startTime = new Date('2026-01-01T00:00:00Z');
    return new StatefulSetBench(await startTestCluster({ clock: 'virtual', startTime, ...options }));
  }

  async set(): Promise<StatefulSet> {
    return (await this.cluster.get('statefulset/web')) as StatefulSet;
  }

  async status(): Promise<NonNullable<StatefulSet['status']>> {
    return (await this.set()).status ?? { replicas: 0 };
  }

  /** The pods in the order of their names. */
  async pods(): Promise<Pod[]> {
    const all = await this.cluster.list('pods');
    return all.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /** `web-0 nginx:1 ready`, or `waiting` or `terminating`. */
  async lives(): Promise<string[]> {
    return (await this.pods()).map(({ metadata, spec, status }) => {
      const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
      const state = metadata.deletionTimestamp === undefined ? (isReady ? 'ready' : 'waiting') : 'terminating';
      return `${metadata.name} ${spec?.containers[0]?.image} ${state}`;
    });
  }

  /** The kubelet says that the pod has failed, as after an eviction. */
  async fail(pod: string): Promise<void> {
    const response = await fetch(`${this.cluster.url}/api/v1/namespaces/default/pods/${pod}/status`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ status: { phase: 'Failed', reason: 'Evicted' } }),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** `data-web-0 Bound`, and what controls it. */
  async claims(): Promise<string[]> {
    const all: readonly PersistentVolumeClaim[] = await this.cluster.list('persistentvolumeclaims');
    return all
      .map(({ metadata, status }) => {
        const owners = (metadata.ownerReferences ?? []).map(({ kind, name }) => ` of ${kind} ${name}`);
        return `${metadata.name} ${status?.phase}${owners.join('')}`;
      })
      .toSorted();
  }

  /** The set's events, each as `Normal SuccessfulCreate create Pod …`, with its count if that is not 1. */
  async events(): Promise<string[]> {
    const all = await this.cluster.list('events', { fieldSelector: 'involvedObject.kind=StatefulSet' });
    return all.map(({ type, reason, message, count = 1 }) =>
      [type, reason, message, ...(count > 1 ? [`(${count})`] : [])].join(' '),
    );
  }
}
