import type { Condition } from 'kubernetes-types/meta/v1.js';

/** The conditions with this one in the place of the one of its type, or at the end: apimachinery's `SetStatusCondition`. A status that stays keeps its transition time. `now` is RFC 3339. Pure. */
export function setStatusCondition(
  conditions: readonly Condition[] | undefined,
  wanted: Omit<Condition, 'lastTransitionTime'>,
  now: string,
): Condition[] {
  const known = conditions ?? [];
  const before = known.find(({ type }) => type === wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? before.lastTransitionTime : now;
  const next: Condition = { ...wanted, lastTransitionTime };
  return before ? known.map((one) => (one === before ? next : one)) : [...known, next];
}
