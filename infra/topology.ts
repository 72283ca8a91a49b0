import {
  API_TIMEOUT_MS,
  DEFAULT_RESYNC_PERIOD_MS,
  HEARTBEAT_PERIOD_MS,
  MINUTE_MS,
  OVERDUE_PERIOD_MS,
} from '../lambdas/functions/limits.ts';

/**
 * The functions of a control plane, their triggers, and the numbers that must fit each other, as plain data from which both the local pumps and the cloud
 * stack are made. Times in milliseconds.
 */

export type FunctionName = 'api' | 'authorize' | 'record' | 'enqueue' | 'sync' | 'resync';

type Trigger =
  /** HTTP requests. Answers are streamed, because watches need it. `warmMs`: how often an instance is given something to do, so that it lives until the next request. */
  | { readonly from: 'http'; readonly warmMs: number }
  /** API Gateway's question who sends a request. */
  | { readonly from: 'authorizer'; readonly cacheMs: number; readonly warmMs: number }
  /**
   * The objects' changes. A failing batch is split in halves until the failing record is alone. After `retries`, or when it is older than `maxAgeMs`, a notice of it goes to the on-failure queue: that
   * must happen before the stream drops the record after a day, because then nobody would notice.
   */
  | {
      readonly from: 'stream';
      readonly batchSize: number;
      readonly windowMs: number;
      readonly retries: number;
      readonly maxAgeMs: number;
    }
  | { readonly from: 'workQueue'; readonly batchSize: number; readonly maxConcurrency: number }
  /** `overdue` looks for late wake-ups, `heartbeat` gives the other triggers something to do (in a cloud only), and `all` queues every key. */
  | {
      readonly from: 'schedule';
      readonly periods: { readonly overdueMs: number; readonly heartbeatMs: number; readonly allMs: number };
    };

export interface FunctionSpec {
  readonly name: FunctionName;
  readonly trigger: Trigger;
  readonly timeoutMs: number;
}

const HOUR_MS = 60 * MINUTE_MS;

/** The first part of every path. API Gateway requires one; the API removes it. */
export const STAGE_NAME = 'k8s';

/** Where the API's container listens. */
export const CONTAINER_PORT = 8080;

/** Where it listens for clients that do not come through API Gateway, and the port of the load balancer in front of it: kube-apiserver's. */
export const DIRECT_PORT = 6443;

/** Idle instances were seen to live for five to seven minutes (https://mikhail.io/serverless/coldstarts/aws/intervals/). Where one ends earlier, this starts the next one instead of a person. */
const WARM_PERIOD_MS = 5 * MINUTE_MS;

export const FUNCTIONS = {
  api: { name: 'api', trigger: { from: 'http', warmMs: WARM_PERIOD_MS }, timeoutMs: API_TIMEOUT_MS },
  authorize: {
    name: 'authorize',
    trigger: { from: 'authorizer', cacheMs: 5 * MINUTE_MS, warmMs: WARM_PERIOD_MS },
    timeoutMs: 10_000,
  },
  // Shards race for the order of a resource's log, about sixty batches a second together, so a batch must hold many changes.
  record: {
    name: 'record',
    trigger: { from: 'stream', batchSize: 1_000, windowMs: 0, retries: 20, maxAgeMs: 23 * HOUR_MS },
    timeoutMs: MINUTE_MS,
  },
  enqueue: {
    name: 'enqueue',
    trigger: { from: 'stream', batchSize: 100, windowMs: 0, retries: 20, maxAgeMs: 23 * HOUR_MS },
    timeoutMs: MINUTE_MS,
  },
  sync: { name: 'sync', trigger: { from: 'workQueue', batchSize: 10, maxConcurrency: 50 }, timeoutMs: 40_000 },
  resync: {
    name: 'resync',
    trigger: {
      from: 'schedule',
      periods: { overdueMs: OVERDUE_PERIOD_MS, heartbeatMs: HEARTBEAT_PERIOD_MS, allMs: DEFAULT_RESYNC_PERIOD_MS },
    },
    timeoutMs: 5 * MINUTE_MS,
  },
} as const satisfies Record<FunctionName, FunctionSpec>;

/**
 * The work queue. Its visibility timeout is longer than a sync's lock, so that when a sync dies and its message comes back, the lock has ended. `maxReceives` is the
 * last resort for a key whose syncs always kill the function.
 */
export const WORK_QUEUE = { visibilityTimeoutMs: 90_000, maxReceives: 100 } as const;

/** How late a wake-up may be before `resync` assumes that its delayed message was lost. */
export const OVERDUE_GRACE_MS = 5_000;
