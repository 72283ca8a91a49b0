import { afterAll, expect, test } from '@jest/globals';
import type { ClusterOptions } from '../ClusterOptions.ts';
import { ClusterFixture, type ClusterTestContext } from './ClusterFixture.ts';
import { type ClusterMatchers, clusterMatchers } from './clusterMatchers.ts';

export type { ClusterTestContext } from './ClusterFixture.ts';
export type { ClusterMatchers, ExpectedEvent } from './clusterMatchers.ts';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends ClusterMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends ClusterMatchers<R> {}
  }
}

expect.extend(clusterMatchers);

/** Defines one test, as Jest's `test`. */
export type DefineClusterTest = (
  name: string,
  run: (context: ClusterTestContext) => unknown,
  timeoutMs?: number,
) => void;

/** Jest's `test` with a cluster. */
export interface ClusterTest extends DefineClusterTest {
  readonly only: DefineClusterTest;
  readonly skip: DefineClusterTest;
  readonly failing: DefineClusterTest;
}

/**
 * Returns Jest's `test` with a cluster: `const test = clusterTest({ clock: 'virtual' })`, then `test('…', async ({ cluster, namespace }) => …)`. The cluster is started once for each file, and each test has a namespace of
 * its own; between tests the cluster is emptied and settles. What is not complete when a test fails is explained on standard error. Options: those of `startCluster`.
 */
export function clusterTest(options: ClusterOptions = {}): ClusterTest {
  const fixture = new ClusterFixture(options);
  afterAll(() => fixture.close());
  const defining =
    (define: (name: string, run: () => Promise<void>, timeoutMs?: number) => void): DefineClusterTest =>
    (name, run, timeoutMs) =>
      define(name, () => runWith(fixture, run), timeoutMs);
  return Object.assign(defining(test), {
    only: defining(test.only),
    skip: defining(test.skip),
    failing: defining(test.failing),
  });
}

async function runWith(fixture: ClusterFixture, run: (context: ClusterTestContext) => unknown): Promise<void> {
  const context = await fixture.begin();
  let hasFailed = true;
  try {
    await run(context);
    hasFailed = false;
  } finally {
    await fixture.end(context, hasFailed);
  }
}
