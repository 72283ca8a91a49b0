import type { Journal } from '../../lambdas/adapters/embedded/Journal.ts';
import type { KeyItemStorage } from '../../lambdas/adapters/embedded/KeyItemStorage.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import type { SyncHistory } from '../../lambdas/functions/sync/SyncHistory.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { Ids } from '../../lambdas/ports/Ids.ts';
import type { PodRuntime } from '../../lambdas/ports/PodRuntime.ts';
import type { Ports } from '../../lambdas/ports/Ports.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import { type Config, parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { explainText } from '../explain/serveExplain.ts';
import { createHandlers, type Handlers, type Log } from './createHandlers.ts';
import { endWatches } from './endWatches.ts';
import { bootstrapCluster } from '../../lambdas/functions/resync/bootstrapCluster.ts';
import { type HttpServer, LOOPBACK, openHttpServer } from './openHttpServer.ts';
import { type EmbeddedParts, openEmbeddedPorts } from './openEmbeddedPorts.ts';
import { Pumps } from './Pumps.ts';
import type { NodeSpec } from '../../lambdas/functions/resync/simulatedNode.ts';

export interface ControlPlaneOptions {
  readonly config?: Config;
  /** Where objects are kept; absent: in memory, gone with the process. It is closed with the control plane. */
  readonly journal?: Journal;
  /** Where intents are kept; as durable as the journal. */
  readonly keyItems?: KeyItemStorage;
  /** 0, which is also the default, picks a free one. */
  readonly port?: number;
  /** How many nodes there are, or which; three if absent. */
  readonly nodes?: number | readonly NodeSpec[];
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly podRuntime?: PodRuntime;
  readonly log?: Log;
  /** Stands between clients and the API; not between `fetch` and it. */
  readonly intercept?: (api: ApiHandler) => ApiHandler;
  /** What controllers read and write through, instead of the registry itself. */
  readonly registryForControllers?: (registry: Registry) => Registry;
}

export interface ControlPlane {
  /** `http://127.0.0.1:8001` */
  readonly url: string;
  readonly port: number;
  readonly ports: Ports;
  readonly registry: Registry;
  readonly history: SyncHistory;
  /** What is served. */
  readonly entries: readonly ResourceEntry[];
  /** Resolves if the store can no longer be written: nothing works from then on. */
  readonly failed: Promise<Error>;
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Why the object behind `deployment/default/web` is as it is, as text. Throws a TypeError for a text that is no key, an Error for an unknown key. */
  explain(key: string): Promise<string>;
  /** Resolves when nothing is left to do at this instant: every change is turned into keys, and no key is being synced or due. */
  whenIdle(): Promise<void>;
  /** How many syncs have begun so far. */
  syncCount(): number;
  /** Ends it within two seconds; what is durable stays. */
  stop(): Promise<void>;
}

/** How long `stop` waits for syncs under way; what they leave undone, the next start's resync will do. By the machine's clock: a virtual one may stand. */
const STOP_GRACE_MS = 1_000;
const DEFAULT_NODE_COUNT = 3;

/**
 * A whole control plane in this process: the handlers that run in the cloud as functions, around embedded adapters, with the REST API on a loopback port. Any
 * number of them can run side by side. Resolves when it answers requests; rejects with Node's error if the port cannot be had.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { config = parseConfig(), log = () => {}, journal = new MemoryJournal() } = options;
  const parts = openEmbeddedPorts({
    ...options,
    journal,
    onAdded: (controller) => handlers.metrics.added(controller),
  });
  const { registryForControllers, intercept = (api) => api } = options;
  const handlers = createHandlers({ ports: parts.ports, config, log, registryForControllers });
  const pumps = new Pumps(parts, handlers, config, log);
  const stopping = new AbortController();
  let http: HttpServer | undefined;
  try {
    http = await openHttpServer(intercept(endWatches(handlers.api, stopping.signal)), options.port ?? 0);
    await pumps.start();
    await bootstrap(parts, handlers, nodeSpecs(options.nodes));
    return controlPlaneOf(parts, handlers, pumps, http, stopping);
  } catch (error) {
    await http?.close();
    await pumps.stop();
    await parts.close();
    throw error;
  }
}

async function bootstrap(
  { ports }: EmbeddedParts,
  { registry, entries }: Handlers,
  nodes: readonly NodeSpec[],
): Promise<void> {
  const served = entries.map(({ groupResource }) => groupResource);
  await bootstrapCluster(registry, served, nodes, ports.clock.now());
}

function nodeSpecs(nodes: number | readonly NodeSpec[] = DEFAULT_NODE_COUNT): readonly NodeSpec[] {
  return typeof nodes === 'number' ? Array.from({ length: nodes }, () => ({})) : nodes;
}

function controlPlaneOf(
  parts: EmbeddedParts,
  handlers: Handlers,
  pumps: Pumps,
  http: HttpServer,
  stopping: AbortController,
): ControlPlane {
  return {
    url: `http://${LOOPBACK}:${http.port}`,
    port: http.port,
    ports: parts.ports,
    registry: handlers.registry,
    history: handlers.history,
    entries: handlers.entries,
    syncCount: () => parts.ports.workQueue.handedOutCount,
    failed: parts.store.failed,
    fetch: handlers.api,
    explain: (key) => explainText(handlers.explain, key),
    whenIdle: () => pumps.whenIdle(),
    stop: async () => {
      stopping.abort();
      const ended = Promise.all([pumps.stop(), http.close()]);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS).unref())]);
      await parts.close();
    },
  };
}
