import type { TemplateResolver } from './Template.ts';

/** An event source mapping of the template. */
export interface MappingSpec {
  readonly logicalId: string;
  readonly functionName: string;
  readonly eventSourceArn: string;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly reportsFailures: boolean;
  /** Streams only. */
  readonly bisects: boolean;
  readonly retries: number;
  readonly maxRecordAgeMs: number;
  readonly onFailureArn?: string;
  /** Filter patterns as JSON. A record is delivered if it matches any of them. */
  readonly filters: readonly string[];
  /** Queues only. */
  readonly maxConcurrency: number;
}

export interface ScheduleSpec {
  readonly logicalId: string;
  readonly functionArn: string;
  readonly periodMs: number;
  /** JSON. */
  readonly input: string;
}

/** An invocation that is part of the deployment. */
export interface DeployInvocation {
  readonly functionName: string;
  readonly payload: string;
}

interface MappingProperties {
  readonly FunctionName: string;
  readonly EventSourceArn: string;
  readonly BatchSize?: number;
  /** Seconds. */
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly FunctionResponseTypes?: readonly string[];
  readonly BisectBatchOnFunctionError?: boolean;
  readonly MaximumRetryAttempts?: number;
  readonly MaximumRecordAgeInSeconds?: number;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination?: string } };
  readonly FilterCriteria?: { readonly Filters?: readonly { readonly Pattern: string }[] };
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number };
  readonly ParallelizationFactor?: number;
  readonly StartingPosition?: string;
  readonly TumblingWindowInSeconds?: number;
}

/** Lambda's defaults. */
const DEFAULT_BATCH_SIZE = { stream: 100, queue: 10 };
const DEFAULT_MAX_CONCURRENCY = 1000;

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export function readMappings(template: TemplateResolver): readonly MappingSpec[] {
  return template.resources('AWS::Lambda::EventSourceMapping').map(([logicalId, properties]) => {
    const read = template.resolve(properties) as MappingProperties;
    if ((read.ParallelizationFactor ?? 1) !== 1 || read.TumblingWindowInSeconds !== undefined) {
      throw new Error(`${logicalId}: the emulation delivers one batch of a shard at a time`);
    }
    return mappingSpec(logicalId, read);
  });
}

function mappingSpec(logicalId: string, read: MappingProperties): MappingSpec {
  const isQueue = read.EventSourceArn.includes(':sqs:');
  const destination = read.DestinationConfig?.OnFailure?.Destination;
  const given = (value: number | undefined) => (value === undefined || value < 0 ? Number.POSITIVE_INFINITY : value);
  return {
    logicalId,
    functionName: read.FunctionName,
    eventSourceArn: read.EventSourceArn,
    batchSize: read.BatchSize ?? DEFAULT_BATCH_SIZE[isQueue ? 'queue' : 'stream'],
    windowMs: (read.MaximumBatchingWindowInSeconds ?? 0) * 1000,
    reportsFailures: read.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    bisects: read.BisectBatchOnFunctionError ?? false,
    retries: given(read.MaximumRetryAttempts),
    maxRecordAgeMs: given(read.MaximumRecordAgeInSeconds) * 1000,
    ...(destination !== undefined && { onFailureArn: destination }),
    filters: read.FilterCriteria?.Filters?.map(({ Pattern }) => Pattern) ?? [],
    maxConcurrency: read.ScalingConfig?.MaximumConcurrency ?? DEFAULT_MAX_CONCURRENCY,
  };
}

/** Reads the rules that invoke functions at a fixed rate. Throws for any other rule. */
export function readSchedules(template: TemplateResolver): readonly ScheduleSpec[] {
  return template.resources('AWS::Events::Rule').flatMap(([logicalId, properties]) => {
    const { ScheduleExpression = '', Targets = [] } = template.resolve(properties) as {
      readonly ScheduleExpression?: string;
      readonly Targets?: readonly { readonly Arn: string; readonly Input?: string }[];
    };
    const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(ScheduleExpression) ?? [];
    const periodMs = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
    if (Number.isNaN(periodMs)) throw new Error(`${logicalId}: the emulation does not support ${ScheduleExpression}`);
    return Targets.map(({ Arn, Input = '{}' }) => ({ logicalId, functionArn: Arn, periodMs, input: Input }));
  });
}

/** Reads the invocations of functions that the template's custom resources make when they are created. The tables of the emulation need no protection. Throws for any other call. */
export function readDeployInvocations(template: TemplateResolver): readonly DeployInvocation[] {
  return template.resources('Custom::AWS').flatMap(([logicalId, properties]) => {
    const { action, parameters } = JSON.parse(String(template.resolve(properties['Create']))) as {
      readonly action: string;
      readonly parameters: { readonly FunctionName: string; readonly Payload: string };
    };
    if (action === 'updateTable') return [];
    if (action !== 'invoke') throw new Error(`${logicalId}: the emulation cannot ${action}`);
    return [{ functionName: parameters.FunctionName, payload: parameters.Payload }];
  });
}
