import { REVISION } from '../../objects/deployments/deploymentAnnotations.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { completedMarks } from './autorollback/autoRollback.ts';
import { statusAfter } from './calculateStatus.ts';
import { cleanupDeployment } from './cleanupDeployment.ts';
import { type Creation, createNewReplicaSet } from './getNewReplicaSet.ts';
import type { EventText, Plan, PlannedWrite } from './Plan.ts';
import { replicasAnnotations, withRevision } from './replicaSetAnnotations.ts';
import type { Rollout } from './Rollout.ts';
import type { SizedReplicaSet } from './SizedReplicaSet.ts';
import { resized } from './Sizes.ts';
import type { Resize, RolloutStep, Step } from './Step.ts';

/** The plan that leads to what a step wants: the only place that computes a status and drafts writes. Pure. */
export function draftPlan(rollout: Rollout, step: Step): Plan {
  const { deployment } = rollout;
  switch (step.write) {
    case 'rollout':
      return draftRollout(rollout, step);
    case 'deployment': {
      const { to, events, why } = step;
      return { deployment, writes: [{ write: 'updateDeployment', to, events }], events: [], why, waitsFor: [] };
    }
    case 'observedGeneration': {
      const { event, why, waitsFor } = step;
      return { deployment, writes: observedGenerationWrites(deployment), events: [event], why, waitsFor };
    }
  }
}

function observedGenerationWrites(deployment: Deployment): PlannedWrite[] {
  const generation = deployment.metadata.generation ?? 0;
  if ((deployment.status?.observedGeneration ?? 0) >= generation) return [];
  return [
    { write: 'updateStatus', to: { ...deployment, status: { ...deployment.status, observedGeneration: generation } } },
  ];
}

/** ReplicaSets are written first, and the Deployment's status last. */
function draftRollout(rollout: Rollout, step: RolloutStep): Plan {
  const { deployment, progress } = rollout;
  const creation = step.create === undefined ? undefined : createNewReplicaSet(rollout, step.create);
  const after = { ...rollout, ...resized(rollout, step.resizes) };
  const status = statusAfter(after, step, creation);
  const marks = completedMarks(after, step);
  const removed = step.cleanUp ? cleanupDeployment(rollout) : [];
  const revision = revisionAfter(rollout, creation);
  const drafts: readonly PlannedWrite[] = [
    ...replicaSetWrites(after, step.resizes, marks),
    ...(creation ? [createWrite(creation)] : []),
    ...removed.map((replicaSet) => ({ write: 'deleteReplicaSet', replicaSet }) as const),
    // The Deployment's revision annotation is written with its status, so that both are stored or neither.
    { write: 'updateStatus', to: { ...withRevision(deployment, revision), status } },
  ];
  const why = creation ? [{ reason: 'noReplicaSetWithTemplate', name: creation.name } as const, ...step.why] : step.why;
  const writes = drafts.filter((planned) => isChange(planned, deployment));
  const plan = { deployment, writes, events: [], why, waitsFor: step.waitsFor };
  if (step.status !== 'progress') return plan;
  const complete = why.length === 0 && progress.isComplete;
  return withDeadline(complete ? { ...plan, why: [{ reason: 'complete' }] } : plan, progress.timesOutInMs);
}

/** The revision that the Deployment has then. While a template is held, it keeps the revision of what it went back to. */
function revisionAfter({ autoRollback, newReplicaSet }: Rollout, creation: Creation | undefined): string | undefined {
  const current = creation?.replicaSet ?? newReplicaSet?.object;
  const { metadata } = (autoRollback.action === 'hold' ? autoRollback.wentBackTo.stored : current) ?? {};
  return metadata?.annotations?.[REVISION];
}

/** Resized ReplicaSets in the order of the resizes, then others, which may have changed, for example by a new revision. */
function replicaSetWrites(
  after: Rollout,
  resizes: readonly Resize[],
  marks: ReadonlyMap<string, Readonly<Record<string, string>>>,
): PlannedWrite[] {
  const order = resizes.map(({ replicaSet }) => replicaSet.uid);
  const rank = ({ uid }: SizedReplicaSet) => (order.includes(uid) ? order.indexOf(uid) : order.length);
  const sizes = replicasAnnotations(after.desired, after.ceiling.bound);
  const ranked = after.all.toSorted((a, b) => rank(a) - rank(b));
  return ranked.map((replicaSet) => {
    const resize = resizes[rank(replicaSet)];
    const to = draftReplicaSet(replicaSet, { ...(resize && sizes), ...marks.get(replicaSet.uid) });
    return { write: 'updateReplicaSet', from: replicaSet.stored, to, events: resize ? scalingEvents(resize) : [] };
  });
}

/** The ReplicaSet in its new size, with those annotations, too. The very same object if nothing changes. */
function draftReplicaSet(
  { object, desired }: SizedReplicaSet,
  annotations: Readonly<Record<string, string>>,
): ReplicaSet {
  if (Object.keys(annotations).length === 0) return object;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
    spec: { ...object.spec, replicas: desired } as NonNullable<ReplicaSet['spec']>,
  };
}

function createWrite({ replicaSet, name, replicas }: Creation): PlannedWrite {
  return { write: 'createReplicaSet', replicaSet, events: replicas > 0 ? [scalingEvent(name, 0, replicas)] : [] };
}

function isChange(planned: PlannedWrite, deployment: Deployment): boolean {
  switch (planned.write) {
    case 'updateReplicaSet':
      return !jsonEqual(planned.from, planned.to);
    case 'updateStatus':
      return !jsonEqual(deployment, planned.to);
    case 'createReplicaSet':
    case 'deleteReplicaSet':
    case 'updateDeployment':
      return true;
  }
}

function scalingEvents({ replicaSet: { name, desired: before }, replicas: after, via }: Resize): EventText[] {
  if (via !== undefined) return [scalingEvent(name, before, via), scalingEvent(name, via, after)];
  return before === after ? [] : [scalingEvent(name, before, after)];
}

function scalingEvent(name: string, from: number, to: number): EventText {
  const message = `Scaled ${from < to ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
  return { type: 'Normal', reason: 'ScalingReplicaSet', message };
}

/** If nothing is written, no change will bring the key back, so it must come back by itself when the deadline passes. */
function withDeadline(plan: Plan, requeueAfterMs: number | undefined): Plan {
  if (plan.writes.length > 0 || requeueAfterMs === undefined) return plan;
  const waitsFor = [...plan.waitsFor, { wait: 'progressDeadline', leftMs: requeueAfterMs } as const];
  return { ...plan, waitsFor, requeueAfterMs };
}
