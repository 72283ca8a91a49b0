import { onTestFinished } from 'vitest';
import { type Cluster, type ClusterOptions, startCluster } from '../../infra/testCluster/startCluster.ts';

/** Starts a cluster that is stopped after the test. */
export async function startTestCluster(options?: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}
