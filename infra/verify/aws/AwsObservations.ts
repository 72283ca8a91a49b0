import { setTimeout as sleep } from 'node:timers/promises';
import { BudgetsClient, DescribeBudgetCommand } from '@aws-sdk/client-budgets';
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  GetMetricStatisticsCommand,
} from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CostExplorerClient, GetCostAndUsageCommand } from '@aws-sdk/client-cost-explorer';
import { ReadError } from '../../preflight/AccountReads.ts';
import { read, readUnless } from '../../preflight/askAws.ts';
import type { AwsSettings } from '../../preflight/AwsSettings.ts';
import type { AlarmState, BudgetState, DailyCost, LogsQuery, MetricQuery, Observations } from '../StackAccount.ts';

/** How often a query of Logs Insights is asked for its rows, and how many times. */
const QUERY_POLL_MS = 1_000;
const QUERY_POLLS = 60;
const MINUTE_SECONDS = 60;
/** Budgets and Cost Explorer are served by one region: https://docs.aws.amazon.com/general/latest/gr/billing.html */
const BILLING_REGION = 'us-east-1';
/** The tag that CloudFormation gives each resource of a stack. */
const STACK_TAG = 'aws:cloudformation:stack-name';

/** Asks CloudWatch, AWS Budgets and Cost Explorer. Every command here reads, or starts a query that does. */
export class AwsObservations implements Observations {
  readonly #account: string;
  readonly #budgets: BudgetsClient;
  readonly #cloudWatch: CloudWatchClient;
  readonly #costs: CostExplorerClient;
  readonly #logs: CloudWatchLogsClient;

  constructor(settings: AwsSettings, account: string) {
    this.#account = account;
    this.#cloudWatch = new CloudWatchClient(settings);
    this.#logs = new CloudWatchLogsClient(settings);
    this.#budgets = new BudgetsClient({ ...settings, region: BILLING_REGION });
    this.#costs = new CostExplorerClient({ ...settings, region: BILLING_REGION });
  }

  async queryLogs({ logGroup, query, fromMs, toMs }: LogsQuery) {
    const { queryId } = await read('logs:StartQuery', () =>
      this.#logs.send(
        new StartQueryCommand({
          logGroupName: logGroup,
          queryString: query,
          startTime: Math.floor(fromMs / 1000),
          endTime: Math.ceil(toMs / 1000),
        }),
      ),
    );
    for (let poll = 0; poll < QUERY_POLLS; poll += 1) {
      const { status, results = [] } = await read('logs:GetQueryResults', () =>
        this.#logs.send(new GetQueryResultsCommand({ queryId })),
      );
      if (status === 'Complete') {
        return results.map((row) => Object.fromEntries(row.map(({ field = '', value = '' }) => [field, value])));
      }
      if (status !== 'Running' && status !== 'Scheduled')
        throw unanswered('logs:GetQueryResults', `a query that is ${status}`);
      await sleep(QUERY_POLL_MS);
    }
    throw unanswered('logs:GetQueryResults', 'a query that runs for a minute');
  }

  async metric({ namespace, name, dimensions, statistic, fromMs, toMs }: MetricQuery): Promise<readonly number[]> {
    const { Datapoints = [] } = await read('cloudwatch:GetMetricStatistics', () =>
      this.#cloudWatch.send(
        new GetMetricStatisticsCommand({
          Namespace: namespace,
          MetricName: name,
          Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
          StartTime: new Date(fromMs),
          EndTime: new Date(toMs),
          Period: MINUTE_SECONDS,
          Statistics: [statistic],
        }),
      ),
    );
    return Datapoints.flatMap((point) => point[statistic] ?? []);
  }

  async alarms(names: readonly string[]): Promise<Readonly<Record<string, AlarmState>>> {
    const input = { AlarmNames: [...names], AlarmTypes: ['MetricAlarm' as const, 'CompositeAlarm' as const] };
    const { MetricAlarms = [], CompositeAlarms = [] } = await read('cloudwatch:DescribeAlarms', () =>
      this.#cloudWatch.send(new DescribeAlarmsCommand(input)),
    );
    const suppressed = new Set(
      CompositeAlarms.filter(({ ActionsSuppressedBy }) => ActionsSuppressedBy !== undefined).map(
        ({ AlarmName }) => AlarmName,
      ),
    );
    return Object.fromEntries(
      [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName = '', StateValue = '', AlarmActions = [] }) => [
        AlarmName,
        { state: StateValue, isSuppressed: suppressed.has(AlarmName), hasActions: AlarmActions.length > 0 },
      ]),
    );
  }

  /** CloudWatch tells in words how an action ended: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarmHistory.html */
  async alarmActions(name: string, sinceMs: number): Promise<readonly ('succeeded' | 'failed')[]> {
    const input = {
      AlarmName: name,
      AlarmTypes: ['MetricAlarm' as const, 'CompositeAlarm' as const],
      HistoryItemType: 'Action' as const,
      StartDate: new Date(sinceMs),
    };
    const { AlarmHistoryItems = [] } = await read('cloudwatch:DescribeAlarmHistory', () =>
      this.#cloudWatch.send(new DescribeAlarmHistoryCommand(input)),
    );
    return AlarmHistoryItems.map(({ HistorySummary = '' }) =>
      /^Successfully executed/i.test(HistorySummary) ? 'succeeded' : 'failed',
    );
  }

  async budget(name: string): Promise<BudgetState | undefined> {
    const input = { AccountId: this.#account, BudgetName: name };
    const send = () => this.#budgets.send(new DescribeBudgetCommand(input));
    const found = (await readUnless(['NotFoundException'], 'budgets:ViewBudget', send))?.Budget;
    if (!found) return undefined;
    return {
      limitDollars: Number(found.BudgetLimit?.Amount ?? 0),
      spentDollars: Number(found.CalculatedSpend?.ActualSpend?.Amount ?? 0),
    };
  }

  /** Each request is billed: `PRICES.costExplorerRequest`. A period of up to a month fits one page. */
  async dailyCosts(stackName: string, { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
    const { ResultsByTime = [] } = await read('ce:GetCostAndUsage', () =>
      this.#costs.send(
        new GetCostAndUsageCommand({
          TimePeriod: { Start: dayOf(fromMs), End: dayOf(toMs) },
          Granularity: 'DAILY',
          Metrics: ['UnblendedCost'],
          Filter: { Tags: { Key: STACK_TAG, Values: [stackName] } },
          GroupBy: [{ Type: 'DIMENSION', Key: 'SERVICE' }],
        }),
      ),
    );
    return ResultsByTime.map(
      ({ TimePeriod, Groups = [] }): DailyCost => ({
        day: TimePeriod?.Start ?? '',
        dollarsByService: Object.fromEntries(
          Groups.map(({ Keys = [], Metrics }) => [Keys[0] ?? '', Number(Metrics?.['UnblendedCost']?.Amount ?? 0)]),
        ),
      }),
    );
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function unanswered(action: string, message: string): ReadError {
  return new ReadError(action, 'failed', { message });
}
