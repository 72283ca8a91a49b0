import type { Cluster, ClusterOptions } from '../../infra/testCluster/startCluster.ts';
import { targetNodeName } from '../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import type { ControllerRevision, DaemonSet, Pod } from '../../lambdas/objects/kinds.ts';
import { isPodReady } from '../../lambdas/objects/pods/podState.ts';
import { startTestCluster } from './startTestCluster.ts';

/** A cluster on a virtual clock with one DaemonSet, `agent`, and short texts of what became of it. */
export class DaemonSetBench {
  readonly cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  /** With three nodes, `node-1` to `node-3`, unless the options say otherwise. */
  static async start(options: ClusterOptions = {}): Promise<DaemonSetBench> {
    const nodes = ['node-1', 'node-2', 'node-3'].map((name) => ({ name }));
    return new DaemonSetBench(await startTestCluster({ clock: 'virtual', nodes, ...options }));
  }

  async daemonSet(): Promise<DaemonSet> {
    return (await this.cluster.get('daemonset/agent')) as DaemonSet;
  }

  /** The daemon's pods, the oldest first. */
  async allPods(): Promise<readonly Pod[]> {
    const pods = await this.cluster.list('pods', { labelSelector: 'app=agent' });
    return pods.toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1));
  }

  /** Each pod by its node, image and state: `node-1 agent:1 ready`. */
  async pods(): Promise<string[]> {
    const texts = (await this.allPods()).map((pod) => {
      const { metadata, spec, status } = pod;
      const isGoing = metadata.deletionTimestamp !== undefined;
      const state = isGoing
        ? 'terminating'
        : isPodReady(pod) && status?.phase === 'Running'
          ? 'ready'
          : (status?.phase ?? '').toLowerCase();
      return `${targetNodeName(pod)} ${spec?.containers[0]?.image} ${state}`;
    });
    return texts.sort();
  }

  /** `desired 3, current 3, ready 3, updated 3, available 3`; further counts only if they are not 0. */
  async status(): Promise<string> {
    const { status } = await this.daemonSet();
    const more = { unavailable: status?.numberUnavailable, misscheduled: status?.numberMisscheduled };
    const counts = {
      desired: status?.desiredNumberScheduled,
      current: status?.currentNumberScheduled,
      ready: status?.numberReady,
      updated: status?.updatedNumberScheduled ?? 0,
      available: status?.numberAvailable ?? 0,
      ...Object.fromEntries(Object.entries(more).filter(([, count]) => count)),
    };
    return Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  }

  /** The DaemonSet's revisions: `1 agent:1`. */
  async revisions(): Promise<string[]> {
    const all = (await this.cluster.list('controllerrevisions')) as unknown as ControllerRevision[];
    const imageOf = ({ data }: { data?: unknown }) =>
      (data as DaemonSet | undefined)?.spec?.template.spec?.containers[0]?.image;
    return all.map((one) => `${one.revision} ${imageOf(one)}`).sort();
  }

  /** The DaemonSet's events, each as `Normal SuccessfulCreate Created pod: …`, with its count if that is not 1. */
  async events(): Promise<string[]> {
    const all = await this.cluster.list('events', { fieldSelector: 'involvedObject.kind=DaemonSet' });
    return all.map(({ type, reason, message, count = 1 }) =>
      [type, reason, message, ...(count > 1 ? [`(${count})`] : [])].join(' '),
    );
  }

  /** Gives the pods another image. */
  async update(image: string): Promise<void> {
    const containers = [{ name: 'main', image }];
    await this.cluster.patch('daemonset/agent', { spec: { template: { spec: { containers } } } });
  }
}
