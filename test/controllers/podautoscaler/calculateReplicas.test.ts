import { describe, expect, test } from 'vitest';
import {
  calcPlainMetricReplicas,
  type Calculation,
  getPerPodReplicas,
  getResourceReplicas,
  getUsageRatioReplicas,
} from '../../../lambdas/controllers/podautoscaler/calculateReplicas.ts';
import type { PodMetrics } from '../../../lambdas/controllers/podautoscaler/PodMetrics.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { formatTime } from '../../../lambdas/ports/Clock.ts';

const NOW_MS = Date.parse('2026-01-01T01:00:00Z');
const TOLERANCES = { scaleUp: 0.1, scaleDown: 0.1 };
const at = (secondsAgo: number) => formatTime(NOW_MS - secondsAgo * 1_000);

interface PodState {
  /** What it uses, in thousandths; absent: it is not measured. */
  readonly uses?: number;
  /** What it requests, in thousandths; `null`: nothing. */
  readonly requests?: number | null;
  readonly phase?: string;
  readonly ready?: 'True' | 'False' | 'absent';
  /** Seconds since it started, and since its readiness changed. */
  readonly startedAgo?: number;
  readonly changedAgo?: number;
  readonly isDeleted?: boolean;
}

function podOf(state: PodState, nth: number): Pod {
  const { requests = 1_000, phase = 'Running', ready = 'True', startedAgo = 1_800, changedAgo = 1_700 } = state;
  const resources = requests === null ? {} : { requests: { cpu: `${requests}m`, memory: `${requests}m` } };
  const conditions = ready === 'absent' ? [] : [{ type: 'Ready', status: ready, lastTransitionTime: at(changedAgo) }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-${nth}`,
      uid: `${nth}`,
      resourceVersion: '1',
      creationTimestamp: at(startedAgo),
      ...(state.isDeleted && { deletionTimestamp: at(10) }),
    },
    spec: { containers: [{ name: 'main', resources }] },
    status: { phase, startTime: at(startedAgo), conditions },
  };
}

function metricsOf(states: readonly PodState[]): PodMetrics {
  return new Map(
    states.flatMap(({ uses }, nth) =>
      uses === undefined ? [] : [[`web-${nth}`, { valueMilli: uses, timestampMs: NOW_MS, windowMs: 60_000 }] as const],
    ),
  );
}

function factsOf(states: readonly PodState[], currentReplicas = states.length, tolerances = TOLERANCES) {
  return { currentReplicas, statusReplicas: currentReplicas, pods: states.map(podOf), tolerances, nowMs: NOW_MS };
}

/** The replicas and the percentage, or the error. */
function shown(calculation: Calculation) {
  if (calculation.status === 'failed') return calculation.message;
  return [calculation.replicas, calculation.utilization ?? calculation.usageMilli];
}

const using = (...uses: number[]): PodState[] => uses.map((one) => ({ uses: one }));
const PENDING: PodState = { phase: 'Pending', ready: 'False' };
const MISSING: PodState = {};

describe('replicas by a percentage of the requested CPU', () => {
  const rows: readonly [string, readonly PodState[], number, unknown, number?][] = [
    ['more than the target adds pods', using(300, 500, 700), 30, [5, 50]],
    ['less than the target removes pods', using(100, 300, 500, 250, 250), 50, [3, 28]],
    ['a little more stays within the tolerance', using(500, 540, 560), 50, [3, 53]],
    ['a tenth more is still within it', using(550, 550), 50, [2, 55]],
    ['a tenth less is still within it', using(450, 450), 50, [2, 45]],
    ['more than a tenth less is not, though it changes nothing here', using(440, 440), 50, [2, 44]],
    ['a pending pod counts as using nothing when pods are added', [...using(500, 700), PENDING], 30, [4, 60]],
    ['pending pods can keep all as it is', [...using(400), PENDING, PENDING], 30, [3, 40]],
    ['a pending pod does not count when pods are removed', [...using(100, 300), PENDING], 50, [1, 20]],
    ['a failed pod does not count', [...using(500, 700), { uses: 9_000, phase: 'Failed' }], 30, [4, 60], 2],
    [
      'a pod that is being deleted does not count',
      [...using(500, 700), { uses: 9_000, isDeleted: true }],
      30,
      [4, 60],
      2,
    ],
    ['an unmeasured pod counts as using nothing when pods are added', [...using(500, 700), MISSING], 30, [4, 60]],
    [
      'an unmeasured pod counts as using all it requests when pods are removed',
      [...using(100, 200, 100), MISSING],
      50,
      [3, 13],
    ],
    ['it can keep all as it is', [...using(400, 400, 400), MISSING], 50, [4, 40]],
    ['it counts as the target where that is above 100 %', [...using(500, 1_000), MISSING], 120, [3, 75]],
    ['unmeasured pods do not turn the change round', [...using(400), MISSING], 50, [2, 40]],
    [
      'pods that match and are no replicas do not turn it round either',
      [...using(300, 300), MISSING, MISSING],
      50,
      [3, 30],
      3,
    ],
    ['nothing is known without pods', [], 50, 'no pods returned by selector while calculating replica count'],
    [
      'nothing is known of pods that are not ready',
      [{ uses: 100, ready: 'False', startedAgo: 60 }],
      50,
      'did not receive metrics for targeted pods (pods might be unready)',
    ],
    [
      'nothing is known of what requests nothing',
      [{ uses: 100, requests: null }],
      50,
      'missing request for cpu in container main of Pod web-0',
    ],
    [
      'pods may request different amounts',
      [
        { uses: 260, requests: 100 },
        { phase: 'Pending', ready: 'False', requests: 300 },
      ],
      50,
      [3, 260],
    ],
    ['percentages are rounded down', using(999), 100, [1, 99]],
  ];
  test.each(rows)('%s', (_, states, utilization, expected, current) => {
    const facts = factsOf(states, current ?? states.length);
    expect(shown(getResourceReplicas(facts, metricsOf(states), { resource: 'cpu', utilization }))).toEqual(expected);
  });

  const initializing: readonly [string, PodState, boolean][] = [
    ['is ready, and was for a whole window', { startedAgo: 200, changedAgo: 61 }, true],
    ['is ready, but not for a whole window', { startedAgo: 200, changedAgo: 59 }, false],
    ['is not ready in the first five minutes', { startedAgo: 299, changedAgo: 200, ready: 'False' }, false],
    [
      'was ready once, and is not after the first five minutes',
      { startedAgo: 301, changedAgo: 200, ready: 'False' },
      true,
    ],
    ['has never been ready after the first five minutes', { startedAgo: 301, changedAgo: 272, ready: 'False' }, false],
    ['has no condition', { ready: 'absent' }, false],
  ];
  test.each(initializing)('a pod that %s: its CPU counts: %s', (_, state, counts) => {
    const states = [...using(1_000), { uses: 1_000, ...state }];
    const cpu = getResourceReplicas(factsOf(states), metricsOf(states), { resource: 'cpu', utilization: 50 });
    expect(shown(cpu)).toEqual([counts ? 4 : 2, 100]);
    const memory = getResourceReplicas(factsOf(states), metricsOf(states), { resource: 'memory', utilization: 50 });
    expect(shown(memory)).toEqual([4, 100]);
  });

  test('an autoscaler can have tolerances of its own', () => {
    const states = using(530, 530, 530);
    const replicasWith = (scaleUp: number, scaleDown: number, utilization: number) =>
      shown(
        getResourceReplicas(factsOf(states, 3, { scaleUp, scaleDown }), metricsOf(states), {
          resource: 'cpu',
          utilization,
        }),
      );
    expect(replicasWith(0.1, 0.1, 50)).toEqual([3, 53]);
    expect(replicasWith(0.05, 0.1, 50)).toEqual([4, 53]);
    expect(replicasWith(0.05, 0.5, 100)).toEqual([3, 53]);
    expect(replicasWith(0.05, 0.4, 100)).toEqual([2, 53]);
  });

  test('says how the number came about', () => {
    const states = [...using(400, 400, 400), MISSING];
    const kept = getResourceReplicas(factsOf(states), metricsOf(states), { resource: 'cpu', utilization: 50 });
    expect(kept).toMatchObject({
      arithmetic: { ratio: 0.8, filledRatio: 1.1, counted: 4, missing: 1, kept: 'tolerance' },
    });
  });
});

describe('replicas by an average value per pod', () => {
  const rows: readonly [string, readonly PodState[], number, unknown][] = [
    ['more than the target adds pods', using(20_000, 10_000, 30_000), 15_000, [4, 20_000]],
    ['less than the target removes pods', using(12_000, 12_000, 12_000, 12_000, 12_000), 20_000, [3, 12_000]],
    ['a little more stays within the tolerance', using(20_000, 21_000, 21_000), 20_000, [3, 20_666]],
    [
      'a pending pod counts as having nothing when pods are added',
      [...using(50_000, 15_000), PENDING],
      15_000,
      [5, 32_500],
    ],
    [
      'an unmeasured pod counts as nothing when pods are added',
      [...using(20_000, 20_000), MISSING],
      10_000,
      [4, 20_000],
    ],
    [
      'an unmeasured pod counts as the target when pods are removed',
      [...using(8_000, 8_000), MISSING],
      20_000,
      [2, 8_000],
    ],
    [
      'nothing is known without values',
      [MISSING],
      20_000,
      'did not receive metrics for targeted pods (pods might be unready)',
    ],
  ];
  test.each(rows)('%s', (_, states, usageMilli, expected) => {
    expect(shown(calcPlainMetricReplicas(factsOf(states), metricsOf(states), { resource: '', usageMilli }))).toEqual(
      expected,
    );
  });

  test('a pod that has just started counts, unless the value is its CPU', () => {
    const states = [...using(20_000), { uses: 20_000, ready: 'False', startedAgo: 10, changedAgo: 10 } as const];
    const replicas = (resource: string) =>
      shown(calcPlainMetricReplicas(factsOf(states), metricsOf(states), { resource, usageMilli: 10_000 }));
    expect([replicas(''), replicas('memory'), replicas('cpu')]).toEqual([
      [4, 20_000],
      [4, 20_000],
      [2, 20_000],
    ]);
  });
});

describe('replicas by the value of an object or of something outside', () => {
  const unready: PodState = { ready: 'False' };
  const rows: readonly [string, readonly PodState[], number, number, unknown][] = [
    ['more than the target adds pods', using(0, 0, 0), 20_000, 15_000, [4, 20_000]],
    ['less than the target removes pods', using(0, 0, 0, 0, 0), 12_000, 20_000, [3, 12_000]],
    ['a little more stays within the tolerance', using(0, 0, 0), 20_666, 20_000, [3, 20_666]],
    ['only ready pods are multiplied', [...using(0), unready, unready], 50_000, 10_000, [5, 50_000]],
    [
      'nothing is known without pods',
      [],
      50_000,
      10_000,
      'unable to calculate ready pods: no pods returned by selector while calculating replica count',
    ],
    ['a value of 0 asks for no pods', using(0), 0, 10_000, [0, 0]],
    ['no more than an int32 can hold', using(0, 0), 9e15, 1, [2 ** 31 - 1, 9e15]],
  ];
  test.each(rows)('a total: %s', (_, states, usageMilli, targetMilli, expected) => {
    expect(shown(getUsageRatioReplicas(factsOf(states, Math.max(1, states.length)), usageMilli, targetMilli))).toEqual(
      expected,
    );
  });

  test('a total, without pods: the ratio is the number', () => {
    expect(shown(getUsageRatioReplicas(factsOf([], 0), 25_000, 10_000))).toEqual([3, 25_000]);
  });

  const perPod: readonly [string, number, number, number, unknown][] = [
    ['more than the targets of all adds pods', 3, 50_000, 10_000, [5, 16_667]],
    ['less removes pods', 5, 20_000, 10_000, [2, 4_000]],
    ['a little more stays within the tolerance', 3, 32_000, 10_000, [3, 10_667]],
    ['without pods it is the value by the target', 0, 25_000, 10_000, [3, 25_000]],
  ];
  test.each(perPod)('a target per pod: %s', (_, replicas, usageMilli, targetMilli, expected) => {
    expect(shown(getPerPodReplicas(factsOf([], replicas), usageMilli, targetMilli))).toEqual(expected);
  });
});
