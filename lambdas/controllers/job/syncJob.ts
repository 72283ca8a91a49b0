import type { JobCondition } from 'kubernetes-types/batch/v1.js';
import { JOB_TRACKING_FINALIZER } from '../../objects/pods/jobPods.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { orphansFor, podsOf } from '../claim/candidatePods.ts';
import { type CommittedClaims, commitClaims } from '../claim/commitClaims.ts';
import { decideClaims } from '../claim/decideClaims.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { reasonInWords, reportDone } from './jobReasons.ts';
import type { CommittedReplicas } from '../replicaset/commitReplicas.ts';
import { forgetOwner } from '../replicaset/forgetOwner.ts';
import type { PodControl } from '../replicaset/PodControl.ts';
import { assessJob, type JobAssessment } from './assessJob.ts';
import { commitPods, countsAfter, intentOf, isOpen, type JobMemory, memoryOf, settleJobIntent } from './commitPods.ts';
import { type CommittedTracking, commitTracking } from './commitTracking.ts';
import { deadlineInMs } from './decideFinish.ts';
import { jobPodTemplate } from './jobPodTemplate.ts';
import { finishedCondition, managedByOther } from './jobState.ts';
import { manageJob, type PodsPlan } from './manageJob.ts';
import { trackJob } from './trackJob.ts';

export const JOBS = 'jobs.batch';

export interface SyncJobDeps {
  readonly events: EventRecorder;
  readonly ids: Ids;
}

/** kube-controller-manager waits at least so long before it looks at a Job again. */
const BATCH_PERIOD_MS = 1_000;

/**
 * Syncs one Job. Its steps: observe, settle what an earlier sync left, claim pods, decide (`assessJob`, `manageJob`), record the intent and commit, then count the finished pods (`trackJob`, `commitTracking`). A Job that
 * has ended, or is managed by another controller, is left alone.
 */
export async function syncJob(deps: SyncJobDeps, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { namespace, name } = key;
  const job = await context.registry.get<Job>({ resource: JOBS, namespace, name });
  if (!job) return await forgetOwner(key, context);
  const controller = managedByOther(job);
  if (controller !== undefined) return reportDone({ reason: 'jobIsManagedBy', controller });
  const finished = finishedCondition(job);
  if (finished) return await reportFinished(finished, key, context);
  const listed = await Promise.all([
    podsOf(context.registry, job),
    orphansFor(context.registry, namespace, job.spec?.selector),
  ]);
  const candidates = listed.flat();
  const { intent } = context.item;
  if (intent && isOpen(intent, name, candidates)) return await settle(job, intent, candidates, context);
  const claims = await claimPods(job, candidates, context);
  const vanished = intent?.ownerUid === job.metadata.uid ? memoryOf(intent).backoff : undefined;
  const assessment = assessJob({ job, pods: claims.claimed, vanished, nowMs: context.nowMs });
  return await carryOut(deps, assessment, claims, context);
}

/** Nothing is done about a Job that has ended, but a create that is still under way must not make a pod for it. */
async function reportFinished({ type }: JobCondition, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  if (context.item.intent) await forgetOwner(key, context);
  return reportDone({ reason: 'jobHasEnded', condition: type });
}

async function settle(job: Job, intent: Intent, listed: readonly Pod[], context: SyncContext): Promise<SyncReport> {
  const control = { ...controlOf(job, context), templateOf: () => ({}) };
  const settled = await settleJobIntent(control, intent, listed);
  if (settled.failure) throw settled.failure;
  if (settled.settled && !settled.unfinished)
    await context.recordIntent(remembered(job, memoryOf(intent).backoff, intent.id));
  const why = { reason: 'intentSettled', creates: 0, burns: intent.count, deletes: intent.deletes.length } as const;
  const outcome = settled.mustReobserve ? CONFLICT : LOOK_AGAIN;
  return { outcome, why: [reasonInWords(why)], writes: settled.writes };
}

const CONFLICT: SyncOutcome = { status: 'conflict' };
const LOOK_AGAIN: SyncOutcome = { status: 'requeueAfter', delayMs: 0 };

function claimPods(job: Job, candidates: readonly Pod[], context: SyncContext): Promise<CommittedClaims<Pod>> {
  const { registry } = context;
  const { namespace = '', name } = job.metadata;
  const claimant = { object: job, matches: matcherOf(job), finalizer: JOB_TRACKING_FINALIZER };
  const claimantKey = { resource: JOBS, namespace, name };
  return commitClaims(decideClaims(claimant, candidates), { registry, claimant, claimantKey, resource: 'pods' });
}

function matcherOf({ spec }: Job): (object: Pod) => boolean {
  const matches = compileLabelSelector(spec?.selector);
  return ({ metadata }) => matches(metadata.labels);
}

function controlOf(job: Job, { registry, objectStore }: SyncContext): Omit<PodControl, 'templateOf'> {
  return { registry, objectStore, owner: job, matches: matcherOf(job) };
}

/** Creates and deletes pods, counts the finished ones, and only then throws the first failure, so that the key is retried with backoff. */
async function carryOut(
  { events, ids }: SyncJobDeps,
  assessment: JobAssessment,
  claims: CommittedClaims<Pod>,
  context: SyncContext,
): Promise<SyncReport> {
  const plan = manageJob(assessment);
  const committed = await commit(assessment, plan, ids.uid(), context);
  await events.record(committed.events, context.registry);
  if (committed.mustReobserve && !committed.failure)
    return { outcome: CONFLICT, why: [reasonInWords(plan.why)], writes: [...claims.writes, ...committed.writes] };
  const tracking = trackJob(assessment, countsAfter(assessment, committed));
  const tracked = await commitTracking(assessment, tracking, committed.deletedUids, context);
  await events.record(tracked.events, context.registry);
  const failure = committed.failure ?? tracked.failure;
  if (failure) throw failure;
  // A Job ends only when its writes are settled. Nobody may look at it again: the key of a Job that has ended is not queued by a resync.
  if (tracked.isFinished) await context.recordIntent(undefined);
  return {
    outcome: outcomeOf(assessment, plan, committed, tracked, tracking.lookAgain),
    why: [plan.why, ...tracked.why].map(reasonInWords),
    observed: observedOf(assessment),
    writes: [...claims.writes, ...committed.writes, ...tracked.writes],
  };
}

async function commit(
  assessment: JobAssessment,
  plan: PodsPlan,
  intentId: string,
  context: SyncContext,
): Promise<CommittedReplicas> {
  const { job, vanished } = assessment;
  const intent = intentOf(assessment, plan, intentId);
  if (intent) await context.recordIntent(intent);
  const control: PodControl = {
    ...controlOf(job, context),
    templateOf: ({ completionIndex }) => jobPodTemplate(assessment, completionIndex),
  };
  const committed = await commitPods(control, plan, intent);
  const isOver = committed.settled && !committed.unfinished;
  // Pods that failed by being deleted are remembered before they lose their finalizer and are gone.
  const rest = isOver ? remembered(job, vanished, intentId) : intent;
  const before = intent ?? context.item.intent;
  if (
    isOver &&
    (memoryOf(rest).backoff?.failures !== memoryOf(before).backoff?.failures ||
      (before && before.count + before.deletes.length > 0))
  )
    await context.recordIntent(rest);
  return committed;
}

/** An intent that only remembers the failures of pods that are gone; `undefined` if there are none. */
function remembered({ metadata }: Job, backoff: JobMemory['backoff'], id: string): Intent | undefined {
  return backoff && { id, ownerUid: metadata.uid, count: 0, deletes: [], memory: { backoff } };
}

function outcomeOf(
  assessment: JobAssessment,
  plan: PodsPlan,
  committed: CommittedReplicas,
  tracked: CommittedTracking,
  moreToCount: boolean,
): SyncOutcome {
  if (tracked.status === 'conflict') return CONFLICT;
  const isCutShort = committed.unfinished || tracked.status === 'notTried';
  if (isCutShort || plan.lookAgain || moreToCount) return LOOK_AGAIN;
  if (tracked.isFinished) return { status: 'done' };
  const delays = [plan.retryInMs, assessment.finishing ? undefined : deadlineInMs(assessment)];
  const known = delays.filter((delayMs) => delayMs !== undefined);
  if (known.length === 0) return { status: 'done' };
  return { status: 'requeueAfter', delayMs: Math.max(BATCH_PERIOD_MS, Math.min(...known)) };
}

/** What a Job's sync saw, for its report. */
function observedOf({ job, active, ready, terminating, succeeded, failed }: JobAssessment): Record<string, unknown> {
  const { parallelism, completions } = job.spec ?? {};
  return {
    parallelism,
    ...(completions !== undefined && { completions }),
    active: active.length,
    ready,
    terminating,
    succeeded,
    failed,
  };
}
