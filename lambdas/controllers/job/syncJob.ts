import type { JobCondition } from 'kubernetes-types/batch/v1.js';
import { JOB_TRACKING_FINALIZER } from '../../objects/pods/jobPods.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { orphansFor, podsOf } from '../claim/candidatePods.ts';
import { claimPods, matcherOf } from '../claim/claimPods.ts';
import type { CommittedClaims } from '../claim/commitClaims.ts';
import { conclude, CONFLICT } from '../conclude.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { reasonInWords, reportDone } from './jobReasons.ts';
import type { CommittedReplicas } from '../replicaset/commitReplicas.ts';
import { forgetOwner } from '../replicaset/forgetOwner.ts';
import { concludeSettled } from '../replicaset/concludeSettled.ts';
import { controlOf, type PodControl } from '../replicaset/PodControl.ts';
import { assessJob } from './assessJob.ts';
import type { JobAssessment } from './JobAssessment.ts';
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
  const matches = matcherOf(job.spec?.selector);
  if (intent && isOpen(intent, name, candidates)) {
    const settled = await settleJobIntent(controlOf(job, matches, context), intent, candidates);
    return await concludeSettled(context, intent, settled, remembered(job, memoryOf(intent).backoff, intent.id));
  }
  const claimant = { object: job, matches, finalizer: JOB_TRACKING_FINALIZER };
  const claims = await claimPods(context.registry, JOBS, claimant, candidates);
  const vanished = intent?.ownerUid === job.metadata.uid ? memoryOf(intent).backoff : undefined;
  const assessment = assessJob({ job, pods: claims.claimed, vanished, nowMs: context.nowMs });
  return await carryOut(deps, assessment, claims, context);
}

/** Nothing is done about a Job that has ended, but a create that is still under way must not make a pod for it. */
async function reportFinished({ type }: JobCondition, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  if (context.item.intent) await forgetOwner(key, context);
  return reportDone({ reason: 'jobHasEnded', condition: type });
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
    ...controlOf(job, matcherOf(job.spec?.selector), context),
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
  const waits = [plan.retryInMs, assessment.finishing ? undefined : deadlineInMs(assessment)];
  const isCutShort = committed.unfinished || tracked.status === 'notTried' || plan.lookAgain || moreToCount;
  return conclude({
    mustReobserve: tracked.status === 'conflict',
    isCutShort,
    delaysMs: tracked.isFinished
      ? []
      : waits.map((delayMs) => (delayMs === undefined ? undefined : Math.max(BATCH_PERIOD_MS, delayMs))),
  });
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
