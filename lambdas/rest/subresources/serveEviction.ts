import type { ApiError } from '../../objects/ApiError.ts';
import { badRequest } from '../../objects/apiErrors.ts';
import type { Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { DeleteOptions } from '../../registry/Registry.ts';
import { admitSubresource } from '../admission/admitSubresource.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { checkDeleteOptions, type WireDeleteOptions } from '../request/deleteOptions.ts';
import { keyOf } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { respondValue } from '../response/respond.ts';
import { requireObject } from '../verbs/serveGet.ts';
import { budgetsOf, decideEviction, needsNoBudget, type PodDisruptionBudget } from './decideEviction.ts';
import { withDisruptionTarget } from './disruptionTarget.ts';

const BUDGETS = 'poddisruptionbudgets.policy';
/** How often an eviction is decided anew because its budget or its pod has changed meanwhile. */
const ATTEMPTS = 5;

/** Answers a policy/v1 Eviction: the pod is deleted if its PodDisruptionBudget allows it, which counts it. Otherwise the answer is 429. */
export async function serveEviction(request: ResourceRequest): Promise<Response> {
  const options = await readOptions(request);
  for (let attempt = 1; ; attempt++) {
    const error = await evict(request, options);
    if (!error) break;
    if (error.reason !== 'Conflict' || attempt === ATTEMPTS || options.preconditions) throw error;
  }
  return respondValue(
    request.raw,
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    201,
  );
}

async function readOptions(request: ResourceRequest): Promise<DeleteOptions> {
  const { info } = request;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'CreateOptions');
  const object = await decodeRequest(request, fieldValidation, { apiVersion: 'policy/v1', kind: 'Eviction' });
  const eviction = await admitSubresource(request, { operation: 'CREATE', object, dryRun });
  const { name } = eviction.metadata as { name?: string };
  if (name !== undefined && name !== info.name) {
    throw badRequest(`name in URL does not match name in Eviction object: ${info.name} vs ${name}`);
  }
  const given = (eviction['deleteOptions'] ?? {}) as WireDeleteOptions;
  const { options } = checkDeleteOptions(given, request.resource.version);
  // Both the query and the eviction's deleteOptions may ask for a dry run.
  return { ...options, dryRun: dryRun || options.dryRun === true };
}

/** Decides and carries out one attempt. Returns the error of a write that was refused. */
async function evict(request: ResourceRequest, options: DeleteOptions): Promise<ApiError | undefined> {
  const { registry, clock } = request.dependencies;
  const pod: Pod = await requireObject(request);
  const decision = decideEviction(pod, await budgetsFor(request, pod), formatTime(clock.now()));
  switch (decision.decision) {
    case 'refuse':
      throw decision.error;
    case 'charge': {
      const { dryRun = false } = options;
      const charged = await registry.update(BUDGETS, decision.budget, { subresource: 'status', dryRun });
      if (charged.status === 'refused') return charged.error;
      break;
    }
    case 'delete':
      break;
  }
  const pinned = decision.decision === 'delete' ? decision.resourceVersion : undefined;
  const preconditions = { ...options.preconditions, ...(pinned !== undefined && { resourceVersion: pinned }) };
  const marked = options.dryRun === true ? { preconditions } : await markDisrupted(request, preconditions);
  if (marked.error) return marked.error;
  const outcome = await registry.delete(keyOf(request), { ...options, preconditions: marked.preconditions });
  return outcome.status === 'refused' ? outcome.error : undefined;
}

type Preconditions = NonNullable<DeleteOptions['preconditions']>;
type Marked = { readonly error?: undefined; readonly preconditions: Preconditions } | { readonly error: ApiError };

/**
 * Says in the pod's status that it is evicted, so that a Job controller, say, does not count it as failed. Returns the preconditions of the deletion, which
 * may not fail because of this write. A pod that does not fulfil them stays as it is.
 */
async function markDisrupted(request: ResourceRequest, preconditions: Preconditions): Promise<Marked> {
  const { registry, clock } = request.dependencies;
  for (let attempt = 1; ; attempt++) {
    const pod: Pod = await requireObject(request);
    const { uid, resourceVersion } = pod.metadata;
    const isWanted = (preconditions.uid ?? uid) === uid;
    if (!isWanted || (preconditions.resourceVersion ?? resourceVersion) !== resourceVersion) return { preconditions };
    const disrupted = withDisruptionTarget(pod, formatTime(clock.now()));
    const outcome = await registry.update<Pod>('pods', disrupted, { subresource: 'status', from: pod });
    if (outcome.status === 'stored') {
      const marked = outcome.object.metadata.resourceVersion;
      return { preconditions: { ...preconditions, ...(preconditions.resourceVersion && { resourceVersion: marked }) } };
    }
    if (outcome.error.reason !== 'Conflict' || attempt === ATTEMPTS) return { error: outcome.error };
  }
}

async function budgetsFor({ dependencies }: ResourceRequest, pod: Pod): Promise<readonly PodDisruptionBudget[]> {
  if (needsNoBudget(pod) || !(await dependencies.served.find('policy', 'v1', 'poddisruptionbudgets'))) return [];
  const { namespace = '' } = pod.metadata;
  const { items } = await dependencies.registry.list<PodDisruptionBudget>(BUDGETS, { namespace });
  return budgetsOf(pod, items);
}
