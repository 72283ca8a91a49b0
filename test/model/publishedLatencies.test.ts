import { NO_SERVICE_FAULTS } from './NO_SERVICE_FAULTS.ts';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { OBJECTS_TABLE } from '../../lambdas/adapters/aws/tables.ts';
import { percentile } from '../bench/percentile.ts';
import { Random } from '../simulation/Random.ts';
import { Scheduler } from '../simulation/Scheduler.ts';
import { DynamoModel } from './DynamoModel.ts';
import type { InvokeOutcome } from './lambda/FunctionModel.ts';
import { QueueMapping } from './lambda/QueueMapping.ts';
import { StreamMapping } from './lambda/StreamMapping.ts';
import { MEASURED_TRIGGERS, PUBLISHED_LATENCIES } from './publishedLatencies.ts';
import { SqsModel } from './sqs/SqsModel.ts';

const SAMPLES = 2_000;
/** By how much the model's percentiles may differ from the measured ones. */
const TOLERANCE = 0.15;

interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly target: { readonly invoke: () => Promise<InvokeOutcome> };
}

/** Sends something each few seconds and returns how long each took until the function was invoked. */
async function measure(open: (world: World) => () => void): Promise<readonly number[]> {
  const scheduler = new Scheduler(0, new Random(1));
  const random = new Random(2);
  const times: number[] = [];
  let sentAtMs = 0;
  const invoke = async (): Promise<InvokeOutcome> => {
    times.push(scheduler.now() - sentAtMs);
    return { status: 'returned', result: { batchItemFailures: [] } };
  };
  const send = open({ scheduler, random, target: { invoke } });
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    scheduler.after(random.integer(5_000, 6_000), () => {
      sentAtMs = scheduler.now();
      send();
    });
    while (times.length <= sample) await scheduler.step(Number.POSITIVE_INFINITY);
  }
  return times;
}

function openStream({ scheduler, random, target }: World): () => void {
  const physics = { partitions: 1, streamLagMs: PUBLISHED_LATENCIES.streamMs };
  const model = new DynamoModel({ clock: scheduler, random, physics });
  model.createTable('objects', OBJECTS_TABLE);
  const mapping = {
    source: model.stream('objects'),
    target,
    batchSize: 10,
    retries: 2,
    maxAgeMs: Number.POSITIVE_INFINITY,
    pollMs: PUBLISHED_LATENCIES.streamPollMs,
    scheduler,
    random,
    faults: () => NO_SERVICE_FAULTS,
    encode: (record: object) => record,
    onGivenUp: () => {},
  };
  expect(new StreamMapping(mapping).isBusy).toBe(false);
  let count = 0;
  return () => {
    count += 1;
    model.execute(
      new PutItemCommand({ TableName: 'objects', Item: { place: { S: 'pods#a' }, name: { S: `${count}` } } }),
    );
  };
}

function openQueue({ scheduler, random, target }: World): () => void {
  const sqs = new SqsModel({ clock: scheduler, random, faults: () => NO_SERVICE_FAULTS, onRequest: () => {} });
  const queue = sqs.createQueue({ url: 'work', visibilityTimeoutMs: 90_000 });
  const shared = { scheduler, random, target, queue, latencies: PUBLISHED_LATENCIES, onRequest: () => {} };
  expect(new QueueMapping({ ...shared, batchSize: 10, maxConcurrency: 5 }).running).toBe(0);
  return () => void sqs.execute(new SendMessageCommand({ QueueUrl: 'work', MessageBody: 'key' }));
}

test.each([
  ['stream', openStream],
  ['queue', openQueue],
] as const)('the %s reaches its function as late as was measured in the service', async (trigger, open) => {
  const times = await measure(open);
  for (const [share, ms] of MEASURED_TRIGGERS[trigger]) {
    const difference = Math.abs(percentile(times, share) - ms) / ms;
    expect(difference, `p${share * 100}: ${percentile(times, share)} ms, and not ${ms}`).toBeLessThan(TOLERANCE);
  }
});
