import type { ModelBenchOptions } from './modelBench.ts';

/** What is warmed for a thousand pods a second, and for four thousand. */
const WARM_1000 = {
  objects: { writeUnitsPerSecond: 16_000 },
  keys: { writeUnitsPerSecond: 16_000 },
  versions: { writeUnitsPerSecond: 16_000 },
};
const WARM_4000 = {
  objects: { writeUnitsPerSecond: 40_000 },
  keys: { writeUnitsPerSecond: 40_000 },
  log: { writeUnitsPerSecond: 8_000 },
  versions: { writeUnitsPerSecond: 16_000 },
};

type Target = Omit<ModelBenchOptions, 'knobs' | 'watches' | 'isOnlyCreated'> & { readonly knobs: object };

/** What the stack must bear while nothing is throttled for more than a second. */
export const MODEL_TARGETS: Readonly<Record<string, Target>> = {
  namespace: {
    pods: 10_000,
    namespaces: 1,
    deployments: 20,
    podsPerSecond: 1_000,
    knobs: { warmThroughput: WARM_1000, syncMaxConcurrency: 150 },
  },
  cluster: {
    pods: 40_000,
    namespaces: 100,
    deployments: 1,
    podsPerSecond: 4_000,
    knobs: { warmThroughput: WARM_4000, syncMaxConcurrency: 300 },
  },
  replicaset: {
    pods: 50_000,
    namespaces: 1,
    deployments: 1,
    knobs: { warmThroughput: WARM_1000, syncMaxConcurrency: 150 },
  },
  rollout: {
    pods: 100_000,
    namespaces: 100,
    deployments: 1,
    knobs: { warmThroughput: WARM_1000, syncMaxConcurrency: 150 },
  },
};
