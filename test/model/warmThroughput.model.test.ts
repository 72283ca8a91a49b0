import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import { expect, it } from 'vitest';
import { Random } from '../simulation/Random.ts';
import { Scheduler } from '../simulation/Scheduler.ts';
import { isThrottled } from './dynamo/serviceErrors.ts';
import { DynamoModel } from './DynamoModel.ts';

/** Returns how many of 10,000 writes at one instant are throttled, each of another partition key. */
function throttledOf(warm: WarmThroughput): number {
  const model = new DynamoModel({ clock: new Scheduler(0, new Random(1)), random: new Random(1) });
  model.createTable('table', { partitionKey: { name: 'key', type: 'S' } }, { warm });
  let throttled = 0;
  for (let at = 0; at < 10_000; at += 1) {
    try {
      model.execute(new PutItemCommand({ TableName: 'table', Item: { key: { S: `key-${at}` } } }));
    } catch (error) {
      if (!isThrottled(error)) throw error;
      throttled += 1;
    }
  }
  return throttled;
}

it('a new table takes about 4,000 writes a second', () => {
  expect(throttledOf({})).toBeGreaterThanOrEqual(6_000);
});

it('a table that was warmed takes what it was warmed for, as far as its keys are spread', () => {
  expect(throttledOf({ writeUnitsPerSecond: 20_000 })).toBe(0);
  expect(throttledOf({ readUnitsPerSecond: 60_000 })).toBe(0);
});
