import { expect, test } from 'vitest';
import type { Cluster } from '../Cluster.ts';
import type { ClusterOptions } from '../ClusterOptions.ts';
import { ClusterFixture, type ClusterTestContext } from './ClusterFixture.ts';
import { type ClusterMatchers, clusterMatchers } from './clusterMatchers.ts';

export type { ClusterTestContext } from './ClusterFixture.ts';
export type { ClusterMatchers, ExpectedEvent } from './clusterMatchers.ts';

// The `Matchers` of Vitest 5 have other type parameters than those of Vitest 3 and 4. The assertions of Chai, which all of them take over, have none.
declare global {
  namespace Chai {
    interface Assertion extends ClusterMatchers {}
  }
}

expect.extend(clusterMatchers);

/**
 * Returns Vitest's `test` with a cluster: `const test = clusterTest({ clock: 'virtual' })`, then `test('…', async ({ cluster, namespace }) => …)`. The cluster is started once for each file, and each test has a namespace of
 * its own; between tests the cluster is emptied and settles. What is not complete when a test fails is explained on standard error. Options: those of `startCluster`.
 */
export function clusterTest(options: ClusterOptions = {}) {
  return test.extend<{
    clusterFile: ClusterFixture;
    clusterContext: ClusterTestContext;
    cluster: Cluster;
    namespace: string;
  }>({
    clusterFile: [
      // Vitest reads the names of other fixtures from the first parameter, so that it must be a pattern.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const fixture = new ClusterFixture(options);
        await use(fixture);
        await fixture.close();
      },
      { scope: 'file' },
    ],
    clusterContext: async ({ clusterFile, task }, use) => {
      const context = await clusterFile.begin();
      await use(context);
      await clusterFile.end(context, task.result?.state === 'fail');
    },
    cluster: async ({ clusterContext }, use) => use(clusterContext.cluster),
    namespace: async ({ clusterContext }, use) => use(clusterContext.namespace),
  });
}
