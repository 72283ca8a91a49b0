import { AUTO_ROLLBACK, COMPLETED_REVISION, GIVEN_UP } from '../../lambdas/objects/deploymentAnnotations.ts';
import type { PodDisruptionBudget } from '../../lambdas/controllers/disruption/expectedPods.ts';
import { controllerOf } from '../../lambdas/objects/KubernetesObject.ts';
import type {
  ControllerRevision,
  Deployment,
  Pod,
  ReplicaSet,
  ReplicationController,
} from '../../lambdas/objects/kinds.ts';
import { matchesLabelSelector } from '../../lambdas/objects/labelSelector.ts';
import { podTemplateHash } from '../../lambdas/objects/podTemplateHash.ts';
import { isPodReady } from '../../lambdas/objects/podState.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import { parseWorkKey } from '../../lambdas/ports/WorkKey.ts';
import { runMsOf } from './checks/CronRuns.ts';
import { waitingPod } from './checks/waitingPod.ts';
import { unmetStatefulSet } from './checks/unmetStatefulSet.ts';
import { unfinishedDaemonSet } from './checks/unfinishedDaemonSet.ts';
import { NO_DEADLINE } from './checks/Rollbacks.ts';
import { isFailingImage } from './drawScript.ts';
import { isComplete } from './isComplete.ts';
import { nameOf, type World } from './World.ts';

const NEVER_READY = 'simulate.driftless.dev/never-ready';

/** What is left when a run has ended. */
export interface EndedRun {
  readonly world: World;
  readonly scheduler: Pick<Clock, 'now'>;
  readonly keyLocks: Pick<KeyLocks, 'peek'>;
  readonly queue: {
    readonly seenKeys: ReadonlySet<string>;
    messagesOf(key: string): readonly unknown[];
  };
}

/** Once faults have stopped and nothing is left to do, everything is as the specs say. Returns the first thing that is not. */
export async function checkEnd(simulation: EndedRun): Promise<string | undefined> {
  const { world, scheduler } = simulation;
  const nowMs = scheduler.now();
  for (const deployment of world.deployments()) {
    const wrong = unmetRollout(world, deployment, nowMs);
    if (wrong !== undefined) return `${nameOf(deployment)} ${wrong}: ${JSON.stringify(deployment.status)}`;
  }
  return (
    waitingPod(world) ??
    unmetReplicas(world) ??
    unfinishedJob(world) ??
    unfinishedCronJob(world) ??
    uncountedBudget(world) ??
    unfinishedDaemonSet(world) ??
    unmetStatefulSet(world) ??
    garbage(world) ??
    (await leftIntent(simulation)) ??
    (await forgottenFailure(simulation))
  );
}

type Template = NonNullable<Deployment['spec']>['template'] | NonNullable<ReplicationController['spec']>['template'];

/** False if no pod of the template ever becomes ready. */
export function canRun(template: Template): boolean {
  const isReadyEver = template?.metadata?.annotations?.[NEVER_READY] === undefined;
  return isReadyEver && !(template?.spec?.containers ?? []).some(({ image = '' }) => isFailingImage(image));
}

function unmetRollout(world: World, deployment: Deployment, nowMs: number): string | undefined {
  const kept = keptInstead(deployment);
  if (kept !== undefined) return wronglyHeld(world, deployment, kept);
  return canRun(deployment.spec?.template) ? incomplete(world, deployment, nowMs) : wronglyFailed(world, deployment);
}

/**
 * The hash of the template that runs in place of the one that the user asks for; `undefined` if the latter may be rolled out. An automatic rollback may give up on a template whose pods can run, because
 * faults held them up for longer than the progress deadline. If the user asks for the same template again, it stays in the spec and is not tried again.
 */
function keptInstead({ metadata, spec }: Deployment): string | undefined {
  const { [GIVEN_UP]: givenUp = '{}', [AUTO_ROLLBACK]: autoRollback } = metadata.annotations ?? {};
  if (autoRollback !== 'true' || spec?.progressDeadlineSeconds === NO_DEADLINE) return undefined;
  const { template, instead } = JSON.parse(givenUp) as Readonly<Record<string, string>>;
  return template === podTemplateHash(spec?.template ?? {}) ? instead : undefined;
}

/** What is kept has all replicas, if its pods can run, and the status says that the user's template has failed. */
function wronglyHeld(world: World, deployment: Deployment, kept: string): string | undefined {
  const { spec, status, metadata } = deployment;
  if (status?.observedGeneration !== metadata.generation) return 'has not observed its generation';
  const { reason, status: is } = conditionOf(deployment, 'Progressing') ?? {};
  if (is !== 'False' || reason !== 'ProgressDeadlineExceeded') return 'is not to be rolled out, but does not say so';
  const all = world.replicaSetsOf(deployment);
  const [running] = all.filter((one) => podTemplateHash(one.spec?.template ?? {}) === kept);
  if (!running) return 'is not to be rolled out, but what it went back to is gone';
  if (!canRun(running.spec?.template)) return undefined;
  const isWhole = all.every((one) => one.spec?.replicas === (one === running ? spec?.replicas : 0));
  return isWhole ? undefined : `is not to be rolled out, but ${running.metadata.name} does not have all replicas`;
}

function incomplete(world: World, deployment: Deployment, nowMs: number): string | undefined {
  if (!isComplete(world, deployment, nowMs)) return 'is not complete';
  const isTimed = deployment.spec?.progressDeadlineSeconds !== NO_DEADLINE;
  const unmet = ['Available', ...(isTimed ? ['Progressing'] : [])].find(
    (type) => conditionOf(deployment, type)?.status !== 'True',
  );
  return unmet && `is complete, but its condition ${unmet} does not say so`;
}

function conditionOf({ status }: Deployment, wanted: string) {
  return status?.conditions?.find(({ type }) => type === wanted);
}

/** A rollout whose pods never become ready has timed out, and went back if it was to. */
function wronglyFailed(world: World, deployment: Deployment): string | undefined {
  const { spec, status, metadata } = deployment;
  if (spec?.replicas === 0) return undefined;
  if (status?.observedGeneration !== metadata.generation) return 'has not observed its generation';
  if (spec?.progressDeadlineSeconds === NO_DEADLINE) return undefined;
  const { reason, status: is } = conditionOf(deployment, 'Progressing') ?? {};
  // A rollout to no replicas is complete at once, and one that was complete does not time out when it is scaled.
  if (reason === 'NewReplicaSetAvailable') return undefined;
  if (is !== 'False' || reason !== 'ProgressDeadlineExceeded') return 'cannot progress, but has not timed out';
  if (metadata.annotations?.[AUTO_ROLLBACK] !== 'true' || metadata.annotations[GIVEN_UP] !== undefined)
    return undefined;
  const target = world.replicaSetsOf(deployment).find((one) => isTarget(one, deployment));
  return target && `has timed out, but did not go back to ${target.metadata.name}, which was complete`;
}

function isTarget({ metadata, spec }: ReplicaSet, { metadata: deployment }: Deployment): boolean {
  const isLeaving = metadata.deletionTimestamp !== undefined || deployment.deletionTimestamp !== undefined;
  return !isLeaving && metadata.annotations?.[COMPLETED_REVISION] !== undefined && canRun(spec?.template);
}

function unmetReplicas(world: World): string | undefined {
  for (const owner of world.replicaOwners()) {
    const replicas = owner.spec?.replicas ?? 1;
    const active = world.activePodsOf(owner.metadata.uid);
    const { replicas: seen = 0, readyReplicas = 0, availableReplicas = 0 } = owner.status ?? {};
    if (active.length !== replicas) return `${nameOf(owner)} has ${active.length} pods where it wants ${replicas}`;
    // Pod by pod, since those that were adopted may be of another template. One that has no node waits for room rightly: see `waitingPod`.
    const ready = active.filter(({ metadata, spec }) => spec?.nodeName && canRun({ metadata, spec })).length;
    if (seen !== replicas || readyReplicas !== ready || availableReplicas !== ready)
      return `the status of ${nameOf(owner)} is wrong: ${seen}, ${readyReplicas}, ${availableReplicas} of ${replicas}`;
    if (active.filter(isPodReady).length !== ready) return `${nameOf(owner)} has pods that are not ready`;
  }
  return undefined;
}

/** Every Job has ended, and none of its pods is held any more. */
function unfinishedJob(world: World): string | undefined {
  for (const job of world.jobs()) {
    const { conditions = [], active = 0, uncountedTerminatedPods: uncounted } = job.status ?? {};
    const hasEnded = conditions.some(
      ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
    );
    if (!hasEnded) return `${nameOf(job)} has not ended: ${JSON.stringify(job.status)}`;
    const isExact = active === 0 && !uncounted?.succeeded && !uncounted?.failed;
    if (!isExact) return `${nameOf(job)} has ended with pods that are not counted: ${JSON.stringify(job.status)}`;
    const held = world.podsOf(job.metadata.uid).find(({ metadata }) => metadata.finalizers !== undefined);
    if (held) return `${nameOf(held)} is held though ${nameOf(job)} has ended`;
  }
  return undefined;
}

/** A CronJob that is suspended has no active Jobs any more, keeps no more Jobs than it may, and has noted the run of each. */
function unfinishedCronJob(world: World): string | undefined {
  for (const cronJob of world.cronJobs()) {
    const { spec, status = {}, metadata } = cronJob;
    if (status.active) return `${nameOf(cronJob)} has active jobs, and none runs: ${JSON.stringify(status.active)}`;
    const jobs = world.jobs().filter((job) => controllerOf(job)?.uid === metadata.uid);
    const kept = (type: string) =>
      jobs.filter((job) => job.status?.conditions?.some((one) => one.type === type && one.status === 'True')).length;
    const [succeeded, failed] = [kept('Complete'), kept('Failed')];
    if (succeeded > (spec?.successfulJobsHistoryLimit ?? 3) || failed > (spec?.failedJobsHistoryLimit ?? 1))
      return `${nameOf(cronJob)} keeps ${succeeded} jobs that succeeded and ${failed} that failed`;
    const lastMs = Date.parse(status.lastScheduleTime ?? '');
    const missed = jobs.find((job) => !(runMsOf(job) <= lastMs));
    if (missed) return `${nameOf(cronJob)} has not noted the run of ${nameOf(missed)}`;
  }
  return undefined;
}

/** Every budget that can be computed says what is there, and remembers no evicted pod any more. */
function uncountedBudget(world: World): string | undefined {
  for (const budget of world.all<PodDisruptionBudget>('PodDisruptionBudget')) {
    const { metadata, spec, status } = budget;
    if (status?.conditions?.some(({ reason }) => reason === 'SyncFailed')) continue;
    const pods = world.pods().filter((pod) => pod.metadata.namespace === metadata.namespace);
    const healthy = pods.filter((pod) => matchesLabelSelector(spec?.selector, pod.metadata.labels) && isPodReady(pod));
    const {
      observedGeneration,
      currentHealthy,
      desiredHealthy = 0,
      disruptionsAllowed = 0,
      disruptedPods,
    } = status ?? {};
    const isRight = observedGeneration === metadata.generation && currentHealthy === healthy.length && !disruptedPods;
    if (!isRight || disruptionsAllowed > Math.max(0, healthy.length - desiredHealthy))
      return `${nameOf(budget)} does not say that ${healthy.length} pods are healthy: ${JSON.stringify(status)}`;
  }
  return undefined;
}

/** What is on its way out is gone, and so is what lost its owner. An ended pod may stay with its owner: Kubernetes leaves those to their own collector. */
function garbage(world: World): string | undefined {
  const objects = [
    ...world.deployments(),
    ...world.replicaOwners(),
    ...world.jobs(),
    ...world.cronJobs(),
    ...world.statefulSets(),
    ...world.daemonSets(),
    ...world.all<ControllerRevision>('ControllerRevision'),
    ...world.pods(),
    ...world.all<Pod>('Namespace'),
  ];
  const leaving = objects.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (leaving) return `${nameOf(leaving)} is still being deleted`;
  const dangling = objects.find((object) => {
    const owner = controllerOf(object);
    return owner && !world.byUid(owner.uid);
  });
  if (dangling) return `${nameOf(dangling)} has outlived its owner`;
  const homeless = objects.find(
    ({ metadata: { namespace } }) => namespace !== undefined && world.get('namespaces', '', namespace) === undefined,
  );
  return homeless && `${nameOf(homeless)} has outlived its namespace`;
}

/** No intent is left behind, also none of an object that is gone. The one of a CronJob is what its key remembers, and so is one of a DaemonSet without requests, and one of a StatefulSet that only names creates which may come late. */
async function leftIntent({ world, keyLocks, queue }: EndedRun): Promise<string | undefined> {
  for (const encoded of queue.seenKeys) {
    const key = parseWorkKey(encoded);
    const item = key && (await keyLocks.peek(key));
    const isMemory =
      (key?.controller === 'cronjob' && world.get('cronjobs.batch', key.namespace, key.name)) ||
      (item?.intent &&
        (key?.controller === 'daemonset' || item.intent.late !== undefined) &&
        item.intent.count + item.intent.deletes.length === 0);
    if (item?.intent && !isMemory) return `an intent of ${encoded} was left behind`;
  }
  return undefined;
}

/** A key whose last sync failed is tried again: its message is still there. */
async function forgottenFailure({ keyLocks, queue }: EndedRun): Promise<string | undefined> {
  for (const encoded of queue.seenKeys) {
    const key = parseWorkKey(encoded);
    const failures = (key && (await keyLocks.peek(key)))?.failures ?? 0;
    if (failures > 0 && queue.messagesOf(encoded).length === 0)
      return `${encoded} has failed ${failures} times in a row, and nobody tries it again`;
  }
  return undefined;
}
