import { withCondition } from '../../objects/deploymentConditions.ts';
import { goQuote } from '../../objects/goQuote.ts';
import type { ReplicaSet } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { type AutoRollback, markCompleted } from './autoRollback.ts';
import { decideCleanup } from './cleanup.ts';
import { draftPlan } from './draftPlan.ts';
import { newReplicaSet } from './newReplicaSet.ts';
import { RESUMED } from './pausing.ts';
import type { Plan } from './Plan.ts';
import {
  completedMessage,
  msUntilTimedOut,
  NEW_REPLICA_SET_AVAILABLE,
  PROGRESSING,
  progressDeadlineMs,
  progressing,
  rolloutConditions,
} from './progress.ts';
import { decideRecreate, type RecreateStep } from './recreate.ts';
import { desiredReplicas } from './replicaCounts.ts';
import { rolledBackConditions } from './rolledBackConditions.ts';
import { decideFirstReplicas, decideRolling } from './rolling.ts';
import { NO_STEP, type Rollout, resized, type Step, type World } from './Rollout.ts';
import { calculateStatus, type Conditions, isComplete } from './status.ts';

/** Rolls on to the Deployment's template by its strategy: `rolloutRolling` and `rolloutRecreate`. Pure. */
export function decideRolloutTo(world: World, rollout: Rollout, automatic: AutoRollback): Plan {
  const step = decideStrategyStep(world, rollout);
  if (step.create) return planCreation(world, rollout, firstReplicas(rollout));
  const after = resized(rollout, step.resizes);
  const counted = calculateStatus(after, world.deployment.status?.conditions ?? [], world.nowMs);
  const told = rolledBackConditions(rolloutConditions(after, counted, world.nowMs), automatic, world.nowMs);
  const status = { ...counted, conditions: [...told] };
  const remove = step.resizes.length === 0 && wasComplete(world) ? decideCleanup(rollout) : [];
  const completed = isComplete(world.deployment, status);
  const marked = markCompleted(after, (replicaSet) => completed && replicaSet === after.newReplicaSet);
  const why = step.why.length > 0 || !completed ? step.why : ['the rollout is complete'];
  const plan = draftPlan(world, {
    rollout: marked,
    order: orderOf(step),
    status,
    remove,
    why,
    waitsFor: step.waitsFor,
  });
  return withDeadline(plan, world);
}

/** What the strategy does next. A strategy that Kubernetes does not know is an error, whoever stored it. */
export function decideStrategyStep({ deployment, pods }: World, rollout: Rollout): RecreateStep {
  const type = deployment.spec?.strategy?.type;
  if (type === 'Recreate') return decideRecreate(rollout, pods);
  if (type !== 'RollingUpdate') throw new Error(`unexpected deployment strategy type: ${type ?? ''}`);
  return rollout.newReplicaSet ? decideRolling(rollout) : { ...NO_STEP, create: true };
}

function firstReplicas(rollout: Rollout): ReturnType<typeof decideFirstReplicas> {
  if (rollout.deployment.spec?.strategy?.type === 'RollingUpdate') return decideFirstReplicas(rollout);
  return {
    replicas: desiredReplicas(rollout.deployment),
    why: ['no old pod is left, so it gets all replicas at once'],
  };
}

/**
 * The new ReplicaSet's creation, with the condition that starts the rollout's clock. Straight after a resumption that condition stays: it started the clock
 * already, and so Kubernetes was seen to do. Pure.
 */
export function planCreation(
  world: World,
  rollout: Rollout,
  first: { readonly replicas: number; readonly why: readonly string[] },
): Plan {
  const { deployment, nowMs } = world;
  const create = newReplicaSet(rollout, first.replicas);
  const name = create.metadata.name ?? '';
  const conditions = deployment.status?.conditions ?? [];
  const created = progressing('True', 'NewReplicaSetCreated', `Created new replica set ${goQuote(name)}`);
  const timed = progressDeadlineMs(deployment) !== undefined && progressOf(conditions)?.reason !== RESUMED;
  const status = calculateStatus(
    rollout,
    timed ? withCondition(conditions, created, formatTime(nowMs)) : conditions,
    nowMs,
  );
  const marked = markCompleted(rollout, (replicaSet) => wasRolledTo(conditions, rollout, replicaSet));
  const why = [`no replica set has this template, so ${name} is created`, ...first.why];
  return draftPlan(world, { rollout: marked, status: withNewOnes(status, first.replicas), create, why, waitsFor: [] });
}

/** The pods that the new ReplicaSet shall have are not available yet. */
function withNewOnes(status: ReturnType<typeof calculateStatus>, replicas: number): ReturnType<typeof calculateStatus> {
  const { conditions, ...counts } = status;
  const unavailableReplicas = (status.unavailableReplicas ?? 0) + replicas;
  return { ...counts, ...(unavailableReplicas > 0 && { unavailableReplicas }), ...(conditions && { conditions }) };
}

function progressOf(conditions: Conditions) {
  return conditions.find(({ type }) => type === PROGRESSING);
}

/** Whether the last complete rollout led to this ReplicaSet, by what the Deployment's condition still says of it. */
function wasRolledTo(conditions: Conditions, { deployment }: Rollout, replicaSet: ReplicaSet): boolean {
  const condition = progressOf(conditions);
  return (
    condition?.reason === NEW_REPLICA_SET_AVAILABLE && condition.message === completedMessage(deployment, replicaSet)
  );
}

/** A step without progress to estimate: scaling, and all that a paused Deployment does. Pure. */
export function planStep(world: World, rollout: Rollout, step: Step, remove: readonly ReplicaSet[] = []): Plan {
  const after = resized(rollout, step.resizes);
  const status = calculateStatus(after, world.deployment.status?.conditions ?? [], world.nowMs);
  return draftPlan(world, { ...step, rollout: after, order: orderOf(step), status, remove });
}

export function orderOf({ resizes }: Step): readonly string[] {
  return resizes.map(({ replicaSet }) => replicaSet.metadata.uid);
}

/** As Kubernetes does it: history is cleaned up once the stored status says that the rollout is complete. */
function wasComplete({ deployment }: World): boolean {
  return isComplete(deployment, deployment.status ?? {});
}

/** Nothing was written, so nothing will bring the key back: it must come back by itself when the deadline passes. */
function withDeadline(plan: Plan, { deployment, nowMs }: World): Plan {
  const requeueAfterMs = plan.writes.length === 0 ? msUntilTimedOut(deployment, nowMs) : undefined;
  if (requeueAfterMs === undefined) return plan;
  const waitsFor = [...plan.waitsFor, `times out in ${Math.ceil(requeueAfterMs / 1000)} s unless it progresses`];
  return { ...plan, waitsFor, requeueAfterMs };
}
