import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { ResourceEntry } from '../../registry/ResourceEntry.ts';
import { ensureDefaultRoles } from '../../rest/rbac/ensureDefaultRoles.ts';
import type { Log } from '../createLog.ts';
import { bootstrapCluster } from './bootstrapCluster.ts';
import type { ResyncHandler, ResyncRequest } from './createResyncHandler.ts';
import { restoreKubernetesService } from './restoreKubernetesService.ts';

export interface ResyncEventDependencies {
  readonly registry: Registry;
  readonly entries: readonly ResourceEntry[];
  readonly clock: Clock;
  readonly nodeCount: number;
  readonly resync: ResyncHandler;
  /** Starts a new epoch in every log. */
  readonly startNewEpochs: () => Promise<void>;
  readonly log: Log;
}

/**
 * Creates the handler of the events that trigger `resync`. Before it queues every key it creates the objects that a cluster has from the start. So the first
 * resync, which the stack's creation triggers, bootstraps the cluster, and a later one restores what is missing. Throws any error; then the event comes again.
 */
export function createResyncEventHandler(dependencies: ResyncEventDependencies) {
  return async (event: unknown): Promise<SQSBatchResponse> => {
    const { resync, startNewEpochs, log } = dependencies;
    const request = parseResyncEvent(event);
    if (request.what === 'givenUp') await startNewEpochs();
    if (request.what !== 'overdue') await bootstrap(dependencies);
    const queued = await resync(request.what === 'givenUp' ? { what: 'all' } : request);
    if (request.what === 'overdue') await restoreKubernetesService(dependencies.registry, servedBy(dependencies));
    if (queued > 0 || request.what !== 'overdue') log({ level: 'info', msg: 'resync', what: request.what, queued });
    return { batchItemFailures: [] };
  };
}

function servedBy({ entries }: ResyncEventDependencies): readonly GroupResource[] {
  return entries.map(({ groupResource }) => groupResource);
}

async function bootstrap(dependencies: ResyncEventDependencies): Promise<void> {
  const { registry, clock, nodeCount } = dependencies;
  const served = servedBy(dependencies);
  const nodes = Array.from({ length: nodeCount }, () => ({}));
  await bootstrapCluster(registry, served, nodes, clock.now());
  if (served.some((resource) => resource === 'clusterroles.rbac.authorization.k8s.io'))
    await ensureDefaultRoles(registry);
}

export type ResyncEvent =
  | ResyncRequest
  /** Stream batches were given up, so the log and the controllers may have missed any change. */
  | { readonly what: 'givenUp' };

/**
 * Parses an event that triggers `resync`. It is either the request of a schedule, or a batch of the queue of given-up records, whose messages either ask for
 * every key or are notices of stream batches. Throws for any other event.
 */
function parseResyncEvent(event: unknown): ResyncEvent {
  const { what, graceMs, Records } = (event ?? {}) as Readonly<Record<string, unknown>>;
  if (what === 'all') return { what };
  if (what === 'overdue' && typeof graceMs === 'number' && graceMs >= 0) return { what, graceMs };
  if (!Array.isArray(Records))
    throw new Error(`resync does not know this event: ${JSON.stringify(event)?.slice(0, 500)}`);
  return { what: (event as SQSEvent).Records.every(({ body }) => asksForAll(body)) ? 'all' : 'givenUp' };
}

function asksForAll(body: string): boolean {
  try {
    return (JSON.parse(body) as { readonly what?: unknown } | null)?.what === 'all';
  } catch {
    return false;
  }
}
