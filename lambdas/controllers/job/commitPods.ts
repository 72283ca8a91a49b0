import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import { type CommittedReplicas, commitReplicas } from '../replicaset/commitReplicas.ts';
import type { PlannedDelete } from '../replicaset/getPodsToDelete.ts';
import type { PodControl } from '../replicaset/PodControl.ts';
import { type PlannedPlaces, plannedPods } from '../replicaset/plannedPods.ts';
import type { JobAssessment } from './JobAssessment.ts';
import type { PodsPlan } from './manageJob.ts';
import type { BackoffRecord } from './podFailures.ts';
import { releaseUnchanged } from './releasePods.ts';
import type { PodCounts } from './trackJob.ts';

/** What a Job's key remembers. */
export interface JobMemory extends PlannedPlaces {
  /** How many pods failed by being deleted since the last success, and when the last of them did; milliseconds since the epoch. Nothing else remembers them. */
  readonly backoff?: BackoffRecord;
}

/** Returns what only this controller reads of an intent. Pure. */
export function memoryOf(intent: Intent | undefined): JobMemory {
  return intent?.memory ?? {};
}

/** Returns the intent that a plan needs; `undefined` if it neither creates nor abandons pods. Pods that a Job deletes because it ends need none: until they are gone it ends again. Pure. */
export function intentOf({ job, vanished, nowMs }: JobAssessment, plan: PodsPlan, id: string): Intent | undefined {
  if (plan.creates === 0 && plan.abandon.length === 0) return undefined;
  return {
    id,
    ownerUid: job.metadata.uid,
    atMs: nowMs,
    count: plan.creates,
    deletes: plan.abandon.map(toDelete),
    memory: { ...(plan.indexes && { indexes: plan.indexes }), ...(vanished && { backoff: vanished }) },
  };
}

/** Abandons, deletes and creates the pods of the plan, in this order. */
export async function commitPods(
  control: PodControl,
  plan: PodsPlan,
  intent: Intent | undefined,
): Promise<CommittedReplicas> {
  const abandoned = await abandonPods(control, plan.abandon);
  const committed = await commitReplicas(control, {
    burns: [],
    creates: intent ? plannedPods(intent, control.owner.metadata.name) : [],
    deletes: [...abandoned.deletes, ...plan.deletes.map(toDelete)],
    inherited: false,
  });
  return withAbandoned(committed, abandoned);
}

/**
 * Finishes what an earlier sync recorded and did not clear, and nothing else: the names of pods that do not exist are burned, so that no create that is still under way can have an effect, and its deletes are carried out.
 * See `settleIntent`. Here no pod is created by an old intent: the next sync plans new ones.
 */
export async function settleJobIntent(
  control: PodControl,
  intent: Intent,
  listed: readonly Pod[],
): Promise<CommittedReplicas> {
  const byUid = new Map(listed.map((pod) => [pod.metadata.uid, pod]));
  const burns = plannedPods(intent, control.owner.metadata.name).filter(({ uid }) => !byUid.has(uid));
  const abandoned = await abandonPods(control, unfinishedDeletes(intent, byUid));
  const committed = await commitReplicas(control, { burns, creates: [], deletes: abandoned.deletes, inherited: true });
  return withAbandoned(committed, abandoned);
}

/** True if a request of the intent can still have an effect. */
export function isOpen(intent: Intent, ownerName: string, listed: readonly Pod[]): boolean {
  const byUid = new Map(listed.map((pod) => [pod.metadata.uid, pod]));
  return (
    plannedPods(intent, ownerName).some(({ uid }) => !byUid.has(uid)) || unfinishedDeletes(intent, byUid).length > 0
  );
}

/** Returns the counts of the pods after a commit. Pure. */
export function countsAfter({ active, terminating }: JobAssessment, committed: CommittedReplicas): PodCounts {
  const left = active.filter(({ metadata }) => !committed.deletedUids.has(metadata.uid));
  return {
    active: left.length + committed.created.length,
    ready: left.filter(isPodReady).length,
    terminating: terminating + committed.terminating,
    isSettled: committed.settled && !committed.unfinished && !committed.failure,
  };
}

interface Abandoned {
  readonly deletes: readonly PlannedDelete[];
  readonly failure: Error | undefined;
  readonly hasChanged: boolean;
  readonly unfinished: boolean;
}

/** A pod whose finalizer is gone is never counted. Only then it is deleted. */
async function abandonPods({ registry }: PodControl, pods: readonly Pod[]): Promise<Abandoned> {
  const results = await Promise.all(pods.map(async (pod) => ({ pod, release: await releaseUnchanged(registry, pod) })));
  const all = results.map(({ release }) => release);
  return {
    deletes: results.flatMap(({ pod, release }) => (release.status === 'released' ? [toDelete(pod)] : [])),
    failure: all.flatMap((release) => (release.status === 'failed' ? [release.error] : []))[0],
    hasChanged: all.some(({ status }) => status === 'changed'),
    unfinished: all.some(({ status }) => status === 'notTried'),
  };
}

function withAbandoned(
  committed: CommittedReplicas,
  { failure, hasChanged, unfinished }: Abandoned,
): CommittedReplicas {
  return {
    ...committed,
    failure: committed.failure ?? failure,
    settled: committed.settled && failure === undefined,
    mustReobserve: committed.mustReobserve || hasChanged,
    unfinished: committed.unfinished || unfinished,
  };
}

/** A pod that has ended since is not deleted any more: it is counted. */
function unfinishedDeletes(intent: Intent, byUid: ReadonlyMap<string, Pod>): readonly Pod[] {
  const pods = intent.deletes.flatMap(({ uid }) => byUid.get(uid) ?? []);
  return pods.filter(({ metadata, status }) => {
    const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
    return metadata.deletionTimestamp === undefined && !isOver;
  });
}

function toDelete({ metadata: { name, uid } }: Pod): PlannedDelete {
  return { name, uid };
}
