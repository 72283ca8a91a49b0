import { setImmediate } from 'node:timers/promises';
import type { Journal } from '../../lambdas/adapters/embedded/Journal.ts';
import type { KeyItemStorage } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { MemorySigningKeys } from '../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import type { SyncHistory } from '../../lambdas/explain/SyncHistory.ts';
import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { Ids } from '../../lambdas/ports/Ids.ts';
import type { Tracing } from '../../lambdas/ports/Tracing.ts';
import type { PodRuntime } from '../../lambdas/ports/PodRuntime.ts';
import type { Ports } from '../../lambdas/ports/Ports.ts';
import type { SigningKeys } from '../../lambdas/ports/SigningKeys.ts';
import type { AuditOptions } from '../../lambdas/rest/audit/beginAudit.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { ResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { type Config, parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { explainText } from '../../lambdas/functions/explain/serveExplain.ts';
import { createHandlers, type Handlers, type Log } from './createHandlers.ts';
import { EventLoopTurns } from './EventLoopTurns.ts';
import { openDashboard } from '../dashboard/openDashboard.ts';
import { endWatches } from '../../lambdas/functions/api/endWatches.ts';
import { componentVersion } from '../../lambdas/rest/discovery/serverVersion.ts';
import type { KubernetesRelease } from '../../lambdas/objects/KubernetesRelease.ts';
import type { ServerAddress } from '../../lambdas/functions/resync/restoreKubernetesService.ts';
import { podsAddress } from './podsAddress.ts';
import { apiServerAddress } from '../../lambdas/registry/services/ServiceNetwork.ts';
import { bootstrapCluster } from '../../lambdas/functions/resync/bootstrapCluster.ts';
import { type HttpServer, LOOPBACK, openHttpServer } from '../host/openHttpServer.ts';
import type { Administrator } from './Administrator.ts';
import { type EmbeddedParts, type EmbeddedPartsOptions, openEmbeddedPorts } from './openEmbeddedPorts.ts';
import { Pumps } from './Pumps.ts';
import type { NodeSpec } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { ServedGroup } from './ServedGroup.ts';

export interface ControlPlaneOptions {
  readonly config?: Config;
  /** Where objects are kept. Default: in memory, lost with the process. It is closed with the control plane. */
  readonly journal?: Journal;
  /** Where intents are kept; it should be as durable as the journal. */
  readonly keyItems?: KeyItemStorage;
  /** Where the key of the service accounts' tokens is kept. Default: in memory. */
  readonly signingKeys?: SigningKeys;
  /** With one, clients authenticate, RBAC decides what they may do, and the server speaks HTTPS as well. */
  readonly administrator?: Administrator;
  /** What is recorded of requests, and where; the log is closed with the control plane. Absent: nothing. */
  readonly audit?: AuditOptions | undefined;
  /** Follows requests and what they cause; its spans are sent before the control plane has stopped. Absent: nothing is followed. */
  readonly tracing?: Tracing | undefined;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** The address to listen on. Default: loopback, and only there without an administrator. */
  readonly listen?: string | undefined;
  /** The number of nodes, or the nodes themselves. Default: three. */
  readonly nodes?: number | readonly NodeSpec[];
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly podRuntime?: PodRuntime;
  readonly log?: Log;
  /** Called with the server's URL before the first request is answered. */
  readonly onListening?: (url: string) => void;
  /** Wraps the API for requests over HTTP; `fetch` calls the API directly. */
  readonly intercept?: (api: ApiHandler) => ApiHandler;
  /** A group of the API that only this control plane serves. */
  readonly group?: ServedGroup;
  /** Wraps the registry that the controllers use. */
  readonly registryForControllers?: (registry: Registry) => Registry;
}

export interface ControlPlane {
  /** `http://127.0.0.1:8001` */
  readonly url: string;
  /** The address of the page that shows rollouts. It has a key if clients authenticate. */
  readonly dashboardUrl: string;
  readonly port: number;
  readonly ports: Ports;
  readonly registry: Registry;
  readonly history: SyncHistory;
  /** The resources that are served. */
  readonly catalog: ResourceCatalog;
  /** Resolves if the store can no longer be written; nothing works after that. */
  readonly failed: Promise<Error>;
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Explains the state of an object, such as `deployment/default/web`, as text. Throws a TypeError for an invalid key, an Error for an unknown one. */
  explain(key: string): Promise<string>;
  /** Resolves when nothing is left to do at this instant: every change has been turned into keys, and no key is being synced or due. */
  whenIdle(): Promise<void>;
  /** True if no object was stored before this start. */
  readonly isNew: boolean;
  /** The version of the newest change. */
  newestVersion(): number;
  /** Removes an object, whatever finalizers or grace period it has. Does nothing if it is gone. */
  removeAtOnce(key: ObjectKey): Promise<void>;
  /** Creates those objects again that every cluster has from the start, if they are gone. */
  bootstrap(): Promise<void>;
  /** The number of syncs that have begun. */
  syncCount(): number;
  /** Stops everything within two seconds; durable storage stays. */
  stop(): Promise<void>;
}

/** How long `stop` waits for running syncs; the resync of the next start does the rest. In real time, since a virtual clock may stand still. */
const STOP_GRACE_MS = 1_000;
const DEFAULT_NODE_COUNT = 3;

/**
 * Starts a whole control plane in this process: the same handlers that run as functions in the cloud, over embedded adapters, with the REST API on a loopback
 * port. Several can run side by side. Resolves when the API answers; rejects with Node's error if the port cannot be used.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { config = parseConfig(), log = () => {}, journal = journalInMemory(options.clock), administrator } = options;
  const parts = await openParts({
    ...options,
    journal,
    log,
    giveTurn: turnsOf(options.clock),
    kubeletCredentials: administrator?.authority?.kubeletCredentials,
    isPublic: options.listen !== undefined,
    onAdded: (controller) => handlers.metrics.added(controller),
  });
  const { registryForControllers, signingKeys = new MemorySigningKeys(), intercept = (api) => api } = options;
  let http: HttpServer | undefined;
  const handlers = createHandlers({
    ports: parts.ports,
    config,
    log,
    signingKeys,
    administrator,
    audit: options.audit,
    tracing: options.tracing,
    isPublic: options.listen !== undefined,
    serverAddress: () => http && serverAddressOf(options, http.port),
    registryForControllers,
    group: options.group,
  });
  const pumps = new Pumps(parts, handlers, config, log, turnsOf(options.clock));
  const stopping = new AbortController();
  try {
    const isNew = parts.store.isEmpty();
    await options.group?.attach({ ports: parts.ports, registry: handlers.registry, stream: parts.store.stream });
    const plain = endWatches(handlers.api, stopping.signal);
    const dashboard = openDashboard(plain, {
      stopping: stopping.signal,
      nowMs: () => parts.ports.clock.now(),
      token: administrator?.token,
      isPublic: options.listen !== undefined,
    });
    http = await openHttpServer(dashboard.before(intercept(plain)), {
      port: options.port ?? 0,
      address: options.listen,
      certificate: administrator,
      clientAuthority: administrator?.authority?.certificate,
    });
    const { port } = http;
    const url = `http://${hostOf(options.listen)}:${port}`;
    options.onListening?.(url);
    await pumps.start();
    const bootstrap = () => bootstrapAll(parts, handlers, options, port);
    await bootstrap();
    const controlPlane = controlPlaneOf(parts, handlers, pumps, { ...http, url }, { ...options, stopping });
    return { ...controlPlane, dashboardUrl: dashboard.urlAt(url), isNew, bootstrap };
  } catch (error) {
    await http?.close();
    await pumps.stop();
    await options.audit?.log.close();
    await parts.close();
    throw error;
  }
}

/** Closes the storage if it cannot be read, so that the data directory is unlocked again. */
async function openParts(options: EmbeddedPartsOptions): Promise<EmbeddedParts> {
  try {
    return openEmbeddedPorts(options);
  } catch (error) {
    await options.journal.close();
    await options.keyItems?.close();
    throw error;
  }
}

async function bootstrapAll(
  { ports }: EmbeddedParts,
  { registry, catalog }: Handlers,
  options: ControlPlaneOptions,
  port: number,
): Promise<void> {
  const { nodes, administrator, listen } = options;
  const served = catalog.builtIn.map(({ groupResource }) => groupResource);
  await bootstrapCluster(
    registry,
    served,
    nodeSpecs(nodes),
    ports.clock.now(),
    catalog.release,
    serverAddressOf(options, port),
    options.config && apiServerAddress(options.config.serviceNetwork),
  );
  const { release } = catalog;
  if (administrator) await ensureIdentities(registry, administrator, { listen, port, release });
  if (!options.config?.requestLimits) return;
  const { ensureFlowControl } = await import('../../lambdas/rest/flowcontrol/ensureFlowControl.ts');
  await ensureFlowControl(registry, served);
}

/** Pods do not trust a server without HTTPS. */
function serverAddressOf({ administrator, listen }: ControlPlaneOptions, port: number): ServerAddress | undefined {
  return administrator && podsAddress(listen, port);
}

/** The roles are long tables, and the configurations long texts, which a server without permissions does not load. */
async function ensureIdentities(
  registry: Registry,
  { authority }: Administrator,
  {
    listen,
    port,
    release,
  }: { readonly listen: string | undefined; readonly port: number; readonly release: KubernetesRelease },
): Promise<void> {
  const { ensureDefaultRoles } = await import('../../lambdas/rest/rbac/ensureDefaultRoles.ts');
  await ensureDefaultRoles(registry, { signsCertificates: authority !== undefined, hasControllerRoles: true });
  if (!authority) return;
  const [{ ensureJoinConfig }, { publishClientAuthority }, { advertisedHost }] = await Promise.all([
    import('./ensureJoinConfig.ts'),
    import('../../lambdas/functions/resync/publishClientAuthority.ts'),
    import('./joinConfig.ts'),
  ]);
  const server = `https://${advertisedHost(listen)}:${port}`;
  await publishClientAuthority(registry, {
    certificate: () => Promise.resolve(authority.certificate),
    createProxyAuthority: authority.createProxyAuthority,
  });
  await ensureJoinConfig(registry, { server, authority: authority.certificate, version: componentVersion(release) });
}

function nodeSpecs(nodes: number | readonly NodeSpec[] = DEFAULT_NODE_COUNT): readonly NodeSpec[] {
  return typeof nodes === 'number' ? Array.from({ length: nodes }, () => ({})) : nodes;
}

/** The host under which this machine reaches a server that listens on the address. */
function hostOf(address: string | undefined): string {
  if (address === undefined || address === '0.0.0.0' || address === '::') return LOOPBACK;
  return address.includes(':') ? `[${address}]` : address;
}

function controlPlaneOf(
  parts: EmbeddedParts,
  handlers: Handlers,
  pumps: Pumps,
  http: HttpServer & { readonly url: string },
  { stopping, audit, tracing }: Pick<ControlPlaneOptions, 'audit' | 'tracing'> & { readonly stopping: AbortController },
): Omit<ControlPlane, 'bootstrap' | 'dashboardUrl' | 'isNew'> {
  return {
    url: http.url,
    port: http.port,
    ports: parts.ports,
    registry: handlers.registry,
    history: handlers.history,
    catalog: handlers.catalog,
    newestVersion: () => parts.store.stream.newestVersion,
    removeAtOnce: handlers.removeAtOnce,
    syncCount: () => parts.ports.workQueue.handedOutCount,
    failed: parts.store.failed,
    fetch: handlers.api,
    explain: (key) => explainText(handlers.explain, key),
    whenIdle: () => pumps.whenIdle(),
    stop: async () => {
      stopping.abort();
      const ended = Promise.all([pumps.stop(), http.close()]);
      const sent = ended.then(() => tracing?.flush());
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS).unref())]);
      await audit?.log.close();
      await parts.close();
    },
  };
}

/** Without turns of the event loop, a long rollout would keep all requests waiting. On a virtual clock there are none: all that is due at one instant happens in the same order in each run. */
function turnsOf(clock: Clock | undefined): (() => Promise<void>) | undefined {
  return clock instanceof VirtualClock ? undefined : () => setImmediate();
}

const WRITES_IN_TURN = 4;

/** Writes in memory wait for nothing, so the event loop turns between them. */
function journalInMemory(clock: Clock | undefined): MemoryJournal {
  const giveTurn = turnsOf(clock);
  if (giveTurn === undefined) return new MemoryJournal();
  const turns = new EventLoopTurns(giveTurn, WRITES_IN_TURN);
  return new MemoryJournal(() => turns.afterWork());
}
