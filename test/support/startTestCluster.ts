import { afterEach } from 'vitest';
import { type Cluster, type ClusterOptions, startCluster } from '../../infra/cluster/startCluster.ts';

const running = new Set<Cluster>();

afterEach(async () => {
  await Promise.all([...running].map((cluster) => cluster.stop()));
  running.clear();
});

/** Starts a cluster that is stopped after the test. */
export async function startTestCluster(options?: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  running.add(cluster);
  return cluster;
}
