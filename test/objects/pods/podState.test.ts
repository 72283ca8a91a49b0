import { expect, test } from 'vitest';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodAvailable } from '../../../lambdas/objects/pods/podState.ts';
import { formatTime } from '../../../lambdas/ports/Clock.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

function podReadySince(sinceMs: number): Pod {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(sinceMs) }];
  return { status: { conditions } } as unknown as Pod;
}

test.each([
  ['ready for less than minReadySeconds is not available', -9_000, false],
  ['ready for exactly minReadySeconds is available', -10_000, true],
  ['ready in the near future, by a clock that is ahead, is not available', 60_000, false],
  ['that became ready before the clock was set back by more than a minute is available', 61_000, true],
])('a pod %s', (_promise, sinceMs, isAvailable) => {
  expect(isPodAvailable(podReadySince(NOW_MS + sinceMs), 10, NOW_MS)).toBe(isAvailable);
});
