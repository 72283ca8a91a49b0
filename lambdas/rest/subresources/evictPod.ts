import type { ApiError } from '../../objects/ApiError.ts';
import { notFound } from '../../objects/apiErrors.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import { type Clock, formatTime } from '../../ports/Clock.ts';
import type { DeleteOptions, Registry } from '../../registry/Registry.ts';
import {
  budgetsOf,
  decideEviction,
  type EvictionDecision,
  needsNoBudget,
  type PodDisruptionBudget,
  stillProcessed,
} from '../../objects/pods/decideEviction.ts';
import { withPodCondition } from '../../objects/pods/podConditions.ts';

const TARGET = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const;

const BUDGETS = 'poddisruptionbudgets.policy';
/**
 * How often an eviction is decided anew because its budget or its pod has changed meanwhile: Kubernetes' `EvictionsRetry`. It waits half a second before each attempt. Here they follow at once: each time that several evictions meet at a budget, one
 * of them succeeds, and a client on a virtual clock cannot wait.
 */
const ATTEMPTS = 20;
/** How often the condition of a pod is written anew because the pod has changed meanwhile. */
const MARK_ATTEMPTS = 5;

/** What an eviction works with. */
export interface EvictionDeps {
  readonly registry: Registry;
  readonly clock: Pick<Clock, 'now'>;
  /** False if PodDisruptionBudgets are not served: then nothing protects a pod. */
  readonly servesBudgets: boolean;
}

/** Evicts a pod, as Kubernetes' EvictionREST: charges its PodDisruptionBudget, marks the pod and deletes it. Throws the ApiError of a refusal: TooManyRequests if the budget does not allow it now. */
export async function evictPod(deps: EvictionDeps, key: ObjectKey, options: DeleteOptions): Promise<void> {
  let claim: Claim = {};
  for (let attempt = 1; ; attempt++) {
    const attempted = await evict(deps, key, options, claim);
    if (!attempted.error) return;
    if (!attempted.mayRetry) throw attempted.error;
    if (attempt === ATTEMPTS) throw attempted.budget === undefined ? attempted.error : stillProcessed(attempted.budget);
    claim = attempted.claim;
  }
}

/** What this request has taken from a budget. */
interface Claim {
  /** The UID of the pod for which a budget was charged. */
  readonly chargedFor?: string;
}

type Attempted =
  | { readonly error?: undefined }
  | {
      readonly error: ApiError;
      readonly mayRetry: boolean;
      readonly claim: Claim;
      /** The name of the budget that the eviction depends on. */
      readonly budget: string | undefined;
    };

/** Decides and carries out one attempt. A budget is charged once, however often the pod changes before it is deleted. */
async function evict(deps: EvictionDeps, key: ObjectKey, options: DeleteOptions, claim: Claim): Promise<Attempted> {
  const { dryRun = false, preconditions: asked = {} } = options;
  const pod = await requirePod(deps, key);
  const { uid } = pod.metadata;
  const budgets = await budgetsFor(deps, pod);
  const budget = budgets[0]?.metadata.name;
  const isPaid = claim.chargedFor === uid;
  // The deletion of a pod that is not the wanted one is refused, so it costs nothing.
  const isFree = isPaid || !fulfils(pod, asked);
  const decision = isFree ? DELETE : decideEviction(pod, budgets, formatTime(deps.clock.now()));
  if (decision.decision === 'refuse') throw decision.error;
  const unpaid = decision.decision === 'charge' ? await charge(deps, decision.budget, dryRun) : undefined;
  if (unpaid) return { error: unpaid, mayRetry: OUTDATED.has(unpaid.reason), claim, budget };
  const paid = isPaid || decision.decision === 'charge' ? { chargedFor: uid } : claim;
  // A pod that has the name by then is another one, which the decision was not about.
  const error = await deletePod(deps, key, { ...options, preconditions: { uid, ...pinnedTo(decision), ...asked } });
  if (!error) return {};
  const mayRetry = error.reason === 'Conflict' && fulfils(pod, asked) && asked.resourceVersion === undefined;
  return { error, mayRetry, claim: paid, budget };
}

/** Refusals of a budget's write that end when it is read again. A budget that is gone protects nothing any more. */
const OUTDATED = new Set(['Conflict', 'NotFound']);

/** Writes the budget that counts the eviction. Returns the error of a refusal. */
async function charge({ registry }: EvictionDeps, budget: PodDisruptionBudget, dryRun: boolean) {
  const charged = await registry.update(BUDGETS, budget, { subresource: 'status', dryRun });
  return charged.status === 'refused' ? charged.error : undefined;
}

function fulfils({ metadata }: Pod, { uid, resourceVersion }: Preconditions): boolean {
  return (
    (uid ?? metadata.uid) === metadata.uid && (resourceVersion ?? metadata.resourceVersion) === metadata.resourceVersion
  );
}

const DELETE: EvictionDecision = { decision: 'delete' };

function pinnedTo(decision: EvictionDecision): Preconditions {
  if (decision.decision !== 'delete' || decision.resourceVersion === undefined) return {};
  return { resourceVersion: decision.resourceVersion };
}

/** Kubernetes' `addConditionAndDeletePod`. Returns the error of a write that was refused. */
async function deletePod(
  deps: EvictionDeps,
  key: ObjectKey,
  options: DeleteOptions & { readonly preconditions: Preconditions },
): Promise<ApiError | undefined> {
  const { preconditions } = options;
  const marked = options.dryRun === true ? { preconditions } : await markDisrupted(deps, key, preconditions);
  if (marked.error) return marked.error;
  const outcome = await deps.registry.delete(key, { ...options, preconditions: marked.preconditions });
  return outcome.status === 'refused' ? outcome.error : undefined;
}

type Preconditions = NonNullable<DeleteOptions['preconditions']>;
type Marked = { readonly error?: undefined; readonly preconditions: Preconditions } | { readonly error: ApiError };

/**
 * Says in the pod's status that it is evicted, so that a Job controller, say, does not count it as failed. Returns the preconditions of the deletion, which
 * may not fail because of this write. A pod that does not fulfil them stays as it is.
 */
async function markDisrupted(deps: EvictionDeps, key: ObjectKey, preconditions: Preconditions): Promise<Marked> {
  const { registry, clock } = deps;
  for (let attempt = 1; ; attempt++) {
    const pod = await requirePod(deps, key);
    if (!fulfils(pod, preconditions)) return { preconditions };
    const disrupted = withDisruptionTarget(pod, formatTime(clock.now()));
    const outcome = await registry.update<Pod>('pods', disrupted, { subresource: 'status', from: pod });
    if (outcome.status === 'stored') {
      const marked = outcome.object.metadata.resourceVersion;
      return { preconditions: { ...preconditions, ...(preconditions.resourceVersion && { resourceVersion: marked }) } };
    }
    if (outcome.error.reason !== 'Conflict' || attempt === MARK_ATTEMPTS) return { error: outcome.error };
  }
}

async function requirePod({ registry }: EvictionDeps, key: ObjectKey): Promise<Pod> {
  const pod = await registry.get<Pod>(key);
  if (!pod) throw notFound('pods', key.name);
  return pod;
}

async function budgetsFor(
  { registry, servesBudgets }: EvictionDeps,
  pod: Pod,
): Promise<readonly PodDisruptionBudget[]> {
  if (needsNoBudget(pod) || !servesBudgets) return [];
  const { namespace = '' } = pod.metadata;
  const { items } = await registry.list<PodDisruptionBudget>(BUDGETS, { namespace });
  return budgetsOf(pod, items);
}

/** The pod with the condition of an evicted one, in Kubernetes' words. `now` is RFC 3339. A pod that has it already stays as it is. Pure. */
function withDisruptionTarget(pod: Pod, now: string): Pod {
  return withPodCondition(pod, TARGET, now);
}
