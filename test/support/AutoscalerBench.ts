import type { Cluster, ClusterOptions } from '../../infra/testCluster/startCluster.ts';
import type { HorizontalPodAutoscaler } from '../../lambdas/objects/kinds.ts';
import { startTestCluster } from './startTestCluster.ts';

const START = '2026-01-01T00:00:00Z';

/** A cluster on a virtual clock that starts at midnight, with an autoscaler `web` of a Deployment `web`, and short texts of what became of them. */
export class AutoscalerBench {
  readonly cluster: Cluster;

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async start(options: ClusterOptions = {}): Promise<AutoscalerBench> {
    return new AutoscalerBench(await startTestCluster({ clock: 'virtual', startTime: new Date(START), ...options }));
  }

  async autoscaler(): Promise<HorizontalPodAutoscaler> {
    return (await this.cluster.get('hpa/web')) as HorizontalPodAutoscaler;
  }

  async replicas(): Promise<number> {
    return (await this.cluster.get('deployment/web')).spec?.replicas ?? 0;
  }

  /** The replicas of the Deployment each time after so many steps: `[1, 3, 3]`. */
  async replicasOver(steps: number, step: string): Promise<number[]> {
    const seen: number[] = [];
    for (let nth = 0; nth < steps; nth++) {
      await this.cluster.advance(step);
      seen.push(await this.replicas());
    }
    return seen;
  }

  /** Each condition: `AbleToScale True ReadyForNewScale`. */
  async conditions(): Promise<string[]> {
    const { conditions = [] } = (await this.autoscaler()).status ?? {};
    return conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  }

  async messageOf(type: string): Promise<string | undefined> {
    const { conditions = [] } = (await this.autoscaler()).status ?? {};
    return conditions.find((one) => one.type === type)?.message;
  }

  /** The autoscaler's events: `Normal SuccessfulRescale New size: 3; reason: …`. */
  async events(): Promise<string[]> {
    const all = await this.cluster.list('events', { fieldSelector: 'involvedObject.kind=HorizontalPodAutoscaler' });
    return all.map(({ type, reason, message }) => [type, reason, message].join(' '));
  }

  /** Sets annotations of the Deployment, without their prefix. */
  async simulate(annotations: Readonly<Record<string, string>>): Promise<void> {
    const prefixed = Object.entries(annotations).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]);
    await this.cluster.patch('deployment/web', { metadata: { annotations: Object.fromEntries(prefixed) } });
  }
}
