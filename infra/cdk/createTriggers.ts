import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import type { ResyncRequest } from '../../lambdas/functions/resync/createResyncHandler.ts';
import { FUNCTIONS, type FunctionSpec, OVERDUE_GRACE_MS } from '../topology.ts';
import type { FunctionParts, Functions } from './createFunctions.ts';

type TriggerOf<From extends FunctionSpec['trigger']['from']> = Extract<
  FunctionSpec['trigger'],
  { readonly from: From }
>;

interface TriggerParts extends FunctionParts {
  readonly functions: Functions;
}

/** Event source mappings and schedules, as the topology has them. Requests are the API's (see createApi). */
export function createTriggers(scope: Construct, parts: TriggerParts): void {
  for (const { name, trigger } of Object.values<FunctionSpec>(FUNCTIONS)) {
    if (trigger.from === 'stream') mapStream(name, trigger, parts);
    if (trigger.from === 'workQueue') mapWorkQueue(name, trigger, parts);
    if (trigger.from === 'schedule') schedule(scope, name, trigger, parts);
  }
}

/**
 * A deletion is the write of a tombstone; what the stream calls REMOVE is only its sweeping, a day later. The mapping begins at the stream's beginning, so that
 * what is written while the stack is being made is not missed.
 */
function mapStream(
  name: FunctionSpec['name'],
  { batchSize, windowMs, retries }: TriggerOf<'stream'>,
  { functions, tables, queues }: TriggerParts,
): void {
  functions[name].addEventSourceMapping('stream', {
    eventSourceArn: tables.objects.tableStreamArn ?? '',
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize,
    maxBatchingWindow: Duration.millis(windowMs),
    filters: [FilterCriteria.filter({ eventName: FilterRule.or('INSERT', 'MODIFY') })],
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    retryAttempts: retries,
    onFailure: new SqsDlq(queues.givenUp),
  });
}

function mapWorkQueue(
  name: FunctionSpec['name'],
  { batchSize }: TriggerOf<'workQueue'>,
  { functions, queues, props }: TriggerParts,
): void {
  functions[name].addEventSourceMapping('work', {
    eventSourceArn: queues.work.queueArn,
    batchSize,
    reportBatchItemFailures: true,
    maxConcurrency: props.syncMaxConcurrency,
  });
}

/** The events are `ResyncRequest`s as they stand. Batches that were given up come as SQS events, one at a time. */
function schedule(
  scope: Construct,
  name: FunctionSpec['name'],
  { periods }: TriggerOf<'schedule'>,
  { functions, queues, props }: TriggerParts,
): void {
  const every = (id: string, periodMs: number, description: string, request: ResyncRequest) =>
    new Rule(scope, id, {
      description,
      schedule: Schedule.rate(Duration.millis(wholeMinutes(periodMs))),
      targets: [new LambdaTarget(functions[name], { event: RuleTargetInput.fromObject(request) })],
    });
  every('overdue-schedule', periods.overdueMs, 'Looks for wake-ups that did not come', {
    what: 'overdue',
    graceMs: OVERDUE_GRACE_MS,
  });
  every('all-schedule', parseConfig(props.config).resyncPeriodMs, 'Looks at every key', { what: 'all' });
  functions[name].addEventSourceMapping('given-up', {
    eventSourceArn: queues.givenUp.queueArn,
    batchSize: 10,
    reportBatchItemFailures: true,
    maxConcurrency: 2,
  });
}

/** Schedules know no shorter period than a minute. */
function wholeMinutes(periodMs: number): number {
  const minuteMs = 60_000;
  return Math.max(1, Math.round(periodMs / minuteMs)) * minuteMs;
}
