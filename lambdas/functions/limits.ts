import { MAX_RETRIES } from '../controllers/Controller.ts';
import { WRITE_LIFETIME_MS } from '../ports/ObjectStore.ts';

/**
 * The times and counts that several functions rely on, or a function and its trigger. Each number stands only here. `infra/topology.ts` builds on them, and
 * the product's other files import them from here, since they may not import `infra/`. Times in milliseconds.
 */

export const MINUTE_MS = 60_000;

/** API Gateway holds a streamed answer for 15 minutes, as long as Lambda runs a function. */
export const API_TIMEOUT_MS = 15 * MINUTE_MS;

/** A regional API Gateway ends a streamed answer when nothing was sent for five minutes. */
export const API_IDLE_TIMEOUT_MS = 5 * MINUTE_MS;

/** An idle watch shows that it is alive twice a minute: long before API Gateway or a load balancer would cut it. */
export const WATCH_HEARTBEAT_MS = 30_000;

/**
 * How long the API function holds a watch. Lambda never tells a function that its client has gone, so each abandoned watch runs to this end and is billed for it. With
 * 512 MB, 80 s cost $0.00054. The container notices, so it holds watches almost as long as API Gateway does (`LONGEST_WATCH_SECONDS`).
 */
export const FUNCTION_WATCH_SECONDS = { resumed: 60, unresumed: 80 } as const;

/** A minute before API Gateway would cut the answer. */
export const LONGEST_WATCH_SECONDS = (API_TIMEOUT_MS - MINUTE_MS) / 1000;

/** By how much the clocks of machines in the cloud may differ: of functions, and of the queue. AWS sets them by its time service, and promises no number. */
export const CLOUD_CLOCKS_DIFFER_MS = 2_000;

/** How long a request to the API may go on writing after it arrived. kube-apiserver's own limit for requests that are not watches is a minute. */
export const REQUEST_LIFETIME_MS = 30_000;

/**
 * How long `sync` may go by what it read of namespaces, limit ranges, quotas and nodes. It adds to the time for which the namespace controller waits for late creates, so it is short; a function that
 * creates hundreds of pods reads them once in that time instead of hundreds of times.
 */
export const REMEMBER_MS = 3_000;

/** How long a function may go by a CustomResourceDefinition that it has read. The accepted names of a new one are known so long before it is established, see ADR 17. */
export const DEFINITIONS_REMEMBER_MS = 1_000;

/** How long a function may go by the configurations of webhooks and policies that it has read. Each function that writes reads them once in that time. */
export const CONFIGURATIONS_REMEMBER_MS = 1_000;

/** How long a process may go by the flow schemas and priority levels that it has read. */
export const FLOWS_REMEMBER_MS = 10_000;

/** How long after its sender has given up, and closed the connection, DynamoDB may still carry out a request that it has received. */
const ON_ITS_WAY_MS = 2_000;
/** By how much the clocks of two functions may differ. */
export const CLOCKS_DIFFER_MS = 2_000;

/**
 * How long after a namespace's deletion timestamp a create that was admitted before can still have its effect. The timestamp is taken just before the write that stores it, so for one write's lifetime (10 s), and while the write is on its way,
 * the namespace may still be seen active. A create that saw it so, or whose process saw it so up to `REMEMBER_MS` ago, is sent within half a second, and has its effect within another write's lifetime and its way, or never. The namespace controller
 * compares its own clock with the timestamp, which another function has taken.
 */
export const LATE_CREATES_MS = 2 * (WRITE_LIFETIME_MS + ON_ITS_WAY_MS) + REMEMBER_MS + 500 + CLOCKS_DIFFER_MS;

/**
 * How long after the scheduler holds plain pods another process may still bind one: it goes by a notice that it read up to 3 s ago (NOTICE_AGE_MS) and binds with one write (10 s). Clocks differ by 2 s at most; the rest is for what is on its way, as
 * with late creates.
 */
export const PLAIN_HOLD_MS = 3_000 + WRITE_LIFETIME_MS + 2_000 + 5_000;

/** How often the leases of simulated nodes are renewed in the cloud, where each renewal is paid for: half of their 40 s, so that one message may come late. */
export const CLOUD_LEASE_PACE_MS = 20_000;

/**
 * The normal events of pods that one instance of `sync` writes. A kubelet writes 100 at once and 50 a second, but there are hundreds of instances when thousands of pods are created, and a pod that starts well has
 * five events: they would be most of the writes, and of the cost. A few pods always have theirs.
 */
export const INSTANCE_EVENTS = { burst: 100, perSecond: 10 } as const;

/** How often `resync` looks for overdue wake-ups. */
export const OVERDUE_PERIOD_MS = 60_000;

/** How often `resync` gives each trigger something to do, so that one that does nothing is noticed. */
export const HEARTBEAT_PERIOD_MS = 5 * MINUTE_MS;

/**
 * If the first heartbeat that a stream's trigger reads is as old as this, the trigger may have read nothing for a day, and the stream may have dropped records. It is below the 23 hours after which Lambda gives up a record instead of
 * handing it to the function, and by more than the time between two heartbeats.
 */
export const LONGEST_UNREAD_MS = 22 * 60 * MINUTE_MS;

/** How often `resync` queues every key, unless the configuration says otherwise: once a day. */
export const DEFAULT_RESYNC_PERIOD_MS = 24 * 60 * MINUTE_MS;

/** A key that is retried for ever sets off the alarm after as many failures in a row as would give up a Deployment: 15 retries and the first try. */
export const ALARM_AFTER_FAILURES = MAX_RETRIES + 1;
