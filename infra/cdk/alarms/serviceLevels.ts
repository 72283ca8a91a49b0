import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmParts, AlarmSpec } from './AlarmSpec.ts';
import { LOGGED_METRICS } from './countLines.ts';
import { customMetric } from './customMetric.ts';

/** What users may count on, over 30 days. `docs/runbook.md` has the query of each. */
interface ServiceLevel {
  readonly id: BurnId;
  /** What is too much, as the subject of a sentence. */
  readonly what: string;
  /** How many of a hundred may be bad: the error budget. */
  readonly budgetPercent: number;
  /** The metrics of a period, by the names that the expressions use. */
  readonly metrics: Readonly<Record<string, Metric>>;
  /** How many of a hundred were bad, and how many there were. */
  readonly badPercent: string;
  readonly bad: string;
}

type BurnId = 'ApiBurn' | 'WriteBurn' | 'EdgeBurn';

/** A write is quick below this, at API Gateway. */
export const QUICK_WRITE_MS = 1_000;
/** A sync follows its edge quickly below this. */
export const QUICK_EDGE_MS = 5_000;
/** With so few bad ones in the long window, hardly anybody uses the API, and one failure would be a high rate. */
const FEWEST_BAD = 5;

/**
 * When a budget burns so fast that somebody should be told, by https://sre.google/workbook/alerting-on-slos/: 2 % of the month's budget in an hour, or 5 % in six. The rate must be as high in a short window, too, so that the alarm
 * ends soon after the cause. The metrics of one alarm have one period, so each window is an alarm, and a group tells when both go off.
 */
const BURNS = [
  { factor: 14.4, long: { name: '1h', minutes: 60 }, short: { name: '5m', minutes: 5 } },
  { factor: 6, long: { name: '6h', minutes: 360 }, short: { name: '30m', minutes: 30 } },
] as const;

/** The alarms of a service level that are in alarm together when its budget burns too fast. */
export function burnPairs(id: BurnId): readonly (readonly string[])[] {
  return BURNS.map(({ long, short }) => [`${id}${long.name}`, `${id}${short.name}`]);
}

/** Returns the alarms of the service levels: four for each, of which two go together. Writes are timed by the access log, and edges by the log of `sync`, which has them at the level INFO. */
export function burnAlarms(parts: AlarmParts): readonly AlarmSpec[] {
  const { accessLog, props } = parts;
  const isLogged = props.logLevel === 'INFO' || props.logLevel === 'DEBUG';
  const levels = [apiLevel(parts), ...(accessLog ? [writeLevel(parts)] : []), ...(isLogged ? [edgeLevel(parts)] : [])];
  return levels.flatMap((level) => BURNS.flatMap((burn) => burnOf(level, burn)));
}

function burnOf(level: ServiceLevel, { factor, long, short }: (typeof BURNS)[number]): readonly AlarmSpec[] {
  const { id, what, budgetPercent, badPercent, bad } = level;
  const above = Number((factor * budgetPercent).toFixed(2));
  const alarm = (window: { name: string; minutes: number }, expression: string): AlarmSpec => ({
    id: `${id}${window.name}`,
    section: id,
    description: `${what} in ${window.minutes} minutes: the error budget of a month burns ${factor} times too fast.`,
    metric: percentOf(level, Duration.minutes(window.minutes), expression),
    above,
  });
  return [alarm(long, `IF(${bad} >= ${FEWEST_BAD}, ${badPercent}, 0)`), alarm(short, badPercent)];
}

/** CloudWatch bills an alarm by its metrics, so it gets those that its expression names. */
function percentOf({ metrics, id }: ServiceLevel, period: Duration, expression: string): MathExpression {
  const named = Object.entries(metrics).filter(([name]) => new RegExp(`\\b${name}\\b`).test(expression));
  return new MathExpression({ expression, label: `${id}, %`, usingMetrics: Object.fromEntries(named), period });
}

/** The average of this metric is the part of the requests that it counts: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html */
function apiLevel({ api }: AlarmParts): ServiceLevel {
  return {
    id: 'ApiBurn',
    what: 'Too many requests are answered with 5xx',
    budgetPercent: 0.1,
    metrics: {
      failed: api.metricServerError({ statistic: 'Sum' }),
      failing: api.metricServerError({ statistic: 'Average' }),
    },
    badPercent: '100 * failing',
    bad: 'failed',
  };
}

function writeLevel({ clusterId }: AlarmParts): ServiceLevel {
  return {
    id: 'WriteBurn',
    what: `Too many writes take longer than ${QUICK_WRITE_MS} ms`,
    budgetPercent: 1,
    ...slow(LOGGED_METRICS.writeMs, clusterId, QUICK_WRITE_MS),
  };
}

function edgeLevel({ clusterId }: AlarmParts): ServiceLevel {
  return {
    id: 'EdgeBurn',
    what: `Too many syncs begin later than ${QUICK_EDGE_MS} ms after the change`,
    budgetPercent: 1,
    ...slow(LOGGED_METRICS.edgeMs, clusterId, QUICK_EDGE_MS),
  };
}

/** `PR(0:1000)` is how many of a hundred values are from 0 to 1,000. */
function slow(
  name: Parameters<typeof customMetric>[0],
  clusterId: string,
  limitMs: number,
): Pick<ServiceLevel, 'metrics' | 'badPercent' | 'bad'> {
  const metric = (statistic: string) => customMetric(name, clusterId, Duration.minutes(5), statistic);
  return {
    metrics: { quick: metric(`PR(0:${limitMs})`), counted: metric('SampleCount') },
    badPercent: '100 - quick',
    bad: 'counted * (100 - quick) / 100',
  };
}
