import type { ModelBenchOptions } from './modelBench.ts';

/** With more than this, more shards race for the order of the log and more processes share a counter, and fewer pods are created a second. */
const WARM = {
  objects: { writeUnitsPerSecond: 16_000 },
  keys: { writeUnitsPerSecond: 16_000 },
  versions: { writeUnitsPerSecond: 16_000 },
};
const KNOBS = { warmThroughput: WARM, syncMaxConcurrency: 150 };
/**
 * 4,000 pods a second are about 15,000 writes of objects, and some partitions get a quarter more than others. And of the 16 places of a namespace's pods, chance puts three into one of 16 partitions; it then has to bear three
 * sixteenths of all reads of 50,000 pods.
 */
const MORE_PARTITIONS = { ...WARM, objects: { writeUnitsPerSecond: 24_000 } };

type Target = Omit<ModelBenchOptions, 'knobs' | 'watches' | 'shape' | 'isOnlyCreated'> & { readonly knobs: object };

/** What the stack must bear while nothing is throttled for more than a second. */
export const MODEL_TARGETS: Readonly<Record<string, Target>> = {
  namespace: {
    pods: 10_000,
    namespaces: 1,
    deployments: 20,
    podsPerSecond: 1_000,
    knobs: KNOBS,
  },
  cluster: {
    pods: 40_000,
    namespaces: 40,
    deployments: 1,
    podsPerSecond: 4_000,
    knobs: { ...KNOBS, warmThroughput: MORE_PARTITIONS },
  },
  replicaset: {
    pods: 50_000,
    namespaces: 1,
    deployments: 1,
    knobs: { ...KNOBS, warmThroughput: MORE_PARTITIONS },
  },
  rollout: {
    pods: 100_000,
    namespaces: 100,
    deployments: 1,
    // 4,000 pods a second are created, and 2,000 are created and 2,000 deleted when they are rolled.
    apartMs: { created: 250, rolled: 500 },
    knobs: { ...KNOBS, warmThroughput: MORE_PARTITIONS },
  },
};
