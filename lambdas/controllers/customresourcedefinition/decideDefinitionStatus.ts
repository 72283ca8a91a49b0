import { jsonEqual } from '../../objects/json.ts';
import { decideApproval } from '../../registry/customresources/apiApproval.ts';
import {
  type Condition,
  type CustomResourceDefinition,
  findCondition,
  isConditionTrue,
  withCondition,
} from '../../registry/customresources/CustomResourceDefinition.ts';
import { decideNames } from './decideNames.ts';

type Status = NonNullable<CustomResourceDefinition['status']>;

export interface DecidedStatus {
  /** `undefined` if nothing changes. */
  readonly status: Status | undefined;
  /** Milliseconds until the definition may be established, if it must wait; see ADR 17. */
  readonly establishAfterMs: number | undefined;
}

/**
 * Decides the status of a definition that is not being deleted: accepted names, and the conditions of Kubernetes' naming, establishing and API approval controllers. `inGroup`: the
 * other definitions of its group. `establishDelayMs`: how long accepted names must be known before the definition is established. Pure.
 */
export function decideDefinitionStatus(
  definition: CustomResourceDefinition,
  inGroup: readonly CustomResourceDefinition[],
  nowMs: number,
  establishDelayMs: number,
): DecidedStatus {
  const { acceptedNames, condition: names } = decideNames(definition, inGroup);
  const approval = decideApproval(definition);
  const before = definition.status?.conditions;
  const withApproval = approval ? withCondition(before, approval, nowMs) : before;
  const named = withCondition(withApproval, names, nowMs);
  const waitMs = establishAfterMs(definition, names, nowMs, establishDelayMs);
  const conditions = withCondition(named, establishedCondition(definition, names, waitMs), nowMs);
  const status = { ...definition.status, conditions, acceptedNames } as Status;
  return {
    status: jsonEqual(status, definition.status) ? undefined : status,
    establishAfterMs: waitMs === 0 ? undefined : waitMs,
  };
}

/** Times of conditions are whole seconds, so up to a second more is waited. */
function establishAfterMs(
  definition: CustomResourceDefinition,
  names: Condition,
  nowMs: number,
  delayMs: number,
): number {
  if (names.status !== 'True' || isConditionTrue(definition, 'Established') || delayMs === 0) return 0;
  const accepted = findCondition(definition, 'NamesAccepted');
  const sinceMs = accepted?.status === 'True' ? Date.parse(accepted.lastTransitionTime ?? '') + 1000 : nowMs + 1000;
  return Math.max(0, sinceMs + delayMs - nowMs);
}

/** An established definition stays so, whatever names it asks for later: its objects exist. */
function establishedCondition(definition: CustomResourceDefinition, names: Condition, waitMs: number) {
  const type = 'Established' as const;
  const accepted = 'the initial names have been accepted';
  const old = findCondition(definition, type);
  if (old?.status === 'True') return { ...old, type };
  if (names.status !== 'True') {
    const message = 'not all names are accepted';
    return old ? { ...old, type } : { type, status: 'False', reason: 'NotAccepted', message };
  }
  if (waitMs > 0) return { type, status: 'False', reason: 'Installing', message: accepted };
  return { type, status: 'True', reason: 'InitialNamesAccepted', message: accepted };
}
