import type { DeploymentCondition, ReplicaSetCondition } from 'kubernetes-types/apps/v1.js';

type Conditions = readonly DeploymentCondition[];

/** A condition without its times. */
export type ConditionText = Pick<DeploymentCondition, 'type' | 'status'> & { reason: string; message: string };

/** A change of a list of conditions, as data. */
export type ConditionChange =
  /** `SetDeploymentCondition`. */
  | { readonly set: ConditionText }
  /** As `set`, but the update time moves even if status and reason stay. For progress, which restarts the clock of a rollout each time. */
  | { readonly refresh: ConditionText }
  /** `ReplicaSetToDeploymentCondition`: with the ReplicaSet's times. */
  | { readonly copy: ReplicaSetCondition }
  /** The type of the condition. */
  | { readonly remove: string };

/** The conditions after the changes, in their order. The same list if nothing changes. `now` is RFC 3339 in whole seconds. Pure. */
export function withChanges(conditions: Conditions, changes: readonly ConditionChange[], now: string): Conditions {
  return changes.reduce((list, change) => withChange(list, change, now), conditions);
}

function withChange(conditions: Conditions, change: ConditionChange, now: string): Conditions {
  if ('set' in change) return withCondition(conditions, change.set, now);
  if ('refresh' in change) return withFreshCondition(conditions, change.refresh, now);
  if ('copy' in change) return withReplicaSetCondition(conditions, change.copy);
  return withoutCondition(conditions, change.remove);
}

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

function withFreshCondition(conditions: Conditions, text: ConditionText, now: string): Conditions {
  const current = findCondition(conditions, text.type);
  const since = current?.status === text.status ? (current.lastTransitionTime ?? now) : now;
  return [...withoutCondition(conditions, text.type), { ...text, lastUpdateTime: now, lastTransitionTime: since }];
}

function withoutCondition(conditions: Conditions, type: string): Conditions {
  const others = conditions.filter((condition) => condition.type !== type);
  return others.length === conditions.length ? conditions : others;
}

function withReplicaSetCondition(conditions: Conditions, condition: ReplicaSetCondition): Conditions {
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
