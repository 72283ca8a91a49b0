import { withCondition, withoutCondition } from '../../../objects/deployments/deploymentConditions.ts';
import { formatTime } from '../../../ports/Clock.ts';
import { calculateStatus, type Conditions, type DeploymentStatus } from '../calculateStatus.ts';
import { allReplicaSets, findNewReplicaSet, type Rollout, rolloutTo, type World } from '../Rollout.ts';
import { progressing, TIMED_OUT, timedOutMessage } from '../syncRolloutStatus.ts';
import type { AutoRollback, HeldRollout } from './decideAutoRollback.ts';

/** The condition of automatic rollback. It is absent unless a rollback was done, or failed to find a revision. */
const ROLLED_BACK = 'RolledBack';

/** The status of a Deployment whose template is held, after its ReplicaSets were resized. Its counts and its timeout are about that template. Pure. */
export function heldStatus(
  { deployment, replicaSets, nowMs }: World,
  held: HeldRollout,
  after: Rollout,
): DeploymentStatus {
  const asked = findNewReplicaSet(deployment, replicaSets);
  const all = allReplicaSets(after);
  const askedAfter = all.find(({ metadata }) => metadata.uid === asked?.metadata.uid);
  const counted = calculateStatus(rolloutTo(deployment, all, askedAfter), deployment.status?.conditions ?? [], nowMs);
  const timedOut = progressing('False', TIMED_OUT, timedOutMessage(deployment, asked));
  const conditions = withCondition(counted.conditions ?? [], timedOut, formatTime(nowMs));
  return { ...counted, conditions: [...rolledBackConditions(conditions, held, nowMs)] };
}

/** The conditions, with RolledBack as the decision has it. Pure. */
export function rolledBackConditions(conditions: Conditions, decision: AutoRollback, nowMs: number): Conditions {
  switch (decision.action) {
    case 'wentBack':
    case 'hold': {
      const { message } = decision;
      return withCondition(
        conditions,
        { type: ROLLED_BACK, status: 'True', reason: 'AutoRollback', message },
        formatTime(nowMs),
      );
    }
    case 'stay': {
      const { message } = decision;
      return withCondition(
        conditions,
        { type: ROLLED_BACK, status: 'False', reason: 'NoCompleteRevision', message },
        formatTime(nowMs),
      );
    }
    case 'none':
    case 'forget':
    case 'rollBack':
      return withoutCondition(conditions, ROLLED_BACK);
  }
}
