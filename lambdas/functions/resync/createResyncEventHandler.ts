import type { SQSBatchResponse } from 'aws-lambda';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ReadVersion, VersionsByResource } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import { ensureFlowControl } from '../../rest/flowcontrol/ensureFlowControl.ts';
import { ensureDefaultRoles } from '../../rest/rbac/ensureDefaultRoles.ts';
import type { Log } from '../createLog.ts';
import { MINUTE_MS } from '../limits.ts';
import { bootstrapCluster } from './bootstrapCluster.ts';
import { letNodesReadAuthority, type PublishedAuthority, publishClientAuthority } from './publishClientAuthority.ts';
import type { ResyncHandler } from './createResyncHandler.ts';
import { type GivenUp, parseResyncEvent, type Restored, type ResyncEvent } from './parseResyncEvent.ts';
import type { QueuedAll, ResyncAll } from './queueAllKeys.ts';
import { restoreKubernetesService } from './restoreKubernetesService.ts';

/** How long one run works before it leaves the rest to the next: well below the function's timeout, so that no progress is lost. */
const RUN_MS = 2 * MINUTE_MS;

export interface ResyncEventDependencies {
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly nodeCount: number;
  /** The address of the Service of the API server; absent: kubeadm's. */
  readonly apiServerIp?: string;
  /** Whether the roles of Kubernetes' controllers exist: some of ours are switched off, so a kube-controller-manager may run beside them. */
  readonly hasControllerRoles: boolean;
  /** Whether the role of the smoke test exists. */
  readonly hasSmokeTest: boolean;
  /** Whether requests are limited, by flow schemas and priority levels that a cluster has from the start. */
  readonly limitsRequests: boolean;
  /** The authority of nodes' certificates; absent in a cluster without kubelets. */
  readonly authority?: PublishedAuthority | undefined;
  readonly resync: ResyncHandler;
  readonly queueAll: (request: ResyncAll, mayGoOn: () => boolean) => Promise<QueuedAll>;
  /** Starts new epochs in the logs of the resources, or in every log, and passes these changes over. Resolves to those of the resources whose logs could not begin anew. */
  readonly startNewEpochs: (changes?: VersionsByResource) => Promise<VersionsByResource>;
  /** Moves the heads of all logs past their newest segments, which must happen before those expire. */
  readonly settleLogs: () => Promise<void>;
  /** Notes which resources have objects, so that nobody looks for those of the others. */
  readonly surveyUse: () => Promise<void>;
  /** Gives the triggers of the other functions something to do. Calls `onSilence` before that if it is the first time after so long that the stream may have dropped records meanwhile. */
  readonly beat: (onSilence: () => Promise<void>) => Promise<void>;
  /** Returns the changes in a batch of the stream; `any` if the stream has dropped it, or if it says that others may be lost too. */
  readonly readBatch: (batch: NonNullable<GivenUp['batch']>) => Promise<VersionsByResource | 'any'>;
  /** Makes restored tables fit each other. Resolves to the place where it stopped, or `undefined` at the end. */
  readonly survey: (from: string | undefined, mayGoOn: () => boolean) => Promise<string | undefined>;
  /** The restores after which that was done. */
  readonly completedRestores: { has(id: string): Promise<boolean>; add(id: string): Promise<void> };
  /** The restore that this stack's tables come from, if they were restored. */
  readonly restoreId: string | undefined;
  /** Sends a request to the queue that triggers this function. */
  readonly send: (request: ResyncEvent) => Promise<void>;
  readonly log: Log;
}

/**
 * Creates the handler of the events that trigger `resync`. Before it queues every key it creates the objects that a cluster has from the start. So the first
 * resync, which the stack's creation triggers, bootstraps the cluster, and a later one restores what is missing. What does not fit into one run becomes a message, so the work goes on where it stopped
 * and a notice resets a log once. Throws any error that stops it before it got anywhere; then the event comes again.
 */
export function createResyncEventHandler(dependencies: ResyncEventDependencies) {
  return async (event: unknown): Promise<SQSBatchResponse> => {
    const { clock } = dependencies;
    const endMs = clock.steadyMs() + RUN_MS;
    const requests = await Promise.all(parseResyncEvent(event).map((request) => withChanges(dependencies, request)));
    for (const request of mergeRequests(requests)) {
      const isLate = clock.steadyMs() >= endMs;
      if (isLate) await dependencies.send(request);
      else await carryOut(dependencies, request, () => clock.steadyMs() < endMs);
    }
    return { batchItemFailures: [] };
  };
}

/**
 * Returns the request of a notice with the changes of its batch instead of the batch's place. If the records are gone, or cannot be read now, it concerns all resources: that is sure, and need not wait.
 */
async function withChanges({ readBatch, log }: ResyncEventDependencies, request: ResyncEvent): Promise<ResyncEvent> {
  if (request.what !== 'givenUp' || !request.batch) return request;
  const { what, batch } = request;
  try {
    const changes = await readBatch(batch);
    log({ level: 'warn', msg: 'resync', ...request, resources: changes === 'any' ? changes : Object.keys(changes) });
    return changes === 'any' ? { what } : { what, changes };
  } catch (error) {
    log({ level: 'error', msg: 'resync', ...request, error: String(error) });
    return { what };
  }
}

/** Merges the requests of a batch: one reset of each log, and one run over all keys. Pure. */
function mergeRequests(requests: readonly ResyncEvent[]): readonly ResyncEvent[] {
  const restored = requests.filter(({ what }) => what === 'restored');
  const givenUp = requests.flatMap((request) => (request.what === 'givenUp' ? [request] : []));
  const all = requests.flatMap((request) => (request.what === 'all' ? [request] : []));
  return [
    ...requests.filter(({ what }) => what === 'overdue' || what === 'heartbeat'),
    ...restored.slice(0, 1),
    ...(givenUp.length > 0 ? [mergeGivenUp(givenUp)] : []),
    ...mergeAll(all),
  ];
}

function mergeGivenUp(givenUp: readonly GivenUp[]): GivenUp {
  const merged: Record<GroupResource, readonly ReadVersion[]> = {};
  for (const { changes } of givenUp) {
    if (!changes) return { what: 'givenUp' };
    for (const [resource, versions] of Object.entries(changes)) {
      merged[resource] = [...(merged[resource] ?? []), ...versions];
    }
  }
  return { what: 'givenUp', changes: merged };
}

/** A run over all keys includes the others, unless it is spread over time and they are not. */
function mergeAll(all: readonly ResyncAll[]): readonly ResyncAll[] {
  const whole = all.filter(({ lost, from }) => !lost && !from);
  const atOnce = whole.find(({ spread }) => !spread);
  if (atOnce) return [atOnce];
  const others = all.filter((request) => !whole.includes(request) && !(whole.length > 0 && request.spread));
  return [...mergeLost(others), ...whole.slice(0, 1)];
}

function mergeLost(all: readonly ResyncAll[]): readonly ResyncAll[] {
  const fresh = all.filter(({ from }) => !from);
  const lost = [...new Set(fresh.flatMap((request) => request.lost ?? []))];
  return [...(fresh.length > 0 ? [{ what: 'all' as const, lost }] : []), ...all.filter(({ from }) => from)];
}

async function carryOut(dependencies: ResyncEventDependencies, request: ResyncEvent, mayGoOn: () => boolean) {
  switch (request.what) {
    case 'overdue': {
      const queued = await dependencies.resync(request);
      const refused = await restoreKubernetesService(
        dependencies.registry,
        servedBy(dependencies),
        undefined,
        dependencies.apiServerIp,
      );
      for (const { message } of refused) dependencies.log({ level: 'warn', msg: 'resync', error: message });
      if (queued > 0) dependencies.log({ level: 'info', msg: 'resync', what: request.what, queued });
      return;
    }
    case 'heartbeat':
      return await beat(dependencies);
    case 'all':
      return await queueEveryKey(dependencies, request, mayGoOn);
    case 'givenUp':
      return await beginAnew(dependencies, request.changes);
    case 'restored':
      return await fitTables(dependencies, request, mayGoOn);
    default:
      return request satisfies never;
  }
}

async function beat(dependencies: ResyncEventDependencies): Promise<void> {
  await dependencies.beat(async () => {
    dependencies.log({ level: 'error', msg: 'no heartbeat for so long that changes may be lost' });
    await beginAnew(dependencies, undefined);
  });
}

async function queueEveryKey(
  dependencies: ResyncEventDependencies,
  request: ResyncAll,
  mayGoOn: () => boolean,
): Promise<void> {
  const { queueAll, settleLogs, surveyUse, send, log } = dependencies;
  if (!request.from) {
    await bootstrap(dependencies);
    // A silence is measured from the last heartbeat, so that of a new stack needs one. And the schedule of heartbeats may be the one that is switched off.
    await beat(dependencies);
    await settleLogs();
    if (await areTablesFit(dependencies)) await surveyUse();
  }
  const { queued, rest, error } = await queueAll(request, mayGoOn);
  if (rest) await send(rest);
  const outcome = { queued, ...(rest && { rest: rest.from }), ...(error !== undefined && { error }) };
  log({ level: error === undefined ? 'info' : 'error', msg: 'resync', what: 'all', ...outcome });
}

/** The keys are queued by a message of their own: if that fails, the logs are not reset again. */
async function beginAnew(
  { startNewEpochs, send }: ResyncEventDependencies,
  changes: VersionsByResource | undefined,
): Promise<void> {
  const lost = changes && Object.keys(changes);
  // The batch held no change of an object.
  if (lost?.length === 0) return;
  await startEpochs({ startNewEpochs, send }, changes);
  await send(lost ? { what: 'all', lost } : { what: 'all' });
}

async function startEpochs(
  { startNewEpochs, send }: Pick<ResyncEventDependencies, 'startNewEpochs' | 'send'>,
  changes: VersionsByResource | undefined,
): Promise<void> {
  const failed = await startNewEpochs(changes);
  if (Object.keys(failed).length > 0) await send({ what: 'givenUp', changes: failed });
}

/** A later deployment of a stack with restored tables asks for the same restore. It needs only what any deployment does. */
async function fitTables(dependencies: ResyncEventDependencies, request: Restored, mayGoOn: () => boolean) {
  const { survey, startNewEpochs, completedRestores, send, log } = dependencies;
  const { id, from } = request;
  if (id !== undefined && (await completedRestores.has(id))) {
    return await queueEveryKey(dependencies, { what: 'all', spread: { sent: 0 } }, mayGoOn);
  }
  const stoppedAt = await survey(from, mayGoOn);
  log({ level: 'info', msg: 'resync', what: 'restored', ...(stoppedAt !== undefined && { rest: stoppedAt }) });
  if (stoppedAt !== undefined) return await send({ ...request, from: stoppedAt });
  await startEpochs({ startNewEpochs, send }, undefined);
  // The run over all keys surveys what is used only when it finds this. If its message cannot be sent, this request comes again and is that run.
  if (id !== undefined) await completedRestores.add(id);
  await send({ what: 'all' });
}

/** False while restored tables do not fit each other yet: the table of namespaces may then lack objects' namespaces, and a survey of it would find kinds unused that have objects. */
async function areTablesFit({ restoreId, completedRestores }: ResyncEventDependencies): Promise<boolean> {
  return restoreId === undefined || (await completedRestores.has(restoreId));
}

function servedBy({ catalog }: ResyncEventDependencies): readonly GroupResource[] {
  return catalog.builtIn.map(({ groupResource }) => groupResource);
}

async function bootstrap(dependencies: ResyncEventDependencies): Promise<void> {
  const { registry, clock, nodeCount, authority, hasControllerRoles, hasSmokeTest, apiServerIp } = dependencies;
  const served = servedBy(dependencies);
  const startCluster = (nodes: readonly object[]) =>
    bootstrapCluster(registry, served, nodes, clock.now(), dependencies.catalog.release, undefined, apiServerIp);
  // Thousands of nodes take minutes. Users wait for their roles, and the smoke test of a deployment does so for a minute and a half.
  await startCluster([]);
  if (served.some((resource) => resource === 'clusterroles.rbac.authorization.k8s.io'))
    await ensureDefaultRoles(registry, {
      signsCertificates: authority !== undefined,
      hasControllerRoles,
      hasSmokeTest,
    });
  if (dependencies.limitsRequests) await ensureFlowControl(registry, served);
  await startCluster(Array.from({ length: nodeCount }, () => ({})));
  if (!authority) return;
  await publishClientAuthority(registry, authority);
  await letNodesReadAuthority(registry);
}
