import { describe, expect, it, test } from 'vitest';
import { resolve, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

interface AlarmMetric {
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: { readonly MetricName: string };
    readonly Stat: string;
    readonly Period: number;
  };
}

interface BurnAlarm {
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly TreatMissingData: string;
  readonly Metrics: readonly AlarmMetric[];
}

const all = synthesizeStack({ alarms: 'all' });

/** The alarms of the template by their ids, without the hash. */
function alarmsOf(template: typeof all): ReadonlyMap<string, BurnAlarm> {
  const alarms = Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
  return new Map(
    alarms.map(([id, { Properties }]) => [id.replace(/Alarm[0-9A-F]{8}$/, ''), resolve(Properties) as BurnAlarm]),
  );
}

/** What an alarm reads: `5XXError Average of 300 s`, and the expression over it. */
function readingOf({ Metrics }: BurnAlarm) {
  const stats = Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat] : []));
  return {
    reads: stats.map(({ Metric, Stat, Period }) => `${Metric.MetricName} ${Stat} of ${Period} s`).toSorted(),
    expression: Metrics.find(({ Expression }) => Expression !== undefined)?.Expression,
  };
}

describe('the burn-rate alarms', () => {
  const alarms = alarmsOf(all);

  test.each([
    ['ApiBurn1h', 1.44, 'IF(failed >= 5, 100 * failing, 0)', ['5XXError Average of 3600 s', '5XXError Sum of 3600 s']],
    ['ApiBurn5m', 1.44, '100 * failing', ['5XXError Average of 300 s']],
    ['ApiBurn6h', 0.6, 'IF(failed >= 5, 100 * failing, 0)', ['5XXError Average of 21600 s', '5XXError Sum of 21600 s']],
    ['ApiBurn30m', 0.6, '100 * failing', ['5XXError Average of 1800 s']],
    [
      'WriteBurn1h',
      14.4,
      'IF(counted * (100 - quick) / 100 >= 5, 100 - quick, 0)',
      ['WriteMs PR(0:1000) of 3600 s', 'WriteMs SampleCount of 3600 s'],
    ],
    ['WriteBurn30m', 6, '100 - quick', ['WriteMs PR(0:1000) of 1800 s']],
    [
      'EdgeBurn6h',
      6,
      'IF(counted * (100 - quick) / 100 >= 5, 100 - quick, 0)',
      ['EdgeMs PR(0:5000) of 21600 s', 'EdgeMs SampleCount of 21600 s'],
    ],
    ['EdgeBurn5m', 14.4, '100 - quick', ['EdgeMs PR(0:5000) of 300 s']],
  ])('%s goes off above %d %%', (id, threshold, expression, reads) => {
    const alarm = alarms.get(id);
    expect(alarm).toMatchObject({ Threshold: threshold, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' });
    expect(readingOf(alarm as BurnAlarm)).toEqual({ reads, expression });
  });

  it('tell only if the long window and the short one are in alarm, and in the group of what causes them', () => {
    const groups = Object.values(resourcesOf(all, 'AWS::CloudWatch::CompositeAlarm')).map(({ Properties }) => ({
      name: String(Properties['AlarmName']),
      rule: String(resolve(Properties['AlarmRule'])).replaceAll(/<(\w+?)Alarm[0-9A-F]{8}\.Arn>/g, '$1'),
    }));
    const pairsIn = (name: string) =>
      [
        ...(groups.find((group) => group.name === `driftless-${name}`)?.rule ?? '').matchAll(
          /\(ALARM\("?(\w+)"?\) AND ALARM\("?(\w+)"?\)\)/g,
        ),
      ].map(([, long, short]) => `${long} ${short}`);
    expect(pairsIn('Progress')).toEqual(['EdgeBurn1h EdgeBurn5m', 'EdgeBurn6h EdgeBurn30m']);
    expect(pairsIn('Requests')).toEqual([
      'ApiBurn1h ApiBurn5m',
      'ApiBurn6h ApiBurn30m',
      'WriteBurn1h WriteBurn5m',
      'WriteBurn6h WriteBurn30m',
    ]);
    expect(groups.map(({ rule }) => rule.match(/Burn/g)?.length ?? 0).reduce((sum, count) => sum + count)).toBe(12);
  });

  it('read 18 metrics, and all alarms together 49', () => {
    const read = [...alarms].map(
      ([id, { Metrics }]) => [id, Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1] as const,
    );
    const countOf = (some: typeof read) => some.reduce((sum, [, count]) => sum + count, 0);
    expect(countOf(read.filter(([id]) => id.includes('Burn')))).toBe(18);
    expect(countOf(read)).toBe(49);
  });

  test.each([
    ['without an access log there is none of writes', { accessLogs: false }, ['ApiBurn', 'EdgeBurn']],
    ['without lines of syncs there is none of edges', { logLevel: 'WARN' }, ['ApiBurn', 'WriteBurn']],
  ])('%s', (_, knobs, expected) => {
    const ids = [...alarmsOf(synthesizeStack({ alarms: 'all', ...knobs })).keys()];
    const burns = ids.flatMap((id) => /^\w+Burn/.exec(id)?.[0] ?? []);
    expect([...new Set(burns)]).toEqual(expected);
  });

  it('do not exist by default', () => {
    expect([...alarmsOf(synthesizeStack()).keys()].filter((id) => id.includes('Burn'))).toEqual([]);
  });
});

it('edges are timed by the lines of `sync`, only with all alarms', () => {
  const filter = {
    FilterPattern: '{ ($.message = "sync") && ($.edgeMs = "*") }',
    MetricTransformations: [
      {
        MetricName: 'EdgeMs',
        MetricNamespace: 'Driftless',
        MetricValue: '$.edgeMs',
        Dimensions: [{ Key: 'service', Value: '$.service' }],
      },
    ],
  };
  all.hasResourceProperties('AWS::Logs::MetricFilter', filter);
  const filters = JSON.stringify(synthesizeStack().findResources('AWS::Logs::MetricFilter'));
  expect(filters).not.toContain('EdgeMs');
});
