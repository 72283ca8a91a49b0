import type { Cluster, ClusterOptions } from '../../infra/testCluster/startCluster.ts';
import { COMPLETION_INDEX, completionIndexOf } from '../../lambdas/objects/pods/jobPods.ts';
import type { Job, Pod } from '../../lambdas/objects/kinds.ts';
import { startTestCluster } from './startTestCluster.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');

/** A cluster on a virtual clock with one Job, `pi`, and short texts of what became of it. */
export class JobBench {
  readonly cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async start(options: ClusterOptions = {}): Promise<JobBench> {
    return new JobBench(await startTestCluster({ clock: 'virtual', startTime: new Date(START_MS), ...options }));
  }

  async job(): Promise<Job> {
    return (await this.cluster.get('job/pi')) as Job;
  }

  async status(): Promise<NonNullable<Job['status']>> {
    return (await this.job()).status ?? {};
  }

  /** `Failed=True BackoffLimitExceeded`. */
  async conditions(): Promise<string[]> {
    const { conditions = [] } = await this.status();
    return conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  }

  /** The Job's pods, the earliest first. */
  async pods(): Promise<Pod[]> {
    const all = await this.cluster.list('pods');
    const rank = (pod: Pod) => `${pod.metadata.creationTimestamp} ${completionIndexOf(pod) ?? ''}`;
    return all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  /** `11s 0 Failed` for a pod of index 0 that was created eleven seconds after the start. */
  async lives(): Promise<string[]> {
    return (await this.pods()).map(({ metadata, status }) => {
      const seconds = (Date.parse(metadata.creationTimestamp) - START_MS) / 1000;
      const index = metadata.annotations?.[COMPLETION_INDEX];
      const fate = metadata.deletionTimestamp === undefined ? status?.phase : 'Terminating';
      return [`${seconds}s`, ...(index === undefined ? [] : [index]), fate].join(' ');
    });
  }

  /** The Job's events, each as `Normal Completed Job completed`. Those about the creation and deletion of pods are left out. */
  async events(): Promise<string[]> {
    const all = await this.cluster.list('events', { fieldSelector: 'involvedObject.kind=Job' });
    return all
      .map(({ type, reason, message }) => `${type} ${reason} ${message}`)
      .filter((text) => !/Successful(Create|Delete)/.test(text));
  }
}
