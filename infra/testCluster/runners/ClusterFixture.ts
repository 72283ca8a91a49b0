import type { Cluster, ClusterInNamespace } from '../Cluster.ts';
import type { ClusterOptions } from '../ClusterOptions.ts';
import { startCluster } from '../startCluster.ts';
import { eventLines } from './eventLines.ts';
import { progressOf } from './progressOf.ts';

const EVENTS_SHOWN = 10;

/** The kinds whose rollout may be what a test waited for in vain. */
const EXPLAINED = ['deployment', 'statefulset', 'daemonset', 'job'] as const;

/** What a test of `clusterTest` gets. */
export interface ClusterTestContext {
  /** The cluster of the test's file. Keys, manifests and lists that name no namespace are in the test's own. */
  readonly cluster: Cluster;
  /** The name of the test's own namespace, which exists. */
  readonly namespace: string;
}

/** The cluster of one file of tests: started for the first test, emptied after each, and stopped after the last. Vitest's and Jest's entries bring it to their tests. */
export class ClusterFixture {
  readonly #options: ClusterOptions;
  #started: Promise<Cluster> | undefined;
  #isInTest = false;
  #testCount = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  /** Makes the namespace of the next test. Rejects if another test still runs, since a reset between tests empties the whole cluster. */
  async begin(): Promise<ClusterTestContext> {
    if (this.#isInTest) throw new Error('the tests of one clusterTest share a cluster, so they cannot be concurrent');
    this.#isInTest = true;
    try {
      const cluster = await (this.#started ??= startCluster(this.#options));
      this.#testCount += 1;
      const namespace = `test-${this.#testCount}`;
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await cluster.settle();
      return { cluster: { ...cluster, ...cluster.inNamespace(namespace) }, namespace };
    } catch (error) {
      this.#isInTest = false;
      throw error;
    }
  }

  /** Prints why the test may have failed, if it did, and empties the cluster. */
  async end({ cluster, namespace }: ClusterTestContext, hasFailed: boolean): Promise<void> {
    try {
      if (hasFailed) process.stderr.write(`\n${await failureReport(cluster, namespace)}`);
      await cluster.reset();
      await cluster.settle();
    } finally {
      this.#isInTest = false;
    }
  }

  /** Stops the cluster, if a test has started it. */
  async close(): Promise<void> {
    const cluster = await this.#started?.catch(() => undefined);
    await cluster?.stop();
  }
}

/** Tells what a failed test leaves behind in its namespace: the explanation of each workload that is not complete, and the last events. Ends with a newline. */
async function failureReport(cluster: ClusterInNamespace, namespace: string): Promise<string> {
  const sections: string[] = [];
  for (const kind of EXPLAINED) {
    for (const object of await cluster.list(kind)) {
      if (progressOf(object).phase === 'complete') continue;
      sections.push((await cluster.explain(`${kind}/${object.metadata.name}`)).trimEnd());
    }
  }
  const events = eventLines(await cluster.list('events'), EVENTS_SHOWN);
  if (events.length > 0)
    sections.push(`The last events in ${namespace}:\n${events.map((line) => `  ${line}`).join('\n')}`);
  if (sections.length === 0) return `Nothing is left unfinished in ${namespace}, and it has no events.\n`;
  return `${sections.join('\n\n')}\n`;
}
