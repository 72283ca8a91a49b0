import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmParts, AlarmSpec } from './AlarmSpec.ts';
import { LOGGED_METRICS } from './countLines.ts';
import { customMetric } from './customMetric.ts';

const PERIOD = Duration.minutes(5);

/** The alarms of stacks that keep records: audit events, and backups. Each reads one metric, $0.10 a month. */
export function recordAlarms({ props, clusterId, failedBackups }: AlarmParts): readonly AlarmSpec[] {
  return [
    ...(props.audit === false
      ? []
      : [
          {
            id: 'LostAuditEvents',
            description: 'Events of the audit log are lost: CloudWatch Logs does not take them.',
            metric: customMetric(LOGGED_METRICS.lostAuditEvents, clusterId, PERIOD),
            above: 0,
          },
        ]),
    ...(failedBackups
      ? [
          {
            id: 'FailedBackups',
            description: 'A backup of the objects, or its copy, failed. The older ones are still there.',
            metric: matchedEvents(failedBackups.ruleName),
            above: 0,
          },
        ]
      : []),
  ];
}

/** EventBridge publishes it for each rule: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html */
function matchedEvents(RuleName: string): Metric {
  return new Metric({
    namespace: 'AWS/Events',
    metricName: 'MatchedEvents',
    dimensionsMap: { RuleName },
    period: PERIOD,
    statistic: 'Sum',
  });
}
