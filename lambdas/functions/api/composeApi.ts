import { Registry as MetricsRegistry } from 'prom-client';
import { EarlyLog } from '../../adapters/aws/log/EarlyLog.ts';
import { DynamoDbRequestLimits } from '../../adapters/aws/limits/DynamoDbRequestLimits.ts';
import { DynamoDbWatchSlots } from '../../adapters/aws/log/DynamoDbWatchSlots.ts';
import { SystemIds } from '../../adapters/ids/SystemIds.ts';
import { openDynamoDbStore } from '../../adapters/aws/openDynamoDbStore.ts';
import { DynamoDbSigningKeys } from '../../adapters/aws/DynamoDbSigningKeys.ts';
import { HttpsWebhookCaller } from '../../adapters/https/HttpsWebhookCaller.ts';
import { AdmissionReads } from '../../registry/admission/AdmissionReads.ts';
import { createRegistry, createRegistryUntil } from '../../registry/createRegistry.ts';
import { DefinedResources } from '../../registry/customresources/DefinedResources.ts';
import { KubeletScrapes } from '../../registry/metrics/KubeletScrapes.ts';
import { createResourceCatalog } from '../../registry/ResourceCatalog.ts';
import { resourceEntries } from '../../registry/resourceEntries.ts';
import { judgeClaims, openTokens, type TokenReads } from '../../rest/authentication/authenticateToken.ts';
import type { FlowControlOptions } from '../../rest/flowcontrol/FlowControl.ts';
import { createRbacAuthorizer } from '../../rest/rbac/createRbacAuthorizer.ts';
import type { WatchSlots } from '../../ports/WatchSlots.ts';
import { LazyBackendConnections } from '../../adapters/https/LazyBackendConnections.ts';
import { withNodeRules } from '../../rest/nodeauthorizer/withNodeRules.ts';
import type { DirectKeys } from '../direct/DirectKeys.ts';
import { EarlyAppends } from '../direct/EarlyAppends.ts';
import type { Cloud } from '../openCloud.ts';
import { createWebhooks } from '../createWebhooks.ts';
import {
  CLOCKS_DIFFER_MS,
  CONFIGURATIONS_REMEMBER_MS,
  DEFINITIONS_REMEMBER_MS,
  FLOWS_REMEMBER_MS,
  LONGEST_WATCH_SECONDS,
  REQUEST_LIFETIME_MS,
  WATCH_HEARTBEAT_MS,
} from '../limits.ts';
import type { TimeLeft } from '../../ports/ObjectStore.ts';
import { composeTracing } from '../composeTracing.ts';
import { composeAudit } from './composeAudit.ts';
import { composeAuthority } from '../composeAuthority.ts';
import { parseServedConfigText } from '../parseServedConfig.ts';
import { asksToExplain } from '../explain/asksToExplain.ts';
import { ANY_NUMBER, type EnvironmentOf, type StoreEnvironment } from '../readEnvironment.ts';
import { servedEntries } from '../servedEntries.ts';
import { Suspicion } from '../Suspicion.ts';
import { type ApiHandler, createApiHandler } from './createApiHandler.ts';
import type { UserOf } from '../../rest/createApiApp.ts';
import type { ApiEnvironment } from './fromProxyEvent.ts';
import { LateDirectKeys } from './LateDirectKeys.ts';
import { warmApi } from './warmApi.ts';

/** How long watches last: of clients that resume, and of others. The stack validates the numbers. */
interface WatchSeconds {
  readonly resumed: number;
  readonly unresumed: number;
}

/** Opens the objects, their log and the registry that the API answers from. */
export function composeApiStore(environment: StoreEnvironment, cloud: Cloud) {
  const { objectsTable: objects, versionsTable: versions, namespacesTable: namespaces, logTable } = environment;
  const directKeys = new LateDirectKeys(() => loadDirectKeys(environment, cloud), cloud.log);
  const tables = { objects, versions, namespaces, log: logTable };
  const tracing = composeTracing(environment, cloud);
  const opened = openDynamoDbStore({
    ...cloud,
    tables,
    ...(tracing && { tracing }),
    onChange: (resource, change) => {
      early.note(resource, change);
      directKeys.note(resource, change);
    },
  });
  const earlyLog = new EarlyLog({ ...cloud, tables, onAppend: opened.nudge });
  const early = new EarlyAppends({ log: earlyLog, clock: cloud.clock, report: cloud.log });
  const suspicion = new Suspicion();
  const store = { ...opened, objectStore: suspicion.guard(opened.objectStore, cloud.log) };
  const custom = new DefinedResources({ ...cloud, ...store, rememberMs: DEFINITIONS_REMEMBER_MS });
  const config = parseServedConfigText(environment.config);
  const { admitsServiceAccounts, serviceNetwork } = config;
  const catalog = createResourceCatalog(servedEntries(resourceEntries, config), custom, config.kubernetesVersion);
  const admission = new AdmissionReads({ ...cloud, ...store, classesRememberMs: DEFINITIONS_REMEMBER_MS });
  const webhooks = createWebhooks({
    ...cloud,
    ...store,
    webhookCaller: new HttpsWebhookCaller({ hasLocalClients: cloud.hasLocalClients ?? false }),
    catalog,
    admission,
    config,
    rememberMs: CONFIGURATIONS_REMEMBER_MS,
  });
  const parts = { ...cloud, ...store, catalog, admission, admitsServiceAccounts, serviceNetwork, ...webhooks };
  const registryUntil = createRegistryUntil(parts);
  return {
    ...store,
    catalog,
    requestLimits: config.requestLimits,
    directKeys,
    tracing,
    /** Resolves when what this process tells of its writes is told, or after a second. */
    tellAll: async () => void (await Promise.all([directKeys.flush(), early.flush(), tracing?.flush()])),
    ...webhooks,
    registry: suspicion.watchRegistry(createRegistry(parts)),
    registryUntil: (timeLeftMs: TimeLeft) => suspicion.watchRegistry(registryUntil(timeLeftMs)),
  };
}

/** The controllers are needed only to know which keys a change concerns. */
async function loadDirectKeys(environment: Parameters<typeof composeApiStore>[0], cloud: Cloud): Promise<DirectKeys> {
  const compose = cloud.seams?.composeDirectKeys ?? (await import('../direct/composeDirectKeys.ts')).composeDirectKeys;
  return compose(environment, cloud);
}

/** Opens the slots of the function's watches. The container's watches share one process and take no executions, so they need no slots. */
function openWatchSlots({ maxWatches, versionsTable }: EnvironmentOf<'api'>, cloud: Cloud): WatchSlots | undefined {
  if (maxWatches === ANY_NUMBER) return undefined;
  return new DynamoDbWatchSlots({ ...cloud, tableName: versionsTable, count: Number(maxWatches) });
}

/** Absent in a stack without request limits. */
function openFlowControl(
  { logTable }: EnvironmentOf<'api'>,
  cloud: Cloud,
  { objectStore, requestLimits: settings }: ReturnType<typeof composeApiStore>,
): FlowControlOptions | undefined {
  if (!settings) return undefined;
  const { clock, log: report } = cloud;
  const limits = new DynamoDbRequestLimits({ ...cloud, logTable, clocksDifferMs: CLOCKS_DIFFER_MS, report });
  return { settings, limits, objects: { objectStore, clock, rememberMs: FLOWS_REMEMBER_MS }, clock, report };
}

const REFUSES_STREAMS =
  'API Gateway changes the protocol of no connection, so no stream can be opened through it; use the direct address of the container if the stack has one (directAddress), or ask the node itself (crictl exec)';

function openBackends(environment: EnvironmentOf<'api'>, cloud: Cloud): LazyBackendConnections | undefined {
  const authority = composeAuthority(environment, cloud);
  if (environment.kubelets !== 'reach' || !authority) return undefined;
  return new LazyBackendConnections({
    credentials: () => authority.kubeletCredentials(),
    hasLocalClients: cloud.hasLocalClients ?? false,
  });
}

export interface CloudApi {
  readonly fetch: ApiHandler;
  /** Resolves when the keys of what was written have been sent, watchers told, and audit events and spans kept. A function awaits it after its answer, since it stands still afterwards. */
  readonly tellAll: () => Promise<void>;
  /** Does what the first request after a pause would wait for, see `warmApi`. */
  readonly warm: () => Promise<void>;
}

/** Composes the API as a function from requests to answers. */
export function composeApi(environment: EnvironmentOf<'api'>, cloud: Cloud): CloudApi {
  const { resumed, unresumed } = JSON.parse(environment.watchSeconds) as WatchSeconds;
  const store = composeApiStore(environment, cloud);
  const reads = { registry: store.registry, clock: cloud.clock };
  const signingKeys = new DynamoDbSigningKeys({ ...cloud, tableName: environment.versionsTable });
  const backends = openBackends(environment, cloud);
  const audit = composeAudit(environment, cloud);
  const api = createApiHandler({
    ...cloud,
    ...store,
    authorizer: withNodeRules(createRbacAuthorizer(store.registry), store.registry),
    backends,
    kubelets: backends && new KubeletScrapes({ ...cloud, backends }),
    refusesStreams: REFUSES_STREAMS,
    userOf: userOfRequest(reads),
    ...openTokens({ ...reads, signingKeys }),
    basePath: `/${environment.stage}`,
    requestLifetimeMs: REQUEST_LIFETIME_MS,
    watchLifetime: {
      resumedMs: resumed * 1000,
      unresumedMs: unresumed * 1000,
      longestMs: LONGEST_WATCH_SECONDS * 1000,
    },
    watchSlots: openWatchSlots(environment, cloud),
    watchHeartbeatMs: WATCH_HEARTBEAT_MS,
    metrics: new MetricsRegistry(),
    audit,
    requestIds: new SystemIds(),
    flowControl: openFlowControl(environment, cloud, store),
    logError: (message, cause) => cloud.log({ level: 'error', msg: message, error: cause }),
  });
  let explaining: Promise<ApiHandler> | undefined;
  const fetch: ApiHandler = async (request, passed) => {
    if (!asksToExplain(request)) return await api(request, passed);
    explaining ??= import('./composeExplain.ts').then((it) => it.composeExplain(environment, cloud, store, api));
    return await (await explaining)(request, passed);
  };
  const { directKeys } = store;
  const tellAll = async () => void (await Promise.all([store.tellAll(), audit?.log.flush()]));
  const loadForWrites = () => Promise.all([directKeys.load(), import('../../rest/codec/decodeProtobuf.ts')]);
  return { fetch, tellAll, warm: warmApi(fetch, loadForWrites) };
}

/**
 * Identifies the user by what the authorizer has found. API Gateway remembers that for a while, so what can change meanwhile is checked with each request: that a service account's token has not
 * expired, and that the objects that it names still exist.
 */
export function userOfRequest(reads: TokenReads): UserOf {
  return async (passed) => {
    const { user } = passed as ApiEnvironment;
    if (!user?.claims) return user;
    const verdict = await judgeClaims(reads, user.claims);
    return verdict.status === 'authenticated' ? verdict.user : undefined;
  };
}
