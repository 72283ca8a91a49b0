import type { SuccessPolicy, SuccessPolicyRule } from 'kubernetes-types/batch/v1.js';
import { countIndexes, type Intervals, parseIntervals } from './indexIntervals.ts';

/** Returns the message of the first rule that the succeeded indexes meet; `undefined` if none is met. Kubernetes' function of this name. Pure. */
export function matchSuccessPolicy(
  policy: SuccessPolicy | undefined,
  completions: number,
  succeeded: Intervals,
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const index = (policy?.rules ?? []).findIndex((rule) => isMet(rule, completions, succeeded));
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

function isMet(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  completions: number,
  succeeded: Intervals,
): boolean {
  const enough = succeededCount ?? Number.POSITIVE_INFINITY;
  if (succeededIndexes === undefined) return countIndexes(succeeded) >= enough;
  const required = parseIntervals(succeededIndexes, completions);
  if (required.length === 0) return false;
  const contained = countCommon(required, succeeded);
  return contained === countIndexes(required) || contained >= enough;
}

function countCommon(one: Intervals, other: Intervals): number {
  const overlaps = one.flatMap((a) =>
    other.map((b) => Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1)),
  );
  return overlaps.reduce((sum, count) => sum + count, 0);
}
