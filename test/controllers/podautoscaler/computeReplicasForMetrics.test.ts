import type { MetricSpec } from 'kubernetes-types/autoscaling/v2.js';
import { describe, expect, test } from 'vitest';
import { computeReplicasForMetrics } from '../../../lambdas/controllers/podautoscaler/computeReplicasForMetrics.ts';
import type { MetricReading } from '../../../lambdas/controllers/podautoscaler/observeMetrics.ts';

const external = (name: string, matchLabels?: Record<string, string>): MetricSpec => ({
  type: 'External',
  external: {
    metric: { name, ...(matchLabels && { selector: { matchLabels } }) },
    target: { type: 'AverageValue', averageValue: '10' },
  },
});
/** A total that asks for so many replicas. */
const asksFor = (replicas: number): MetricReading => ({ of: 'value', valueMilli: replicas * 10_000 });
const unknown = (message: string): MetricReading => ({ of: 'nothing', message });

function compute(readings: readonly MetricReading[], currentReplicas = 4) {
  const specs = readings.map((_, nth) => external(`m${nth}`));
  const tolerances = { scaleUp: 0.1, scaleDown: 0.1 };
  const facts = { currentReplicas, statusReplicas: currentReplicas, pods: [], tolerances, nowMs: 0 };
  return computeReplicasForMetrics(specs, readings, facts);
}

describe('the replicas that several metrics ask for', () => {
  const rows: readonly [string, readonly MetricReading[], number | undefined, string][] = [
    ['the most that any asks for', [asksFor(2), asksFor(7), asksFor(5)], 7, 'ValidMetricFound'],
    ['more, though one of them is not known', [unknown('gone'), asksFor(7)], 7, 'ValidMetricFound'],
    ['the same, though one of them is not known', [unknown('gone'), asksFor(4)], 4, 'ValidMetricFound'],
    [
      'nothing, if one is not known and the others ask for fewer',
      [asksFor(2), unknown('gone')],
      undefined,
      'FailedGetExternalMetric',
    ],
    ['nothing, if none is known', [unknown('gone'), unknown('away')], undefined, 'FailedGetExternalMetric'],
    ['none at all, if that is what is asked for', [asksFor(0)], 0, 'ValidMetricFound'],
  ];
  test.each(rows)('%s', (_, readings, replicas, reason) => {
    const { condition, ...proposal } = compute(readings);
    expect([proposal.replicas, condition.reason]).toEqual([replicas, reason]);
  });

  test('the metric that asks for the most is named', () => {
    expect(compute([asksFor(2), asksFor(7)]).metricName).toBe('external metric m1(nil)');
  });

  test('the first error and the number of errors are told, and a metric that is not known has an empty status', () => {
    const { error, statuses, condition } = compute([asksFor(2), unknown('gone'), unknown('away')]);
    expect(error).toBe(
      'invalid metrics (2 invalid out of 3), first error is: failed to get m1 external metric value: failed to get m1 external metric: gone',
    );
    expect(condition.message).toBe(
      'the HPA was unable to compute the replica count: failed to get m1 external metric: gone',
    );
    expect(statuses.map(({ type }) => type)).toEqual(['External', '', '']);
  });

  test('a selector is printed as Go does', () => {
    const facts = {
      currentReplicas: 1,
      statusReplicas: 1,
      pods: [],
      tolerances: { scaleUp: 0, scaleDown: 0 },
      nowMs: 0,
    };
    const { metricName } = computeReplicasForMetrics([external('queue', { queue: 'orders' })], [asksFor(2)], facts);
    expect(metricName).toBe(
      'external metric queue(&LabelSelector{MatchLabels:map[string]string{queue: orders,},MatchExpressions:[]LabelSelectorRequirement{},})',
    );
  });
});
