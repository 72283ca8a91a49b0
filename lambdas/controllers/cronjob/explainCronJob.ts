import { stuckPods } from '../../explain/stuckPods.ts';
import { podsOf } from '../claim/candidatePods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import { observeJobs } from './syncCronJob.ts';
import { decideRun, type RunDecision } from './decideRun.ts';
import { timeZoneOf } from './timeZoneOf.ts';
import { memoryOf } from './syncCronJob.ts';
import { type JobFacts, trackJobs } from './trackJobs.ts';
import { reasonInWords } from './cronJobReasons.ts';
import type { CronJob } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import { durationInWords } from '../../explain/durationInWords.ts';
import type { DecisionExplanation } from '../../explain/Explanation.ts';

/** Why a CronJob starts a run now or does not, and when the next one is due: what its controller would decide now. `intent` is that of its key. Writes nothing. */
export function explainCronJob(facts: JobFacts, intent: Intent | undefined, nowMs: number): DecisionExplanation {
  const cronJob = { ...facts.cronJob, status: trackJobs(facts).status };
  const decision = decideRun({ cronJob, memory: memoryOf(cronJob, intent), nowMs });
  return {
    summary: summaryLines(cronJob),
    why: [reasonInWords(decision.why)],
    waitsFor: waits(decision, nowMs),
  };
}

function summaryLines(cronJob: CronJob): string[] {
  const { spec, status } = cronJob;
  const { schedule, concurrencyPolicy, startingDeadlineSeconds: deadline } = spec ?? {};
  const { lastScheduleTime, lastSuccessfulTime, active = [] } = status ?? {};
  const runs = active.map(({ name }) => name).join(', ');
  return [
    `its schedule is ${schedule}, in the time zone ${timeZoneOf(cronJob)}; its concurrency policy is ${concurrencyPolicy}`,
    ...(deadline === undefined ? [] : [`a run starts at most ${deadline} s after its time`]),
    lastScheduleTime === undefined ? 'it has not run yet' : `its last run was that of ${lastScheduleTime}`,
    ...(lastSuccessfulTime === undefined ? [] : [`the last job that succeeded ended at ${lastSuccessfulTime}`]),
    active.length === 0 ? 'none of its jobs is active' : `active jobs: ${runs}`,
  ];
}

function waits({ nextMs, why }: RunDecision, nowMs: number): string[] {
  const next =
    nextMs === undefined ? [] : [`until its next run at ${formatTime(nextMs)}, in ${durationInWords(nextMs - nowMs)}`];
  return [...waitsFor(why), ...next];
}

/** What a CronJob waits for that starts no run by itself. */
const UNTIL: Readonly<Partial<Record<RunDecision['why']['reason'], string>>> = {
  cronJobIsSuspended: 'until it is resumed: spec.suspend is true',
  scheduleIsInvalid: 'until spec.schedule is changed',
  timeZoneIsUnknown: 'until spec.timeZone is changed',
};

function waitsFor(why: RunDecision['why']): string[] {
  if (why.reason === 'runIsForbidden') return [`until these jobs have ended: ${why.active.join(', ')}`];
  const until = UNTIL[why.reason];
  return until === undefined ? [] : [until];
}

/** Explains a CronJob, and the pods of its Jobs. */
export async function explainCronJobAndPods(given: ExplainFacts): Promise<RoomExplanation> {
  const { registry, object, intent, nowMs } = given;
  const facts = await observeJobs(registry, object);
  const pods = (await Promise.all(facts.jobs.map((job) => podsOf(registry, job)))).flat();
  return { cronJob: explainCronJob(facts, intent, nowMs), stuckPods: stuckPods(pods) };
}
