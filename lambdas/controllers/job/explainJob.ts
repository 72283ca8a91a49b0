import { stuckPods } from '../../explain/stuckPods.ts';
import { podsOf } from '../claim/candidatePods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import { memoryOf } from './commitPods.ts';
import { assessJob } from './assessJob.ts';
import type { JobAssessment } from './JobAssessment.ts';
import { deadlineInMs } from './decideFinish.ts';
import { encodeIntervals } from './indexIntervals.ts';
import { finishedCondition, isIndexed, isSuspended, managedByOther } from './jobState.ts';
import { manageJob, type PodsPlan } from './manageJob.ts';
import type { BackoffRecord } from './podFailures.ts';
import { reasonInWords } from './jobReasons.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import { durationInWords } from '../../explain/durationInWords.ts';
import type { DecisionExplanation } from '../../explain/Explanation.ts';

/** Why a Job is not complete, or how it has ended: what is stored, and what its controller would decide now. `vanished` is what its key remembers. Writes nothing. */
export function explainJob(
  job: Job,
  pods: readonly Pod[],
  vanished: BackoffRecord | undefined,
  nowMs: number,
): DecisionExplanation {
  const assessment = assessJob({ job, pods, vanished, nowMs });
  const summary = summaryLines(assessment);
  const finished = finishedCondition(job);
  if (finished) {
    const { type, reason = '', message = '' } = finished;
    return { summary, why: [`it has ended: ${type}, ${reason}: ${message}`], waitsFor: [] };
  }
  const controller = managedByOther(job);
  if (controller !== undefined) {
    const why = reasonInWords({ reason: 'jobIsManagedBy', controller });
    return { summary, why: [why], waitsFor: [`for ${controller}`] };
  }
  const plan = manageJob(assessment);
  const because = assessment.finishing?.message;
  return {
    summary,
    why: [reasonInWords(plan.why), ...(because === undefined ? [] : [because])],
    waitsFor: waits(assessment, plan),
  };
}

function summaryLines({ job, active, ready, terminating, succeeded, failed, ...indexes }: JobAssessment): string[] {
  const { completions, parallelism, backoffLimit, backoffLimitPerIndex } = job.spec ?? {};
  const wanted = completions === undefined ? 'any one ends it' : `${completions} are wanted`;
  const perIndex =
    backoffLimitPerIndex === undefined ? `more than ${backoffLimit}` : `more than ${backoffLimitPerIndex} of one index`;
  const list = (name: string, text: string) => (text === '' ? [] : [`${name} indexes: ${text}`]);
  return [
    `${succeeded} succeeded, ${wanted}`,
    `${active.length} pods are active (${ready} ready), at most ${parallelism} at a time; ${terminating} are terminating`,
    `${failed} failed, ${perIndex} may not`,
    ...(isIndexed(job) ? list('succeeded', encodeIntervals(indexes.succeededIndexes)) : []),
    ...list('failed', encodeIntervals(indexes.failedIndexes ?? [])),
  ];
}

function waits(assessment: JobAssessment, { retryInMs }: PodsPlan): string[] {
  const { job, active, terminating, finishing } = assessment;
  const deadlineMs = deadlineInMs(assessment);
  const lines = [
    finishing && `until its ${active.length + terminating} pods are gone and counted`,
    !finishing && isSuspended(job) && 'until it is resumed: spec.suspend is true',
    !finishing && !isSuspended(job) && active.length > 0 && `until ${active.length} active pods end`,
    !finishing && terminating > 0 && `until ${terminating} terminating pods are gone`,
    retryInMs !== undefined && `for the back-off of failed pods: the next one in ${durationInWords(retryInMs)}`,
    !finishing && deadlineMs !== undefined && `activeDeadlineSeconds in ${durationInWords(deadlineMs)}`,
  ];
  return lines.filter((line) => typeof line === 'string');
}

/** Explains a Job and its pods. */
export async function explainJobAndPods({ registry, object, intent, nowMs }: ExplainFacts): Promise<RoomExplanation> {
  const pods = await podsOf(registry, object);
  return { job: explainJob(object, pods, memoryOf(intent).backoff, nowMs), stuckPods: stuckPods(pods) };
}
