import { controllerOf, namespacedName } from '../../objects/KubernetesObject.ts';
import type { CronJob, Job } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { conclude, CONFLICT } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import { updateStatus } from '../updateStatus.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { type Reason, reasonInWords } from './cronJobReasons.ts';
import { commitHistory, commitRun, type RunStep } from './commitRun.ts';
import { decideHistory } from './decideHistory.ts';
import { decideRun, remember, type RunDecision, type RunMemory } from './decideRun.ts';
import { plannedJob } from './jobFromTemplate.ts';
import { type Happening, type JobFacts, trackJobs } from './trackJobs.ts';

export const CRON_JOBS = 'cronjobs.batch';

/** Kubernetes' nextScheduleDelta: a run starts so long after its time, since machines' clocks differ. */
const NEXT_SCHEDULE_DELTA_MS = 100;

/**
 * Syncs one CronJob. Its steps: observe; make sure that no create of an earlier sync comes late (`settleRun`); delete ended Jobs that are too many (`decideHistory`); note what has become of the others (`trackJobs`); decide
 * whether a run starts (`decideRun`); remember the run in the key's intent, then start it (`commitRun`); write the status.
 */
export async function syncCronJob(events: EventRecorder, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { namespace, name } = key;
  const { registry, nowMs } = context;
  const cronJob = await registry.get<CronJob>({ resource: CRON_JOBS, namespace, name });
  if (!cronJob) return await forgetCronJob(key, context);
  const facts = await observeJobs(registry, cronJob);
  const history = decideHistory(cronJob, facts.jobs);
  const tracked = trackJobs(withoutActive(facts, history));
  const current = { ...cronJob, status: tracked.status };
  const memory = memoryOf(cronJob, context.item.intent);
  const decision = decideRun({ cronJob: current, memory, nowMs });
  const { uid } = cronJob.metadata;
  const settled = await settleRun(
    key,
    context,
    ({ ownerUid, runMs, jobUid }) => {
      if (facts.jobs.some((job) => job.metadata.uid === jobUid)) return true;
      const isNoted = Date.parse(tracked.status.lastScheduleTime ?? '') >= runMs;
      return ownerUid === uid && (isNoted || runMs === decision.runMs);
    },
    (job) => controllerOf(job)?.uid === uid,
  );
  if (settled.status === 'landed') return { outcome: CONFLICT, why: settled.why.map(reasonInWords), writes: [] };
  const remembered = remember({ cronJob, memory, nowMs }, decision.runMs);
  if (remembered !== memory) await context.recordIntent(intentOf(cronJob, remembered));
  const cleaned = await commitHistory(registry, cronJob, history, tracked.status);
  const run =
    decision.runMs === undefined ? cleaned : await commitRun(registry, current, decision.runMs, tracked.status);
  const steps = run === cleaned ? [cleaned] : [cleaned, run];
  return await concludeRun(events, { cronJob, tracked: tracked.happened, decision, steps, why: settled.why }, context);
}

/** A Job that is deleted in this sync is no longer active, and its end is no event. */
function withoutActive(facts: JobFacts, deleted: readonly Job[]): JobFacts {
  const { cronJob } = facts;
  const gone = new Set(deleted.map(({ metadata }) => metadata.uid));
  const active = (cronJob.status?.active ?? []).filter(({ uid = '' }) => !gone.has(uid));
  if (active.length === (cronJob.status?.active ?? []).length) return facts;
  return { ...facts, cronJob: { ...cronJob, status: { ...cronJob.status, active } } };
}

/** Lists the Jobs that the CronJob controls, and looks for those of its status that it does not. */
export async function observeJobs(registry: RegistryReader, cronJob: CronJob): Promise<JobFacts> {
  const { namespace = '', name: ownerName, uid } = cronJob.metadata;
  const index = { name: 'controller', value: uid, ownerName } as const;
  const { items: jobs } = await registry.list<Job>('jobs.batch', { namespace, index });
  const known = new Set(jobs.map(({ metadata }) => metadata.uid));
  const unknown = (cronJob.status?.active ?? []).filter((ref) => !known.has(ref.uid ?? ''));
  const found = await Promise.all(
    unknown.map(({ name = '' }) => registry.get<Job>({ resource: 'jobs.batch', namespace, name })),
  );
  return { cronJob, jobs, others: new Set(found.flatMap((job) => (job ? [job.metadata.uid] : []))) };
}

/** Returns what the key remembers of this CronJob, and not of another one of its name. Pure. */
export function memoryOf({ metadata }: CronJob, intent: Intent | undefined): RunMemory | undefined {
  return intent?.ownerUid === metadata.uid ? runMemory(intent) : undefined;
}

function intentOf({ metadata: { uid } }: CronJob, cron: RunMemory): Intent {
  return { id: uid, ownerUid: uid, count: 0, deletes: [], memory: { cron } };
}

function runMemory({ memory }: Intent): RunMemory | undefined {
  const { cron }: { readonly cron?: RunMemory } = memory ?? {};
  return cron;
}

interface Settled {
  readonly status: 'settled' | 'landed';
  readonly why: readonly Reason[];
}

const SETTLED: Settled = { status: 'settled', why: [] };

/**
 * Burns the name and UID of a Job that an earlier sync requested, unless it is there, is known to have been, or is requested again now. It may be under way still, and would start beside the Job of a later run. `landed`: it was
 * faster and is one of the CronJob's, so the Jobs must be listed again. The Job of an earlier CronJob of the same name is left to the garbage collector.
 */
async function settleRun(
  { namespace, name: owner }: WorkKey,
  { item, objectStore }: SyncContext,
  isSettled: (run: { readonly ownerUid: string; readonly runMs: number; readonly jobUid: string }) => boolean,
  isListed: (job: Job) => boolean,
): Promise<Settled> {
  const cron = item.intent && runMemory(item.intent);
  if (cron?.runMs === undefined) return SETTLED;
  const { ownerUid = '' } = item.intent ?? {};
  const { name, uid } = plannedJob({ name: owner, uid: ownerUid }, cron.runMs);
  if (isSettled({ ownerUid, runMs: cron.runMs, jobUid: uid })) return SETTLED;
  const outcome = await objectStore.burn<Job>({ resource: 'jobs.batch', namespace, name }, uid);
  const hasLanded = outcome.status === 'exists' && isListed(outcome.current);
  return { status: hasLanded ? 'landed' : 'settled', why: [{ reason: 'lateCreateBurned', name }] };
}

/** A CronJob that is gone leaves its Jobs to the garbage collector. */
async function forgetCronJob(key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { namespace, name } = key;
  const settled = await settleRun(
    key,
    context,
    () => false,
    () => false,
  );
  if (context.item.intent) await context.recordIntent(undefined);
  const why: readonly Reason[] = [{ reason: 'ownerIsGone', namespace, name }, ...settled.why];
  return { outcome: { status: 'done' }, why: why.map(reasonInWords), writes: [] };
}

interface Ended {
  readonly cronJob: CronJob;
  readonly tracked: readonly Happening[];
  readonly decision: RunDecision;
  readonly steps: readonly RunStep[];
  readonly why: readonly Reason[];
}

/** Writes the status, then the events, and only then throws what failed, so that the key is retried with backoff. */
async function concludeRun(events: EventRecorder, ended: Ended, context: SyncContext): Promise<SyncReport> {
  const { cronJob, decision, steps } = ended;
  const { registry, nowMs } = context;
  const status = steps.at(-1)?.status ?? {};
  const written = await updateStatus(registry, CRON_JOBS, cronJob, status);
  const isWritten = written.status === 'stored' || written.status === 'unchanged';
  const done = steps.flatMap(({ happened }) => happened);
  const happened = isWritten ? [...ended.tracked, ...decision.happened, ...done] : done;
  await events.record(
    happened.map((one) => ({ regarding: cronJob, ...one })),
    registry,
  );
  const failure = steps.find((step) => step.failure)?.failure;
  if (failure) throw failure;
  const delayMs = decision.nextMs === undefined ? undefined : decision.nextMs + NEXT_SCHEDULE_DELTA_MS - nowMs;
  return {
    outcome: conclude({
      mustReobserve: written.status === 'conflict' || written.status === 'absent',
      isCutShort: written.status === 'notTried',
      delaysMs: [delayMs],
    }),
    why: [...ended.why, decision.why, ...steps.flatMap(({ why }) => why)].map(reasonInWords),
    observed: { active: status.active?.length ?? 0, lastScheduleTime: status.lastScheduleTime ?? 'never' },
    writes: [
      ...steps.flatMap(({ writes }) => writes),
      ...(written.status === 'stored' ? [`status of ${CRON_JOBS} ${namespacedName(cronJob)}`] : []),
    ],
  };
}
