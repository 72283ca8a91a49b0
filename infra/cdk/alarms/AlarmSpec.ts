import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queues } from '../createQueues.ts';
import type { Tables } from '../createTables.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';
import type { LogSources } from './countLines.ts';

/** What alarms look at. */
export interface AlarmParts extends LogSources {
  readonly props: DriftlessStackProps;
  readonly clusterId: string;
  readonly queues: Queues;
  readonly tables: Tables;
  readonly api: RestApi;
  /** Matches backups and copies that failed; absent without copies. */
  readonly failedBackups: Rule | undefined;
}

/** `docs/runbook.md` has a section for each alarm, or for several that have one cause. */
export interface AlarmSpec {
  readonly id: string;
  /** The title of the section; absent: the id. */
  readonly section?: string;
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm goes off above this value. */
  readonly above: number;
  /** The number of periods in a row that the value must be above the threshold. */
  readonly periods?: number;
}
