import { isEmptySelector } from '../../objects/labelSelector.ts';
import { decideAutoRollback } from './autoRollback.ts';
import { decideCleanup } from './cleanup.ts';
import { decideHeld } from './decideHeld.ts';
import { decideRolloutTo, planCreation, planStep } from './decideRollout.ts';
import { draftPlan } from './draftPlan.ts';
import { isRollingUpdate } from './fenceposts.ts';
import { pausedConditions } from './pausing.ts';
import type { Plan } from './Plan.ts';
import { decideRollback, requestedRollback } from './rollback.ts';
import { decideFirstReplicas } from './rolling.ts';
import { findRollout, NO_STEP, type Rollout, type World } from './Rollout.ts';
import { decideScaling, isScalingEvent } from './scaling.ts';
import { calculateStatus, type Conditions } from './status.ts';
import { foundConditions, syncRevision } from './syncRevision.ts';

/**
 * `syncDeployment`, in Kubernetes' order, from what was seen to what is written: one step a sync, as each write brings the key back. Pure. Throws for a strategy
 * of unknown type.
 */
export function decideDeployment(world: World): Plan {
  const { deployment, nowMs } = world;
  if (isEmptySelector(deployment.spec?.selector)) return decideSelectingAll(world);
  const rollout = syncRevision(findRollout(deployment, world.replicaSets));
  const found = foundConditions(rollout, nowMs);
  if (deployment.metadata.deletionTimestamp !== undefined) {
    return planStatus(world, rollout, found, 'it is being deleted, so only its status is kept up to date');
  }
  const conditions = pausedConditions(deployment, nowMs);
  if (haveChanged(world, conditions)) {
    return planStatus(
      world,
      rollout,
      conditions,
      'it was paused or resumed, which stops or restarts the clock of its rollout',
    );
  }
  if (deployment.spec?.paused === true) return decidePaused(world, rollout);
  if (haveChanged(world, found)) {
    return planStatus(world, rollout, found, 'its new replica set was found, from which on its rollout is timed');
  }
  return decideActive(world, rollout);
}

/** Conditions that stay are handed through as the same list. */
function haveChanged({ deployment }: World, conditions: Conditions): boolean {
  const before = deployment.status?.conditions;
  return before === undefined ? conditions.length > 0 : conditions !== before;
}

/** What follows once it is neither being deleted nor paused. */
function decideActive(world: World, rollout: Rollout): Plan {
  const requested = requestedRollback(world.deployment);
  if (requested !== undefined) return decideRequestedRollback(world, rollout, requested);
  const automatic = decideAutoRollback(rollout, world);
  switch (automatic.action) {
    case 'forget':
      return planDeployment(
        world,
        automatic.deployment,
        [],
        'the template was changed since it was given up on, so it is tried',
      );
    case 'rollBack':
      return planDeployment(world, automatic.deployment, [automatic.event], automatic.event.message);
    case 'hold':
      return decideHeld(world, automatic);
    case 'none':
    case 'wentBack':
    case 'stay':
      if (isScalingEvent(rollout)) return planStep(world, rollout, decideScaling(rollout));
      return decideRolloutTo(world, rollout, automatic);
  }
}

/** An empty selector would take in every ReplicaSet and pod there is. The generation counts as observed, so that nobody waits for it. */
function decideSelectingAll({ deployment }: World): Plan {
  const generation = deployment.metadata.generation ?? 0;
  const observed = (deployment.status?.observedGeneration ?? 0) >= generation;
  const status = { ...deployment.status, observedGeneration: generation };
  const message = 'This deployment is selecting all pods. A non-empty selector is required.';
  return {
    deployment,
    writes: observed ? [] : [{ write: 'updateStatus', to: { ...deployment, status } }],
    events: [{ type: 'Warning', reason: 'SelectingAll', message }],
    why: ['its selector is empty, so nothing is done'],
    waitsFor: ['waits for another selector'],
  };
}

/** A paused Deployment is still scaled, and its history cleaned up, unless a rollback is asked for that may need it. */
function decidePaused(world: World, rollout: Rollout): Plan {
  const step = decideScaling(rollout);
  const remove = requestedRollback(world.deployment) === undefined ? decideCleanup(rollout) : [];
  const why = ['it is paused: it is scaled, but not rolled out', ...step.why];
  return planStep(world, rollout, { ...step, why, waitsFor: [...step.waitsFor, 'waits to be resumed'] }, remove);
}

/**
 * What "the revision before this one" is, is only known once this one has a revision, so the new ReplicaSet is created first. A rolling update gives it what there is
 * room for, as ever, though its template may be left at once: with 0 replicas it would delete the available pods that it adopts, should a user have deleted its
 * predecessor and orphaned them. Recreate first takes the old pods away, so there it starts with none.
 */
function decideRequestedRollback(world: World, rollout: Rollout, requested: number): Plan {
  if (!rollout.newReplicaSet) {
    const none = { replicas: 0, why: ['a rollback is asked for, so it starts with 0 replicas'] };
    return planCreation(world, rollout, isRollingUpdate(world.deployment) ? decideFirstReplicas(rollout) : none);
  }
  const { deployment, event } = decideRollback(rollout, requested);
  return planDeployment(world, deployment, [event], event.message);
}

/** The Deployment's spec is written alone: all that follows is for the next sync to see. */
function planDeployment(world: World, to: Plan['deployment'], events: Plan['events'], why: string): Plan {
  const { deployment } = world;
  return { deployment, writes: [{ write: 'updateDeployment', to, events }], events: [], why: [why], waitsFor: [] };
}

function planStatus(world: World, rollout: Rollout, conditions: Conditions, why: string): Plan {
  const status = calculateStatus(rollout, conditions, world.nowMs);
  return draftPlan(world, { ...NO_STEP, rollout, status, why: [why] });
}
