import type { Job, Pod } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import type { Plans } from './Plans.ts';

const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';

interface JobPod {
  readonly name: string;
  readonly jobUid: string;
  readonly index: number;
  phase: string | undefined;
  /** When it ended; milliseconds since the epoch. Absent while it runs. */
  endedAtMs: number | undefined;
  /** As what the Job's status has named it. */
  named: 'succeeded' | 'failed' | undefined;
  /** When a user made it; milliseconds since the epoch. */
  readonly madeByUserAtMs: number | undefined;
  /** Its Job gave it up while it ran, and never counts it; or a user made it, and its Job may have ended before. */
  isAbandoned: boolean;
}

/**
 * A Job counts each of its pods exactly once: a pod is named in the status before it loses its finalizer, the counts are those of the pods that were ever named, and when the Job has ended all of them were, except for those that it
 * gave up. No pod that runs loses its finalizer unless its Job has planned to give it up, or has succeeded and deletes what still runs. It creates no pod above the parallelism that its sync had read, unless a user has made one since, and none after more failures than its limit.
 */
export class JobCounts implements Check {
  readonly #world: World;
  readonly #plans: Plans;
  readonly #pods = new Map<string, JobPod>();

  constructor(world: World, plans: Plans) {
    this.#world = world;
    this.#plans = plans;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    if (change.resource === 'jobs.batch') return change.after && this.#judgeStatus(change.after);
    if (change.resource !== 'pods') return undefined;
    const { before, after } = change as { before?: Pod; after?: Pod };
    const pod = this.#note(before, after, nowMs, !before && writer === 'client');
    if (!pod) return undefined;
    if (!before && writer === 'job') return this.#judgeCreation(after as Pod, pod, trail);
    // The last finalizer of a pod that is being deleted goes with the pod. Others remove one by force.
    const isRemoved = !after && writer === 'job';
    const isReleased = before && isTracked(before) && (isRemoved || (after && !isTracked(after)));
    return isReleased ? this.#judgeRelease(before, pod, writer === 'job' ? trail : undefined) : undefined;
  }

  #note(before: Pod | undefined, after: Pod | undefined, nowMs: number, isMadeByUser: boolean): JobPod | undefined {
    const { metadata, status } = (after ?? before) as Pod;
    const known = this.#pods.get(metadata.uid);
    const owner = controllerOf({ metadata });
    if (!known && owner?.kind !== 'Job') return undefined;
    const index = Number(metadata.annotations?.[INDEX] ?? -1);
    const pod = known ?? {
      name: metadata.name,
      jobUid: owner?.uid ?? '',
      index,
      phase: undefined,
      endedAtMs: undefined,
      named: undefined,
      madeByUserAtMs: isMadeByUser ? nowMs : undefined,
      isAbandoned: isMadeByUser,
    };
    pod.phase = status?.phase;
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed') pod.endedAtMs ??= nowMs;
    this.#pods.set(metadata.uid, pod);
    return pod;
  }

  #judgeCreation(created: Pod, { jobUid }: JobPod, trail: SyncTrail | undefined): string | undefined {
    const job: Job | undefined = trail?.subject;
    if (!trail || job?.metadata.uid !== jobUid) return undefined;
    const { parallelism = 1, backoffLimit = 6 } = job.spec ?? {};
    const active = this.#world
      .activePodsOf(jobUid)
      .filter((pod) => !this.#wasMadeByUserSince(pod, trail.beganMs)).length;
    if (active > parallelism)
      return `${nameOf(created)} is one too many: ${active} pods of ${nameOf(job)}, with parallelism ${parallelism}`;
    const failed = job.status?.failed ?? 0;
    return failed > backoffLimit
      ? `${nameOf(created)} was created after ${failed} failures of ${nameOf(job)}, with backoffLimit ${backoffLimit}`
      : undefined;
  }

  #wasMadeByUserSince({ metadata }: Pod, sinceMs: number): boolean {
    return (this.#pods.get(metadata.uid)?.madeByUserAtMs ?? Number.NEGATIVE_INFINITY) >= sinceMs;
  }

  /** A pod that ran on is given up, unless it was named as failed because it is being deleted. So is one that has ended since the sync began: the sync may have read that it runs. */
  #judgeRelease(before: Pod, pod: JobPod, trail: SyncTrail | undefined): string | undefined {
    const job: Job | undefined = this.#world.byUid(pod.jobUid);
    const hasEnded = (pod.endedAtMs ?? Number.POSITIVE_INFINITY) < (trail?.beganMs ?? Number.POSITIVE_INFINITY);
    const isUsersTooLate = pod.isAbandoned && job !== undefined && isFinished(job);
    const isOver = !job || job.metadata.deletionTimestamp !== undefined || isUsersTooLate;
    if (isOver || (!hasEnded && !this.#isNamed(job, pod))) {
      pod.isAbandoned = pod.named === undefined;
      const isPlanned = !trail || this.#plans.isPlanned(before.metadata.uid);
      return isOver || isPlanned || isFinished(job) || isSurplus(job, before)
        ? undefined
        : `${nameOf(before)} lost its finalizer while it runs, and ${nameOf(job)} has not given it up`;
    }
    return this.#isNamed(job, pod) ? undefined : `${nameOf(before)} lost its finalizer before ${nameOf(job)} named it`;
  }

  #judgeStatus(job: Job): string | undefined {
    const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted } = job.status ?? {};
    const wrong =
      this.#name(uncounted?.succeeded, 'succeeded') ??
      this.#name(uncounted?.failed, 'failed') ??
      this.#miscounted(job, 'failed', failed + (uncounted?.failed?.length ?? 0));
    if (wrong !== undefined) return wrong;
    if (isIndexed(job)) {
      if (succeeded !== indexesOf(job).size)
        return `${nameOf(job)} counts ${succeeded} of ${indexesOf(job).size} indexes`;
    } else {
      const counted = this.#miscounted(job, 'succeeded', succeeded + (uncounted?.succeeded?.length ?? 0));
      if (counted !== undefined) return counted;
    }
    const missed = isFinished(job)
      ? this.#podsOf(job).find((pod) => !pod.isAbandoned && !this.#isNamed(job, pod))
      : undefined;
    return missed && `${nameOf(job)} has ended and has never counted ${missed.name}, which is ${missed.phase}`;
  }

  #name(uids: readonly string[] | undefined, as: 'succeeded' | 'failed'): string | undefined {
    for (const uid of uids ?? []) {
      const pod = this.#pods.get(uid);
      if (!pod) return `a Job counts ${uid}, which was never a pod of it`;
      if (pod.named !== undefined && pod.named !== as) return `${pod.name} is counted as ${pod.named} and as ${as}`;
      pod.named = as;
    }
    return undefined;
  }

  #miscounted(job: Job, as: 'succeeded' | 'failed', counted: number): string | undefined {
    const named = this.#podsOf(job).filter((pod) => pod.named === as).length;
    return counted === named ? undefined : `${nameOf(job)} counts ${counted} pods that ${as}, and has named ${named}`;
  }

  #isNamed(job: Job, { named, phase, index }: JobPod): boolean {
    return named !== undefined || (isIndexed(job) && phase === 'Succeeded' && indexesOf(job).has(index));
  }

  #podsOf({ metadata }: Job): JobPod[] {
    return [...this.#pods.values()].filter(({ jobUid }) => jobUid === metadata.uid);
  }
}

function isFinished(job: Job): boolean {
  return hasCondition(job, 'Complete') || hasCondition(job, 'Failed');
}

/** The pod runs when its Job has all its successes, because it came in place of another: the Job deletes it and does not count it. */
function isSurplus(job: Job, { metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && hasCondition(job, 'SuccessCriteriaMet');
}

function hasCondition({ status }: Job, wanted: string): boolean {
  return (status?.conditions ?? []).some(({ type, status: is }) => is === 'True' && type === wanted);
}

function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING) === true;
}

function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

function indexesOf({ status }: Job): ReadonlySet<number> {
  const parts = (status?.completedIndexes ?? '').split(',').filter(Boolean);
  const indexes = parts.flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
  });
  return new Set(indexes);
}
