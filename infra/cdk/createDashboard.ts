import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  type Alarm,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { SYNC_METRICS } from '../../lambdas/functions/sync/createSyncMetrics.ts';
import type { AlarmParts } from './alarms/AlarmSpec.ts';
import { LOGGED_METRICS } from './alarms/countLines.ts';
import { customMetric } from './alarms/customMetric.ts';
import { hopWidgets } from './hopWidgets.ts';

interface DashboardParts extends AlarmParts {
  readonly alarms: readonly Alarm[];
}

const PERIOD = Duration.minutes(1);
const HALF = 12;
/** What is counted only with `alarms: 'all'`. */
const REFUSALS = [
  LOGGED_METRICS.deniedRequests,
  LOGGED_METRICS.conflictingRequests,
  LOGGED_METRICS.invalidRequests,
  LOGGED_METRICS.tooManyRequests,
];

/** One page: alarms, waiting work, requests, usage. Three dashboards per account are free. */
export function createDashboard(scope: Construct, parts: DashboardParts): Dashboard {
  return new Dashboard(scope, 'Dashboard', {
    widgets: [
      ...(parts.alarms.length > 0
        ? [[new AlarmStatusWidget({ title: 'Alarms', alarms: [...parts.alarms], width: 24 })]]
        : []),
      workRow(parts),
      requestRow(parts),
      syncRow(parts),
      ...(typeof parts.props.tracing === 'object' ? [hopWidgets(parts.functions)] : []),
      usageRow(parts),
    ],
  });
}

function workRow({ queues, functions }: DashboardParts): IWidget[] {
  return [
    graph('Keys waiting', [
      queues.work.metricApproximateNumberOfMessagesVisible({ period: PERIOD, label: 'ready' }),
      queues.work.metricApproximateNumberOfMessagesNotVisible({ period: PERIOD, label: 'in sync or in backoff' }),
      queues.work.metricApproximateNumberOfMessagesDelayed({ period: PERIOD, label: 'delayed' }),
      queues.deadLetters.metricApproximateNumberOfMessagesVisible({ period: PERIOD, label: 'dead letters' }),
    ]),
    graph('Oldest change and oldest key', [
      functions.record.metric('IteratorAge', { period: PERIOD, statistic: 'Maximum', label: 'to be logged, ms' }),
      functions.enqueue.metric('IteratorAge', { period: PERIOD, statistic: 'Maximum', label: 'to be queued, ms' }),
      queues.work.metricApproximateAgeOfOldestMessage({ period: PERIOD, label: 'key, s' }),
    ]),
  ];
}

function syncRow({ clusterId }: DashboardParts): IWidget[] {
  const metrics = Object.values(SYNC_METRICS).map((name) => customMetric(name, clusterId, PERIOD));
  return [graph('Failing syncs', metrics)];
}

function requestRow({ api, clusterId, props, functions }: DashboardParts): IWidget[] {
  return [
    graph('Requests', [
      api.metricCount({ period: PERIOD, label: 'all' }),
      api.metricClientError({ period: PERIOD, statistic: 'Sum', label: '4xx' }),
      api.metricServerError({ period: PERIOD, statistic: 'Sum', label: '5xx' }),
      ...(props.alarms === 'all' ? REFUSALS.map((name) => customMetric(name, clusterId, PERIOD)) : []),
    ]),
    graph('Errors and throttles', [
      ...Object.entries(functions).map(([name, one]) => one.metricErrors({ period: PERIOD, label: `${name} errors` })),
      ...Object.entries(functions).map(([name, one]) =>
        one.metricThrottles({ period: PERIOD, label: `${name} throttles` }),
      ),
    ]),
  ];
}

function usageRow({ functions, tables }: DashboardParts): IWidget[] {
  const tableMetrics = (metricName: string) =>
    Object.entries(tables).map(([name, table]) =>
      table.metric(metricName, {
        period: PERIOD,
        statistic: 'Sum',
        label: name,
        dimensionsMap: { TableName: table.tableName },
      }),
    );
  return [
    graph(
      'Invocations',
      Object.entries(functions).map(([name, one]) => one.metricInvocations({ period: PERIOD, label: name })),
    ),
    graph('Concurrent executions', [
      ...(functions.api
        ? [
            functions.api.metric('ConcurrentExecutions', {
              period: PERIOD,
              statistic: 'Maximum',
              label: 'api (watches)',
            }),
          ]
        : []),
      functions.sync.metric('ConcurrentExecutions', { period: PERIOD, statistic: 'Maximum', label: 'sync' }),
    ]),
    graph('Read units', tableMetrics('ConsumedReadCapacityUnits')),
    graph('Write units', tableMetrics('ConsumedWriteCapacityUnits')),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: HALF });
}
