import { REVISION } from '../../objects/deployments/deploymentAnnotations.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { decideAutoRollback, findHeldRollout } from './autorollback/decideAutoRollback.ts';
import { heldStatus, rolledBackConditions } from './autorollback/rolledBackStatus.ts';
import { markCompleted, wasLastCompleted } from './autorollback/rollbackMemory.ts';
import { calculateStatus, type DeploymentStatus, deploymentComplete } from './calculateStatus.ts';
import type { EventText, Outcome, Plan, PlannedWrite, RolloutOutcome } from './Plan.ts';
import { withRevision } from './replicaSetAnnotations.ts';
import { desiredReplicas } from './replicaSets.ts';
import { allReplicaSets, type Resize, type Rollout, resized, type World } from './Rollout.ts';
import { requeueStuckDeployment, rolloutConditions } from './syncRolloutStatus.ts';

/** The plan that leads to the outcome of a step: the only place that computes a status and drafts writes. Pure. */
export function draftPlan(world: World, outcome: Outcome): Plan {
  const { deployment } = world;
  switch (outcome.write) {
    case 'rollout':
      return draftRollout(world, outcome);
    case 'deployment': {
      const { to, events, why } = outcome;
      return { deployment, writes: [{ write: 'updateDeployment', to, events }], events: [], why, waitsFor: [] };
    }
    case 'observedGeneration': {
      const { event, why, waitsFor } = outcome;
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
function draftRollout(world: World, outcome: RolloutOutcome): Plan {
  const { deployment } = world;
  const { create, remove = [], resizes, why, waitsFor } = outcome;
  const after = resized(outcome.rollout, resizes);
  const status = statusAfter(world, outcome, after);
  const isComplete = outcome.status.from === 'progress' && !create && deploymentComplete(deployment, status);
  const marked = markCompleted(after, (replicaSet) =>
    create ? wasLastCompleted(deployment, replicaSet) : isComplete && replicaSet === after.newReplicaSet,
  );
  // While a template is held, the Deployment keeps the revision of what it went back to.
  const current = findHeldRollout(world, marked)?.rollout.newReplicaSet ?? create ?? marked.newReplicaSet;
  const revision = current?.metadata.annotations?.[REVISION];
  const writes: PlannedWrite[] = [
    ...replicaSetWrites(world, marked, resizes),
    ...(create ? [createWrite(create)] : []),
    ...remove.map((replicaSet) => ({ write: 'deleteReplicaSet', replicaSet }) as const),
    ...statusWrites(deployment, status, revision),
  ];
  const plan = { deployment, writes, events: [], why, waitsFor };
  if (outcome.status.from !== 'progress') return plan;
  return withDeadline({ ...plan, why: why.length > 0 || !isComplete ? why : [{ reason: 'complete' }] }, world);
}

function statusAfter(world: World, outcome: RolloutOutcome, after: Rollout): DeploymentStatus {
  const { deployment, nowMs } = world;
  switch (outcome.status.from) {
    case 'conditions':
      return withPodsToCreate(calculateStatus(after, outcome.status.conditions, nowMs), outcome.create);
    case 'progress': {
      const counted = calculateStatus(after, deployment.status?.conditions ?? [], nowMs);
      const decision = decideAutoRollback(outcome.rollout, world);
      const conditions = rolledBackConditions(rolloutConditions(after, counted, nowMs), decision, nowMs);
      return { ...counted, conditions: [...conditions] };
    }
    case 'held':
      return heldStatus(world, outcome.status.held, after);
  }
}

/** The pods of a ReplicaSet that is being created are not available yet. */
function withPodsToCreate(status: DeploymentStatus, create: NewObject | undefined): DeploymentStatus {
  if (!create) return status;
  const { conditions, ...counts } = status;
  const unavailableReplicas = (status.unavailableReplicas ?? 0) + sizeOf(create);
  return { ...counts, ...(unavailableReplicas > 0 && { unavailableReplicas }), ...(conditions && { conditions }) };
}

/** Resized ReplicaSets in the order of the resizes, then others that changed, for example by a new revision. */
function replicaSetWrites(world: World, rollout: Rollout, resizes: readonly Resize[]): PlannedWrite[] {
  const before = new Map(world.replicaSets.map((replicaSet) => [replicaSet.metadata.uid, replicaSet]));
  const order = resizes.map(({ replicaSet }) => replicaSet.metadata.uid);
  const via = new Map(resizes.map((resize) => [resize.replicaSet.metadata.uid, resize.via]));
  const rank = ({ metadata }: ReplicaSet) =>
    order.includes(metadata.uid) ? order.indexOf(metadata.uid) : order.length;
  return allReplicaSets(rollout)
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((to) => {
      const from = before.get(to.metadata.uid);
      if (!from || from === to || jsonEqual(from, to)) return [];
      return [
        { write: 'updateReplicaSet', from, to, events: scalingEvents(from, to, via.get(to.metadata.uid)) } as const,
      ];
    });
}

function createWrite(replicaSet: NewObject): PlannedWrite {
  const replicas = sizeOf(replicaSet);
  const events = replicas > 0 ? [scalingEvent(replicaSet.metadata.name ?? '', 0, replicas)] : [];
  return { write: 'createReplicaSet', replicaSet, events };
}

function sizeOf(replicaSet: NewObject): number {
  const { replicas = 0 } = replicaSet['spec'] as { replicas?: number };
  return replicas;
}

/** The Deployment's revision annotation is written with its status, so that both are stored or neither. */
function statusWrites(deployment: Deployment, status: DeploymentStatus, revision: string | undefined): PlannedWrite[] {
  const to = withRevision(deployment, revision);
  if (to === deployment && jsonEqual(deployment.status ?? {}, status)) return [];
  return [{ write: 'updateStatus', to: { ...to, status } }];
}

function scalingEvents(from: ReplicaSet, to: ReplicaSet, via: number | undefined): EventText[] {
  const [before, after] = [desiredReplicas(from), desiredReplicas(to)];
  const { name } = to.metadata;
  if (via !== undefined) return [scalingEvent(name, before, via), scalingEvent(name, via, after)];
  return before === after ? [] : [scalingEvent(name, before, after)];
}

function scalingEvent(name: string, from: number, to: number): EventText {
  const message = `Scaled ${from < to ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
  return { type: 'Normal', reason: 'ScalingReplicaSet', message };
}

/** If nothing is written, no change will bring the key back, so it must come back by itself when the deadline passes. */
function withDeadline(plan: Plan, { deployment, nowMs }: World): Plan {
  const requeueAfterMs = plan.writes.length === 0 ? requeueStuckDeployment(deployment, nowMs) : undefined;
  if (requeueAfterMs === undefined) return plan;
  const waitsFor = [...plan.waitsFor, { wait: 'progressDeadline', leftMs: requeueAfterMs } as const];
  return { ...plan, waitsFor, requeueAfterMs };
}
