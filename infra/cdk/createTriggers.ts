import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import {
  EventSourceMapping,
  type EventSourceMappingOptions,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import type { ResyncEvent } from '../../lambdas/functions/resync/parseResyncEvent.ts';
import type { WarmEvent } from '../../lambdas/functions/WarmEvent.ts';
import { MINUTE_MS } from '../../lambdas/functions/limits.ts';
import { FUNCTIONS, type FunctionSpec, OVERDUE_GRACE_MS } from '../topology.ts';
import type { Functions } from './createFunctions.ts';
import type { FunctionParts } from './FunctionParts.ts';
import type { Invoked } from './traffic/createAliases.ts';

type TriggerOf<From extends FunctionSpec['trigger']['from']> = Extract<
  FunctionSpec['trigger'],
  { readonly from: From }
>;

interface TriggerParts extends FunctionParts {
  readonly functions: Functions;
  /** What each function is invoked by. */
  readonly invoked: Invoked;
}

/** Creates the topology's event source mappings and schedules. createApi creates the triggers of requests. */
export function createTriggers(scope: Construct, parts: TriggerParts): void {
  for (const { name, trigger } of Object.values<FunctionSpec>(FUNCTIONS)) {
    if (trigger.from === 'stream') mapStream(name, trigger, parts);
    if (trigger.from === 'workQueue') mapWorkQueue(name, trigger, parts);
    if (trigger.from === 'schedule') schedule(scope, name, trigger, parts);
    if ('warmMs' in trigger && isKeptWarm(parts)) keepWarm(scope, name, trigger.warmMs, parts);
  }
}

/** A container runs all the time. It is for stacks in which somebody always watches, and their requests keep the authorizer warm. */
function isKeptWarm({ props }: TriggerParts): boolean {
  return props.keepWarm && props.api === 'function';
}

function keepWarm(scope: Construct, name: FunctionSpec['name'], warmMs: number, { invoked }: TriggerParts): Rule {
  const request: WarmEvent = { what: 'warm' };
  return new Rule(scope, `${name}-warm-schedule`, {
    description: `Keeps ${name} warm`,
    schedule: Schedule.rate(Duration.millis(wholeMinutes(warmMs))),
    targets: [new LambdaTarget(partOf(invoked, name), { event: RuleTargetInput.fromObject(request) })],
  });
}

/**
 * Deleting an object writes a tombstone. Of the stream's REMOVE events, those that sweep a tombstone, a day later, are filtered out. Those of live items, which have a UID, say that somebody deleted an object by
 * hand: its resource's log begins anew and its keys are queued. The mapping starts at the stream's beginning, so that it misses no change that is made while the stack is being created.
 */
function mapStream(
  name: FunctionSpec['name'],
  { batchSize, windowMs, retries, maxAgeMs }: TriggerOf<'stream'>,
  { tables, queues, ...parts }: TriggerParts,
): void {
  mapSource(name, 'stream', parts, {
    eventSourceArn: tables.objects.tableStreamArn ?? '',
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize,
    maxBatchingWindow: Duration.millis(windowMs),
    filters: [
      FilterCriteria.filter({ eventName: FilterRule.or('INSERT', 'MODIFY') }),
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('REMOVE'),
        dynamodb: { OldImage: { uid: { S: FilterRule.exists() } } },
      }),
    ],
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    retryAttempts: retries,
    maxRecordAge: Duration.millis(maxAgeMs),
    onFailure: new SqsDlq(queues.givenUp),
  });
}

function mapWorkQueue(
  name: FunctionSpec['name'],
  { batchSize }: TriggerOf<'workQueue'>,
  { queues, concurrency, ...parts }: TriggerParts,
): void {
  mapSource(name, 'work', parts, {
    eventSourceArn: queues.work.queueArn,
    batchSize,
    reportBatchItemFailures: true,
    maxConcurrency: concurrency.syncMaxConcurrency,
  });
}

/** The schedules' events are plain `ResyncEvent`s. Notices of given-up batches arrive as SQS events. */
function schedule(
  scope: Construct,
  name: FunctionSpec['name'],
  { periods }: TriggerOf<'schedule'>,
  { queues, props, ...parts }: TriggerParts,
): void {
  const every = (id: string, periodMs: number, description: string, request: ResyncEvent) =>
    new Rule(scope, id, {
      description,
      schedule: Schedule.rate(Duration.millis(wholeMinutes(periodMs))),
      targets: [new LambdaTarget(partOf(parts.invoked, name), { event: RuleTargetInput.fromObject(request) })],
    });
  every('overdue-schedule', periods.overdueMs, 'Queues keys whose wake-up is overdue', {
    what: 'overdue',
    graceMs: OVERDUE_GRACE_MS,
  });
  every('heartbeat-schedule', periods.heartbeatMs, 'Gives every trigger something to do', { what: 'heartbeat' });
  every('all-schedule', parseConfig(props.config).resyncPeriodMs, 'Queues every key', {
    what: 'all',
    spread: { sent: 0 },
  });
  // Without a maximum concurrency, Lambda keeps two long polls open instead of five while nothing comes (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html).
  mapSource(name, 'given-up', parts, {
    eventSourceArn: queues.givenUp.queueArn,
    batchSize: 10,
    reportBatchItemFailures: true,
  });
}

/** The shortest period of a schedule is one minute. */
function wholeMinutes(periodMs: number): number {
  return Math.max(1, Math.round(periodMs / MINUTE_MS)) * MINUTE_MS;
}

/**
 * Has Lambda read a stream or a queue for what the function is invoked by. The mapping is a part of the function, also if it is for the alias: with another logical id CloudFormation would replace it, and the new one would read the stream from its
 * beginning.
 */
function mapSource(
  name: FunctionSpec['name'],
  id: string,
  { functions, invoked }: Pick<TriggerParts, 'functions' | 'invoked'>,
  options: EventSourceMappingOptions,
): EventSourceMapping {
  return new EventSourceMapping(partOf(functions, name), id, { target: partOf(invoked, name), ...options });
}

/** Every function whose trigger is created here exists: `api` only if it answers the API. */
function partOf<T>(parts: Partial<Record<FunctionSpec['name'], T>>, name: FunctionSpec['name']): T {
  const found = parts[name];
  if (!found) throw new Error(`the stack has no function ${name}`);
  return found;
}
