import type { Taint, Toleration } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';
import { decideEvictions } from '../../../lambdas/controllers/tainteviction/decideEvictions.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';

const NOW_MS = Date.parse('2026-01-01T00:10:00Z');
const timeAdded = '2026-01-01T00:09:00Z';
const lost: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded };
const broken: Taint = { key: 'broken', value: 'disk', effect: 'NoExecute', timeAdded };
const exists = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});

function podOf(tolerations: readonly Toleration[], more = {}): Pod {
  const metadata = { name: 'p', creationTimestamp: '2026-01-01T00:00:00Z', ...more };
  return { metadata, spec: { tolerations } } as unknown as Pod;
}

it.each([
  ['no taint', podOf([]), [], 'stays'],
  ['a taint that is not tolerated', podOf([]), [lost], 'goes'],
  ['a taint that is tolerated for ever', podOf([exists(lost.key)]), [lost], 'stays'],
  ['every taint is tolerated for ever', podOf([{ operator: 'Exists' }]), [lost, broken], 'stays'],
  ['a taint that is tolerated for another 240 s', podOf([exists(lost.key, 300)]), [lost], 240_000],
  ['a taint that was tolerated for 60 s', podOf([exists(lost.key, 60)]), [lost], 'goes'],
  ['a taint that is tolerated for no time', podOf([exists(lost.key, 0)]), [lost], 'goes'],
  ['two taints of which one is not tolerated', podOf([exists(lost.key, 300)]), [lost, broken], 'goes'],
  [
    'two taints of which one ends earlier',
    podOf([exists(lost.key, 300), exists('broken', 90)]),
    [lost, broken],
    30_000,
  ],
  ['a toleration of another value', podOf([{ key: 'broken', value: 'fan', effect: 'NoExecute' }]), [broken], 'goes'],
  [
    'a pod that is younger than the taint',
    podOf([exists(lost.key, 300)], { creationTimestamp: '2026-01-01T00:09:30Z' }),
    [lost],
    270_000,
  ],
  ['a pod that is being deleted already', podOf([], { deletionTimestamp: timeAdded }), [lost], 'stays'],
])('%s', (_, pod, taints, outcome) => {
  const { evicted, nextInMs } = decideEvictions([pod], taints, NOW_MS);
  expect(nextInMs ?? (evicted.length > 0 ? 'goes' : 'stays')).toBe(outcome);
});
