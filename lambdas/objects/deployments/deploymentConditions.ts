import type { DeploymentCondition, ReplicaSetCondition } from 'kubernetes-types/apps/v1.js';

type Conditions = readonly DeploymentCondition[];

/** A condition without its times. */
export type ConditionText = Pick<DeploymentCondition, 'type' | 'status'> & { reason: string; message: string };

export function findCondition(conditions: Conditions, type: string): DeploymentCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/**
 * `SetDeploymentCondition`: returns the same list if status and reason stay, so that neither the message nor the times keep changing. The transition time moves only with the
 * status. A changed condition goes to the end of the list. `now` is RFC 3339 in whole seconds. Pure.
 */
export function withCondition(conditions: Conditions, text: ConditionText, now: string): Conditions {
  const current = findCondition(conditions, text.type);
  if (current?.status === text.status && current.reason === text.reason) return conditions;
  return withFreshCondition(conditions, text, now);
}

/** Like `withCondition`, but the update time moves even if status and reason stay. For progress, which restarts the clock of a rollout each time. */
export function withFreshCondition(conditions: Conditions, text: ConditionText, now: string): Conditions {
  const current = findCondition(conditions, text.type);
  const since = current?.status === text.status ? (current.lastTransitionTime ?? now) : now;
  return [...withoutCondition(conditions, text.type), { ...text, lastUpdateTime: now, lastTransitionTime: since }];
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  const others = conditions.filter((condition) => condition.type !== type);
  return others.length === conditions.length ? conditions : others;
}

/** The Deployment's conditions with that of a ReplicaSet, with the ReplicaSet's times. */
export function withReplicaSetCondition(conditions: Conditions, condition: ReplicaSetCondition): Conditions {
  const { type, status, reason = '', message = '', lastTransitionTime } = condition;
  const current = findCondition(conditions, type);
  if (current?.status === status && current.reason === reason) return conditions;
  const since = current?.status === status ? current.lastTransitionTime : lastTransitionTime;
  return [
    ...withoutCondition(conditions, type),
    {
      type,
      status,
      reason,
      message,
      ...(lastTransitionTime !== undefined && { lastUpdateTime: lastTransitionTime }),
      ...(since !== undefined && { lastTransitionTime: since }),
    },
  ];
}
