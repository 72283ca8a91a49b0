import type { Json } from './baseOf.ts';

const MAX = 2 ** 31 - 1;
/** The highest number of seconds that a 64-bit integer and a double both hold. */
const LONGEST = 9_223_372_036_854_774_784;
const INDEXED = { completionMode: 'Indexed', successPolicy: null, podFailurePolicy: null };
const PLAIN = { completionMode: 'NonIndexed', successPolicy: null, podFailurePolicy: null, backoffLimitPerIndex: null };
const CONTAINERS = [{ name: 'c', image: 'a:1' }];
const SIMULATE = 'simulate.driftless.dev';

/**
 * Numbers that validation admits only together, or that are worst together, as changes of the spec and, where there are some, annotations. What a reader or an accident finds next is one line more.
 */
export const NUMBERS_TOGETHER: readonly (readonly [string, string, Json, Json?])[] = [
  ['statefulsets.apps', 'most replicas, in order', { replicas: MAX, podManagementPolicy: 'OrderedReady' }],
  ['statefulsets.apps', 'most replicas, from the last ordinal', { replicas: MAX, ordinals: { start: MAX } }],
  ['statefulsets.apps', 'an ordinal beyond the last one', { replicas: 3, ordinals: { start: MAX } }],
  [
    'statefulsets.apps',
    'a partition of most replicas',
    { replicas: MAX, updateStrategy: { rollingUpdate: { partition: MAX } } },
  ],
  [
    'deployments.apps',
    'the longest wait until a pod counts',
    { minReadySeconds: MAX - 1, progressDeadlineSeconds: MAX },
  ],
  [
    'deployments.apps',
    'most of everything',
    { replicas: MAX, strategy: { rollingUpdate: { maxSurge: MAX, maxUnavailable: MAX } } },
  ],
  ['daemonsets.apps', 'the highest surge', { updateStrategy: { rollingUpdate: { maxSurge: MAX, maxUnavailable: 0 } } }],
  ['jobs.batch', 'most indexes', { ...INDEXED, completions: MAX, parallelism: 10_000, maxFailedIndexes: 10_000 }],
  [
    'jobs.batch',
    'most indexes that Kubernetes runs at once',
    { ...INDEXED, completions: 100_000, parallelism: 100_000 },
  ],
  ['jobs.batch', 'most pods', { ...PLAIN, completions: MAX, parallelism: MAX, backoffLimit: MAX }],
  ['jobs.batch', 'any number of completions', { ...PLAIN, completions: null, parallelism: MAX }],
  ['cronjobs.batch', 'a day that never comes', { schedule: '0 0 31 2 *' }],
  ['cronjobs.batch', 'the longest period', { schedule: '@every 2562047h', startingDeadlineSeconds: LONGEST }],
  ['cronjobs.batch', 'the shortest period', { schedule: '@every 1s', startingDeadlineSeconds: LONGEST }],
  ['cronjobs.batch', 'the shortest period below a second', { schedule: '@every 1ns' }],
  ['cronjobs.batch', 'a step beyond the field', { schedule: '*/2147483647 0-23/9007199254740991 * * *' }],
  ['horizontalpodautoscalers.autoscaling', 'most replicas', { minReplicas: MAX, maxReplicas: MAX }],
  ['poddisruptionbudgets.policy', 'a budget of most pods', { minAvailable: null, maxUnavailable: MAX }],
  ['pods', 'the longest grace', { terminationGracePeriodSeconds: LONGEST, activeDeadlineSeconds: MAX }],
  [
    'pods',
    'the longest toleration',
    { tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: LONGEST }] },
  ],
  [
    'pods',
    'a start that takes for ever',
    { containers: CONTAINERS },
    { [`${SIMULATE}/start-delay`]: `${'9'.repeat(400)}h` },
  ],
  [
    'pods',
    'a pod that is ready after the end of time',
    { containers: CONTAINERS },
    { [`${SIMULATE}/ready-after`]: '99999999999999h' },
  ],
  [
    'pods',
    'a crash after the end of time',
    { containers: CONTAINERS },
    { [`${SIMULATE}/crash-after`]: '9999999999999999999h' },
  ],
  [
    'pods',
    'most indexes that fail',
    { containers: CONTAINERS },
    { [`${SIMULATE}/fail-indexes`]: '0-2147483646,5-9007199254740991' },
  ],
  ['pods', 'most attempts that fail', { containers: CONTAINERS }, { [`${SIMULATE}/fail-attempts`]: '9'.repeat(400) }],
  ['pods', 'a load beyond any number', { containers: CONTAINERS }, { [`${SIMULATE}/load-cpu`]: '1e1000' }],
];
