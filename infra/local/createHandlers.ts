import { Registry as MetricsRegistry } from 'prom-client';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import type { Controller } from '../../lambdas/controllers/Controller.ts';
import { type ApiHandler, createApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import { createEnqueueHandler, type EnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import { createResyncHandler, type ResyncHandler } from '../../lambdas/functions/resync/createResyncHandler.ts';
import {
  restoreKubernetesService,
  type ServerAddress,
} from '../../lambdas/functions/resync/restoreKubernetesService.ts';
import { createSyncHandler, type SyncHandler } from '../../lambdas/functions/sync/createSyncHandler.ts';
import { EMBEDDED_SYNC_CONFIG } from '../../lambdas/functions/sync/SyncConfig.ts';
import { SyncHistory } from '../../lambdas/explain/SyncHistory.ts';
import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import { AdmissionReads } from '../../lambdas/registry/admission/AdmissionReads.ts';
import { apiServerAddress } from '../../lambdas/registry/services/ServiceNetwork.ts';
import { createRegistry, removeAtOnce } from '../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { DefinedResources } from '../../lambdas/registry/customresources/DefinedResources.ts';
import { KubeletScrapes } from '../../lambdas/registry/metrics/KubeletScrapes.ts';
import { createResourceCatalog, type ResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import type { Tracing } from '../../lambdas/ports/Tracing.ts';
import type { SigningKeys } from '../../lambdas/ports/SigningKeys.ts';
import { openTokens } from '../../lambdas/rest/authentication/authenticateToken.ts';
import { withBootstrapTokens } from '../../lambdas/rest/authentication/bootstrapTokens.ts';
import type { AuditOptions } from '../../lambdas/rest/audit/beginAudit.ts';
import { withNodeRules } from '../../lambdas/rest/nodeauthorizer/withNodeRules.ts';
import { createRbacAuthorizer } from '../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import type { FlowControlOptions } from '../../lambdas/rest/flowcontrol/FlowControl.ts';
import { EmbeddedRequestLimits } from '../../lambdas/adapters/embedded/EmbeddedRequestLimits.ts';
import { FLOWS_REMEMBER_MS, REQUEST_LIFETIME_MS } from '../../lambdas/functions/limits.ts';
import type { Config } from '../../lambdas/functions/parseConfig.ts';
import { createWebhooks } from '../../lambdas/functions/createWebhooks.ts';
import { createControllers } from '../../lambdas/functions/sync/createControllers.ts';
import { servedEntries } from '../../lambdas/functions/servedEntries.ts';
import { createExplainer, type Explainer } from '../../lambdas/functions/explain/createExplainer.ts';
import { serveExplain } from '../../lambdas/functions/explain/serveExplain.ts';
import { type Administrator, rootCertificate } from './Administrator.ts';
import { identifyUsers } from './identifyUsers.ts';
import type { EmbeddedPorts } from './openEmbeddedPorts.ts';
import { LOOPBACK } from '../host/openHttpServer.ts';
import type { ServedGroup } from './ServedGroup.ts';
import { WorkQueueMetrics } from './WorkQueueMetrics.ts';

/** How long the namespace controller waits for requests that were admitted before. A second is generous, since everything happens in this process. */
const LOCAL_LATE_CREATES_MS = 1_000;

/** The host names that the server accepts. This refuses web pages that reach loopback through a DNS name of their own. */
const ALLOWED_HOSTS = [LOOPBACK, 'localhost', '[::1]'];

/** Not those of a seed, or each request would change which names and UIDs come after it. */
const REQUEST_IDS = new SystemIds();

export type Log = (line: Readonly<Record<string, unknown>>) => void;

export interface HandlerParts {
  readonly ports: EmbeddedPorts;
  readonly config: Config;
  readonly log: Log;
  readonly signingKeys: SigningKeys;
  /** What is recorded of requests. Absent: nothing. */
  readonly audit?: AuditOptions | undefined;
  /** Absent: nothing belongs to a trace. */
  readonly tracing?: Tracing | undefined;
  /** The kubeconfig's user. Absent: nobody needs to authenticate, and no permissions are checked. */
  readonly administrator?: Administrator | undefined;
  /** True if other machines reach the server, under whatever name. */
  readonly isPublic?: boolean;
  /** Where pods reach the server, once it listens. */
  readonly serverAddress?: () => ServerAddress | undefined;
  readonly registryForControllers?: ((registry: Registry) => Registry) | undefined;
  /** Resources beside the usual ones, and what answers their actions. */
  readonly group?: Pick<ServedGroup, 'entries' | 'actions' | 'scriptedPod'> | undefined;
}

/** The handlers that run as functions in the cloud, and the parts of them that the local composition uses. */
export interface Handlers {
  readonly api: ApiHandler;
  readonly explain: Explainer;
  readonly enqueue: EnqueueHandler;
  readonly sync: SyncHandler;
  readonly resync: ResyncHandler;
  readonly registry: Registry;
  readonly removeAtOnce: (key: ObjectKey) => Promise<void>;
  readonly catalog: ResourceCatalog;
  readonly controllers: readonly Controller[];
  readonly history: SyncHistory;
  readonly metrics: WorkQueueMetrics;
}

/** Creates all handlers of a control plane over the given ports, with metrics and a history of their own. */
export function createHandlers(parts: HandlerParts): Handlers {
  const {
    ports,
    config,
    log,
    signingKeys,
    administrator,
    audit,
    tracing,
    isPublic = false,
    registryForControllers = (it) => it,
    group,
  } = parts;
  const register = new MetricsRegistry();
  // All writes pass through this process.
  const custom = new DefinedResources({ ...ports, rememberMs: Number.POSITIVE_INFINITY });
  const catalog = createResourceCatalog(
    [...servedEntries(resourceEntries, config), ...(group?.entries ?? [])],
    custom,
    config.kubernetesVersion,
  );
  const { admitsServiceAccounts, serviceNetwork } = config;
  const admission = new AdmissionReads({ ...ports, classesRememberMs: Number.POSITIVE_INFINITY });
  const rememberMs = Number.POSITIVE_INFINITY;
  const webhooks = createWebhooks({ ...ports, catalog, admission, config, rememberMs });
  const registryParts = { ...ports, catalog, admission, admitsServiceAccounts, serviceNetwork, ...webhooks };
  const registry = createRegistry(registryParts);
  const kubelets = new KubeletScrapes({ ...ports, log });
  const controllers = createControllers({
    ports,
    kubelets,
    registry: registryForControllers(registry),
    catalog,
    config,
    lateCreatesMs: LOCAL_LATE_CREATES_MS,
    sharesObjects: true,
    exactLog: ports.changeLog,
    rootCaBundle: administrator && rootCertificate(administrator),
    certificateAuthority: administrator?.authority?.signer,
    log,
  });
  const history = new SyncHistory();
  const metrics = new WorkQueueMetrics({
    register,
    clock: ports.workClock,
    controllers: controllers.map(({ name }) => name),
    depth: (controller) => ports.workQueue.depth(controller),
  });
  const onSync = history.add.bind(history);
  const explain = createExplainer({
    ports,
    registry,
    catalog,
    history,
    kubelets,
    queue: ports.workQueue,
    clocksDifferMs: 0,
  });
  const { tokens, authenticateToken } = openTokens({ registry, clock: ports.clock, signingKeys });
  const api = createApiHandler({
    ...ports,
    ...identifyUsers({
      authenticateToken: withBootstrapTokens(authenticateToken, { registry, clock: ports.clock }),
      administratorToken: administrator?.token,
    }),
    ...(administrator && { authorizer: withNodeRules(createRbacAuthorizer(registry), registry) }),
    registry,
    tokens,
    ...webhooks,
    catalog,
    kubelets,
    actions: group?.actions,
    scriptedPod: group?.scriptedPod,
    requestLifetimeMs: REQUEST_LIFETIME_MS,
    metrics: register,
    audit,
    requestIds: REQUEST_IDS,
    flowControl: openFlowControl(parts),
    tracing,
    allowedHosts: isPublic ? undefined : ALLOWED_HOSTS,
    logError: (message, cause) => log({ level: 'error', msg: message, error: describe(cause) }),
  });
  return {
    api: serveExplain(api, explain, ALLOWED_HOSTS),
    explain,
    enqueue: createEnqueueHandler({ ...ports, controllers, log }),
    sync: createSyncHandler({ ports, controllers, config: EMBEDDED_SYNC_CONFIG, metrics, log, onSync, tracing }),
    resync: restoring(createResyncHandler({ ports, controllers, log }), { ...parts, registry, catalog }),
    registry,
    removeAtOnce: (key) => removeAtOnce(registryParts, key),
    catalog,
    controllers,
    history,
    metrics,
  };
}

/** Absent for a server without request limits. */
function openFlowControl({ ports, config, log }: HandlerParts): FlowControlOptions | undefined {
  const { requestLimits: settings } = config;
  if (!settings) return undefined;
  const { objectStore, clock } = ports;
  const limits = new EmbeddedRequestLimits(clock);
  const report: Log = ({ error, ...line }) => log({ ...line, ...(error !== undefined && { error: describe(error) }) });
  return { settings, limits, objects: { objectStore, clock, rememberMs: FLOWS_REMEMBER_MS }, clock, report };
}

interface RestoringParts extends Pick<HandlerParts, 'config' | 'log' | 'serverAddress'> {
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
}

/** Looks each minute, as `resync` does in the cloud, whether the Service of the API server is still there. */
function restoring(
  resync: ResyncHandler,
  { registry, catalog, config, log, serverAddress = () => undefined }: RestoringParts,
): ResyncHandler {
  const served = catalog.builtIn.map(({ groupResource }) => groupResource);
  const clusterIp = apiServerAddress(config.serviceNetwork);
  return async (request) => {
    const queued = await resync(request);
    const refused =
      request.what === 'overdue' ? await restoreKubernetesService(registry, served, serverAddress(), clusterIp) : [];
    for (const { message } of refused) log({ level: 'warn', msg: 'resync', error: message });
    return queued;
  };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
