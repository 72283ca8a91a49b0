import type { HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';
import { describe, expect, test } from 'vitest';
import type { AutoscalerMemory } from '../../../lambdas/controllers/podautoscaler/AutoscalerMemory.ts';
import { normalizeDesiredReplicas } from '../../../lambdas/controllers/podautoscaler/normalizeDesiredReplicas.ts';
import type { HorizontalPodAutoscaler } from '../../../lambdas/objects/kinds.ts';
import { autoscalerManifest } from '../../support/autoscalerFixtures.ts';

const NOW_MS = Date.parse('2026-01-01T01:00:00Z');
const ago = (seconds: number) => NOW_MS - seconds * 1_000;

/** Changes of the replicas, as `[change, seconds ago]`. */
const changed = (...events: readonly (readonly [number, number])[]): AutoscalerMemory => ({
  past: [],
  events: events.map(([change, seconds]) => ({ change, atMs: ago(seconds) })),
});

/** Recommendations, as `[replicas, seconds since they ended]`. */
const recommended = (...past: readonly (readonly [number, number])[]): AutoscalerMemory => ({
  past: past.map(([replicas, seconds]) => ({ replicas, untilMs: ago(seconds) })),
  events: [],
});

const NOTHING = recommended();

interface Wish {
  readonly from: number;
  readonly to: number;
  readonly min?: number;
  readonly max?: number;
  readonly memory?: AutoscalerMemory;
}

function normalize(behavior: object | undefined, { from, to, min = 1, max = 1_000, memory = NOTHING }: Wish) {
  const autoscaler = autoscalerManifest({ ...(behavior && { behavior }) }) as unknown as HorizontalPodAutoscaler;
  const { replicas, conditions } = normalizeDesiredReplicas({
    autoscaler,
    currentReplicas: from,
    desiredReplicas: to,
    minReplicas: min,
    maxReplicas: max,
    memory,
    nowMs: NOW_MS,
  });
  return [replicas, ...conditions.map(({ reason }) => reason)];
}

const READY = 'ReadyForNewScale';
const FINE = 'DesiredWithinRange';

describe('without a behavior', () => {
  const rows: readonly [string, Wish, readonly unknown[]][] = [
    ['a wish within the bounds is granted', { from: 5, to: 7 }, [7, READY, FINE]],
    ['one replica may become four', { from: 1, to: 9 }, [4, READY, 'ScaleUpLimit']],
    ['many may be doubled', { from: 10, to: 30 }, [20, READY, 'ScaleUpLimit']],
    ['once in 15 seconds', { from: 20, to: 30, memory: changed([10, 14]) }, [20, READY, 'ScaleUpLimit']],
    ['again after 15 seconds', { from: 20, to: 100, memory: changed([10, 15]) }, [40, READY, 'ScaleUpLimit']],
    ['the largest number of replicas holds', { from: 5, to: 9, max: 7 }, [7, READY, 'TooManyReplicas']],
    ['the smallest does', { from: 5, to: 1, min: 3 }, [3, READY, 'TooFewReplicas']],
    [
      'the highest recommendation of five minutes holds',
      { from: 5, to: 2, memory: recommended([4, 299]) },
      [4, 'ScaleDownStabilized', FINE],
    ],
    ['an older one does not', { from: 5, to: 2, memory: recommended([4, 300]) }, [2, READY, FINE]],
    [
      'what was recommended until now holds',
      { from: 5, to: 2, memory: { ...NOTHING, current: 3 } },
      [3, 'ScaleDownStabilized', FINE],
    ],
    ['no recommendation holds back what is added', { from: 5, to: 8, memory: recommended([2, 10]) }, [8, READY, FINE]],
  ];
  test.each(rows)('%s', (_, wish, expected) => {
    expect(normalize(undefined, wish)).toEqual(expected);
  });
});

function rules(policies: readonly string[], more: Partial<HPAScalingRules> = {}): HPAScalingRules {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    ...more,
    // `4 Pods 60`: four pods in 60 seconds.
    policies: policies.map((policy) => {
      const [value = '', type = '', seconds = ''] = policy.split(' ');
      return { value: Number(value), type, periodSeconds: Number(seconds) };
    }),
  };
}

const UP = rules(['4 Pods 15', '100 Percent 15']);
const DOWN = rules(['100 Percent 15']);

describe('with a behavior', () => {
  const ups: readonly [string, HPAScalingRules, Wish, readonly unknown[]][] = [
    ['pods per period', rules(['4 Pods 60']), { from: 10, to: 20 }, [14, READY, 'ScaleUpLimit']],
    ['percent per period, rounded up', rules(['1 Percent 60']), { from: 10, to: 20 }, [11, READY, 'ScaleUpLimit']],
    ['the most of several', UP, { from: 10, to: 50 }, [20, READY, 'ScaleUpLimit']],
    [
      'the least of several',
      rules(['4 Pods 15', '100 Percent 15'], { selectPolicy: 'Min' }),
      { from: 10, to: 50 },
      [14, READY, 'ScaleUpLimit'],
    ],
    [
      'nothing if it is disabled',
      rules(['4 Pods 15'], { selectPolicy: 'Disabled' }),
      { from: 10, to: 50 },
      [10, READY, 'ScaleUpLimit'],
    ],
    [
      'what was added in the period counts',
      rules(['4 Pods 60']),
      { from: 13, to: 20, memory: changed([3, 59]) },
      [14, READY, 'ScaleUpLimit'],
    ],
    [
      'what was added before it does not',
      rules(['4 Pods 60']),
      { from: 13, to: 20, memory: changed([3, 60]) },
      [17, READY, 'ScaleUpLimit'],
    ],
    [
      'what was removed in the period is given back',
      rules(['4 Pods 60']),
      { from: 6, to: 20, memory: changed([-4, 30]) },
      [14, READY, 'ScaleUpLimit'],
    ],
    [
      'more than the limit stays',
      rules(['4 Pods 60']),
      { from: 20, to: 25, memory: changed([10, 30]) },
      [20, READY, 'ScaleUpLimit'],
    ],
    [
      'each policy has a period of its own',
      rules(['4 Pods 60', '100 Percent 600'], { selectPolicy: 'Min' }),
      { from: 8, to: 50, memory: changed([4, 300]) },
      [8, READY, 'ScaleUpLimit'],
    ],
    ['the largest number of replicas holds', UP, { from: 10, to: 50, max: 12 }, [12, READY, 'TooManyReplicas']],
    [
      'the lowest recommendation of the window holds',
      rules(['100 Pods 15'], { stabilizationWindowSeconds: 60 }),
      { from: 2, to: 9, memory: recommended([5, 30]) },
      [5, 'ScaleUpStabilized', FINE],
    ],
    [
      'it holds all back if it is below',
      rules(['100 Pods 15'], { stabilizationWindowSeconds: 60 }),
      { from: 6, to: 9, memory: recommended([5, 30]) },
      [6, 'ScaleUpStabilized', FINE],
    ],
    [
      'an older one does not',
      rules(['100 Pods 15'], { stabilizationWindowSeconds: 60 }),
      { from: 2, to: 9, memory: recommended([5, 60]) },
      [9, READY, FINE],
    ],
    [
      'without a window none holds',
      rules(['100 Pods 15']),
      { from: 2, to: 9, memory: { ...NOTHING, current: 3 } },
      [9, READY, FINE],
    ],
    [
      'a change that may have been made counts',
      rules(['4 Pods 60']),
      { from: 13, to: 20, memory: { past: [], events: [{ change: 3, atMs: ago(30), isUncertain: true }] } },
      [14, READY, 'ScaleUpLimit'],
    ],
    [
      'a removal that may have been made gives nothing back',
      rules(['4 Pods 60']),
      { from: 6, to: 20, memory: { past: [], events: [{ change: -4, atMs: ago(30), isUncertain: true }] } },
      [10, READY, 'ScaleUpLimit'],
    ],
  ];
  test.each(ups)('up: %s', (_, scaleUp, wish, expected) => {
    expect(normalize({ scaleUp, scaleDown: DOWN }, wish)).toEqual(expected);
  });

  const downs: readonly [string, HPAScalingRules, Wish, readonly unknown[]][] = [
    ['pods per period', rules(['4 Pods 60']), { from: 20, to: 5 }, [16, READY, 'ScaleDownLimit']],
    ['percent per period, rounded down', rules(['15 Percent 60']), { from: 10, to: 1 }, [8, READY, 'ScaleDownLimit']],
    ['the most of several', rules(['1 Pods 15', '50 Percent 15']), { from: 20, to: 5 }, [10, READY, 'ScaleDownLimit']],
    [
      'the least of several',
      rules(['1 Pods 15', '50 Percent 15'], { selectPolicy: 'Min' }),
      { from: 20, to: 5 },
      [19, READY, 'ScaleDownLimit'],
    ],
    [
      'nothing if it is disabled',
      rules(['1 Pods 15'], { selectPolicy: 'Disabled' }),
      { from: 20, to: 5 },
      [20, READY, 'ScaleDownLimit'],
    ],
    [
      'what was removed in the period counts',
      rules(['4 Pods 60']),
      { from: 17, to: 5, memory: changed([-3, 59]) },
      [16, READY, 'ScaleDownLimit'],
    ],
    [
      'what was removed before it does not',
      rules(['4 Pods 60']),
      { from: 17, to: 5, memory: changed([-3, 60]) },
      [13, READY, 'ScaleDownLimit'],
    ],
    [
      'what was added in the period may go again',
      rules(['4 Pods 60']),
      { from: 20, to: 5, memory: changed([6, 30]) },
      [10, READY, 'ScaleDownLimit'],
    ],
    ['the smallest number of replicas holds', DOWN, { from: 20, to: 0, min: 3 }, [3, READY, 'TooFewReplicas']],
    [
      'the highest recommendation of the window holds',
      rules(['100 Percent 15'], { stabilizationWindowSeconds: 60 }),
      { from: 9, to: 2, memory: recommended([5, 30], [7, 40]) },
      [7, 'ScaleDownStabilized', FINE],
    ],
    [
      'it holds all back, but adds nothing',
      rules(['100 Percent 15'], { stabilizationWindowSeconds: 60 }),
      { from: 9, to: 2, memory: recommended([12, 30]) },
      [9, 'ScaleDownStabilized', FINE],
    ],
    [
      'five minutes if the window is not set',
      { ...DOWN, stabilizationWindowSeconds: undefined } as unknown as HPAScalingRules,
      { from: 9, to: 2, memory: recommended([5, 299]) },
      [5, 'ScaleDownStabilized', FINE],
    ],
    [
      'an addition that may have been made may not go again',
      rules(['4 Pods 60']),
      { from: 20, to: 5, memory: { past: [], events: [{ change: 6, atMs: ago(30), isUncertain: true }] } },
      [16, READY, 'ScaleDownLimit'],
    ],
  ];
  test.each(downs)('down: %s', (_, scaleDown, wish, expected) => {
    expect(normalize({ scaleUp: UP, scaleDown }, wish)).toEqual(expected);
  });
});
