import type { DeploymentCondition, ReplicaSetCondition } from 'kubernetes-types/apps/v1.js';

type Conditions = readonly DeploymentCondition[];

/** What a condition says, before its times are known. */
export type ConditionText = Pick<DeploymentCondition, 'type' | 'status'> & { reason: string; message: string };

export function findCondition(conditions: Conditions, type: string): DeploymentCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/**
 * `SetDeploymentCondition`: nothing changes while status and reason stay the same, so that neither message nor times flutter; the transition time moves
 * with the status alone. A changed condition goes to the end of the list. `now` is RFC 3339 in whole seconds. Pure.
 */
export function withCondition(conditions: Conditions, text: ConditionText, now: string): Conditions {
  const current = findCondition(conditions, text.type);
  if (current?.status === text.status && current.reason === text.reason) return conditions;
  return withFreshCondition(conditions, text, now);
}

/** As `withCondition`, but its update time moves though status and reason stay: for progress, whose clock restarts each time there is some. */
export function withFreshCondition(conditions: Conditions, text: ConditionText, now: string): Conditions {
  const current = findCondition(conditions, text.type);
  const since = current?.status === text.status ? (current.lastTransitionTime ?? now) : now;
  return [...withoutCondition(conditions, text.type), { ...text, lastUpdateTime: now, lastTransitionTime: since }];
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  const others = conditions.filter((condition) => condition.type !== type);
  return others.length === conditions.length ? conditions : others;
}

/** A ReplicaSet's condition as its Deployment shows it: with the times that it has there. */
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
