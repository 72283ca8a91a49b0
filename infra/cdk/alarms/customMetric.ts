import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { SYNC_METRICS } from '../../../lambdas/functions/sync/createSyncMetrics.ts';
import { METRICS_NAMESPACE } from '../functionEnvironment.ts';
import type { LOGGED_METRICS } from './countLines.ts';

type MetricName =
  | (typeof SYNC_METRICS)[keyof typeof SYNC_METRICS]
  | (typeof LOGGED_METRICS)[keyof typeof LOGGED_METRICS];

/** A metric that the functions themselves publish, or that is counted in their logs. */
export function customMetric(metricName: MetricName, clusterId: string, period: Duration, statistic = 'Sum'): Metric {
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { service: clusterId },
    period,
    statistic,
  });
}
