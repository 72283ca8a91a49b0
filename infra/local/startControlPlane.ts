import { Registry as MetricsRegistry } from 'prom-client';
import type { Journal } from '../../lambdas/adapters/embedded/Journal.ts';
import type { KeyItemStorage } from '../../lambdas/adapters/embedded/KeyItemStorage.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { createEnqueueHandler } from '../../lambdas/functions/enqueue/handler.ts';
import { createResyncHandler } from '../../lambdas/functions/resync/handler.ts';
import { createSyncHandler } from '../../lambdas/functions/sync/handler.ts';
import { EMBEDDED_SYNC_CONFIG } from '../../lambdas/functions/sync/SyncConfig.ts';
import { SyncHistory } from '../../lambdas/functions/sync/SyncHistory.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { Ids } from '../../lambdas/ports/Ids.ts';
import type { PodRuntime } from '../../lambdas/ports/PodRuntime.ts';
import type { Ports } from '../../lambdas/ports/Ports.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { createApiApp } from '../../lambdas/rest/createApiApp.ts';
import { type Config, parseConfig } from '../config.ts';
import { createControllers } from '../controllers.ts';
import { servedEntries } from '../servedEntries.ts';
import { FUNCTIONS, OVERDUE_GRACE_MS } from '../topology.ts';
import { furnishCluster } from './furnishCluster.ts';
import { LOOPBACK, openHttpServer } from './openHttpServer.ts';
import { openEmbeddedPorts } from './openEmbeddedPorts.ts';
import { QueuePump } from './QueuePump.ts';
import { ResyncTimer } from './ResyncTimer.ts';
import { StreamPump } from './StreamPump.ts';
import { WorkQueueMetrics } from './WorkQueueMetrics.ts';

export interface ControlPlaneOptions {
  readonly config?: Config;
  /** Where objects are kept; absent: in memory, gone with the process. It is closed with the control plane. */
  readonly journal?: Journal;
  /** Where intents are kept; as durable as the journal. */
  readonly keyItems?: KeyItemStorage;
  /** 0, which is also the default, picks a free one. */
  readonly port?: number;
  readonly nodeCount?: number;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly podRuntime?: PodRuntime;
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}

export interface ControlPlane {
  /** `http://127.0.0.1:8001` */
  readonly url: string;
  readonly port: number;
  readonly ports: Ports;
  readonly registry: Registry;
  readonly history: SyncHistory;
  /** Resolves if the store can no longer be written: nothing works from then on. */
  readonly failed: Promise<Error>;
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Resolves when nothing is left to do at this instant: every change is turned into keys, and no key is being synced or due. */
  whenIdle(): Promise<void>;
  /** Ends it within two seconds; what is durable stays. */
  stop(): Promise<void>;
}

/** How long `stop` waits for syncs under way; what they leave undone, their redelivered messages or the next start's resync will do. */
const STOP_GRACE_MS = 1_000;
const DEFAULT_NODE_COUNT = 3;
/** How long a request may go on writing: generous, since everything happens in this process. */
const REQUEST_LIFETIME_MS = 1_000;
/** By which names this server answers; a web page that rebinds its own name to loopback is refused. */
const ALLOWED_HOSTS = [LOOPBACK, 'localhost', '[::1]'];

/**
 * A whole control plane in this process: the handlers that run in the cloud as functions, around embedded adapters, with the REST API on a loopback port. Any
 * number of them can run side by side. Resolves when it answers requests; rejects with Node's error if the port cannot be had.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { config = parseConfig(), log = () => {} } = options;
  const entries = servedEntries(resourceEntries, config);
  const register = new MetricsRegistry();
  const parts = openEmbeddedPorts({
    ...options,
    journal: options.journal ?? new MemoryJournal(),
    onAdded: (controller) => metrics.added(controller),
  });
  const { ports } = parts;
  const { objectStore, clock, ids, workQueue } = ports;
  const registry = createRegistry({ objectStore, clock, ids, entries });
  const controllers = createControllers({
    ports,
    registry,
    entries,
    config,
    requestLifetimeMs: REQUEST_LIFETIME_MS,
    log,
  });
  const metrics = new WorkQueueMetrics({
    register,
    clock,
    controllers: controllers.map(({ name }) => name),
    depth: (controller) => workQueue.depth(controller),
  });
  const history = new SyncHistory();

  const stream = new StreamPump({
    stream: parts.store.stream,
    changeLog: ports.changeLog,
    clock,
    resources: [...new Set(controllers.flatMap(({ watches }) => watches))],
    handler: createEnqueueHandler({ workQueue, controllers, log }),
  });
  const queue = new QueuePump({
    queue: workQueue,
    handler: createSyncHandler({
      ports,
      controllers,
      config: EMBEDDED_SYNC_CONFIG,
      metrics,
      log,
      onSync: (record) => history.add(record),
    }),
    workers: new Map(controllers.map(({ name }) => [name, config.controllers[name].workers])),
  });
  const resync = createResyncHandler({ ports, controllers });
  const timer = new ResyncTimer(clock, resync, log);
  const app = createApiApp({
    registry,
    entries,
    changeLog: ports.changeLog,
    clock,
    ids,
    metrics: register,
    allowedHosts: ALLOWED_HOSTS,
    logError: (message, cause) => log({ level: 'error', msg: message, error: String(cause) }),
  });
  const fetch = async (request: Request): Promise<Response> => await app.fetch(request);

  await stream.start();
  await furnishCluster(
    registry,
    entries.map(({ groupResource }) => groupResource),
    options.nodeCount ?? DEFAULT_NODE_COUNT,
    clock.now(),
  );
  const http = await openHttpServer(fetch, options.port ?? 0).catch(async (error: unknown) => {
    await stream.stop();
    await parts.close();
    throw error;
  });
  queue.start();
  await resync({ what: 'all' });
  timer.every(FUNCTIONS.resync.trigger.periods.overdueMs, { what: 'overdue', graceMs: OVERDUE_GRACE_MS });
  timer.every(config.resyncPeriodMs, { what: 'all' });

  return {
    url: `http://${LOOPBACK}:${http.port}`,
    port: http.port,
    ports,
    registry,
    history,
    failed: parts.store.failed,
    fetch,
    whenIdle: () => whenIdle(workQueue, stream),
    stop: async () => {
      timer.stop();
      const pumps = Promise.allSettled([queue.stop(), stream.stop(), http.close()]);
      await Promise.race([pumps, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS).unref())]);
      await parts.close();
    },
  };
}

async function whenIdle(
  workQueue: { readonly handedOutCount: number; isIdle(): boolean; whenIdle(): Promise<void> },
  stream: StreamPump,
): Promise<void> {
  for (;;) {
    await workQueue.whenIdle();
    const handedOut = workQueue.handedOutCount;
    const progress = stream.progress();
    const isDrained = await stream.isDrained();
    if (!isDrained) await progress;
    // A sync that came and went while the heads were read may have written behind them.
    else if (workQueue.isIdle() && workQueue.handedOutCount === handedOut) return;
  }
}
