import type { Meter } from '../bill/Meter.ts';
import type { FunctionPool } from '../functions/deployFunctions.ts';
import type { DynamoDbLocal } from '../services/DynamoDbLocal.ts';
import type { EmulatedQueues } from '../services/EmulatedQueues.ts';
import { readMappings, readSchedules } from '../template/readTriggers.ts';
import type { TemplateResolver } from '../template/Template.ts';
import { QueueMapping } from './QueueMapping.ts';
import { Schedule } from './Schedule.ts';
import { StreamMapping } from './StreamMapping.ts';

export interface TriggerParts {
  readonly template: TemplateResolver;
  readonly functions: FunctionPool;
  readonly dynamoDb: DynamoDbLocal;
  readonly queues: EmulatedQueues;
  readonly meter: Meter;
}

export interface Triggers {
  /** Resolves if a stream can no longer be read. */
  readonly failed: Promise<Error>;
  /** Resolves when all invocations have ended. */
  stop(): Promise<void>;
}

/** More concurrent batches of keys are not faster on one machine. */
const MAX_CONCURRENCY = 6;

/** Starts all triggers of the template except the API. */
export function startTriggers({ template, functions, dynamoDb, queues, meter }: TriggerParts): Triggers {
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  const mappings = readMappings(template).map((spec) => {
    const target = functions.get(spec.functionName);
    return spec.eventSourceArn.includes(':sqs:')
      ? new QueueMapping({
          spec,
          target,
          queues,
          maxConcurrency: MAX_CONCURRENCY,
          onRequest: (operation) => meter.sqs(operation),
        })
      : new StreamMapping({ spec, target, dynamoDb, send: (arn, body) => queues.send(arn, body), onFailed: fail });
  });
  const schedules = readSchedules(template).map((spec) => new Schedule(spec, functions.get(spec.functionArn)));
  const triggers = [...mappings, ...schedules];
  for (const trigger of triggers) trigger.start();
  return { failed, stop: async () => void (await Promise.all(triggers.map((trigger) => trigger.stop()))) };
}
