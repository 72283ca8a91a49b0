import { withCondition } from '../../objects/deploymentConditions.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { AutoRollback } from './autoRollback.ts';
import { decideStrategyStep, orderOf } from './decideRollout.ts';
import { draftPlan } from './draftPlan.ts';
import type { Plan } from './Plan.ts';
import { progressing, TIMED_OUT, timedOutMessage } from './progress.ts';
import { rolledBackConditions } from './rolledBackConditions.ts';
import { allReplicaSets, findRollout, resized, rolloutTo, type World } from './Rollout.ts';
import { decideScaling, isScalingEvent } from './scaling.ts';
import { calculateStatus } from './status.ts';

/**
 * The user asks for a template that was given up on. It stays in the spec, but what runs is what the rollback went back to, rolled to and scaled as if it were the
 * new one. The status tells of the user's template, which is not rolled out: its Progressing condition makes `kubectl rollout status` end at once. Pure.
 */
export function decideHeld(world: World, held: Extract<AutoRollback, { action: 'hold' }>): Plan {
  const { deployment, nowMs } = world;
  const step = isScalingEvent(held.rollout) ? decideScaling(held.rollout) : decideStrategyStep(world, held.rollout);
  const after = resized(held.rollout, step.resizes);
  const asked = findRollout(deployment, world.replicaSets).newReplicaSet;
  const all = allReplicaSets(after);
  const told = all.find(({ metadata }) => metadata.uid === asked?.metadata.uid);
  const counted = calculateStatus(rolloutTo(deployment, all, told), deployment.status?.conditions ?? [], nowMs);
  const timedOut = progressing('False', TIMED_OUT, timedOutMessage(deployment, asked));
  const conditions = rolledBackConditions(
    withCondition(counted.conditions ?? [], timedOut, formatTime(nowMs)),
    held,
    nowMs,
  );
  const status = { ...counted, conditions: [...conditions] };
  const why = ['this template was given up on and has not changed since, so it is not tried again', ...step.why];
  const waitsFor = [...step.waitsFor, 'waits for another template'];
  // The revision shown is that of what runs, which no sync changes here.
  return draftPlan(world, { rollout: after, order: orderOf(step), status, why, waitsFor });
}
