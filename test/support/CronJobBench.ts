import type { Cluster, ClusterOptions } from '../../infra/testCluster/startCluster.ts';
import type { CronJob, Job } from '../../lambdas/objects/kinds.ts';
import { startTestCluster } from './startTestCluster.ts';

const START = '2026-01-01T00:00:00Z';

/** A cluster on a virtual clock that starts at midnight, with one CronJob, `nightly`, and short texts of what became of it. */
export class CronJobBench {
  readonly cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async start(options: ClusterOptions = {}): Promise<CronJobBench> {
    return new CronJobBench(await startTestCluster({ clock: 'virtual', startTime: new Date(START), ...options }));
  }

  async cronJob(): Promise<CronJob> {
    return (await this.cluster.get('cronjob/nightly')) as CronJob;
  }

  /** `last 00:05, active 00:04, 00:05`; times are those of the runs. */
  async status(): Promise<string> {
    const { lastScheduleTime, active = [] } = (await this.cronJob()).status ?? {};
    const runs = active.map(({ name = '' }) => timeOf(Number(name.split('-').at(-1)) * 60_000));
    const last = lastScheduleTime === undefined ? 'never' : timeOf(Date.parse(lastScheduleTime));
    return [`last ${last}`, ...(runs.length > 0 ? [`active ${runs.join(', ')}`] : [])].join(', ');
  }

  async jobs(): Promise<readonly Job[]> {
    return await this.cluster.list('jobs');
  }

  /** Each Job by the time of its run and what became of it: `00:05 Complete`. The earliest first. */
  async runs(): Promise<string[]> {
    const texts = (await this.jobs()).map(({ metadata, status }) => {
      const ended = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed')?.type;
      return `${timeOf(Number(metadata.name.split('-').at(-1)) * 60_000)} ${ended ?? 'Running'}`;
    });
    return texts.sort();
  }

  /** The CronJob's events, each as `Normal SawCompletedJob Saw completed job: …`, with its count if that is not 1. */
  async events(): Promise<string[]> {
    const all = await this.cluster.list('events', { fieldSelector: 'involvedObject.kind=CronJob' });
    return all.map(({ type, reason, message, count = 1 }) =>
      [type, reason, message, ...(count > 1 ? [`(${count})`] : [])].join(' '),
    );
  }
}

/** `00:05` of a day in UTC. */
function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16);
}
