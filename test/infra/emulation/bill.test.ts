import { describe, expect, it } from 'vitest';
import { billOf, totalOf, usedBetween } from '../../../infra/emulation/bill/billOf.ts';
import { CountingMeter } from '../../../infra/emulation/bill/Meter.ts';

describe('a bill', () => {
  it('charges usage at list prices, the most expensive first', () => {
    const lines = billOf({
      'write units/Objects': 1_000_000,
      'read units/Objects': 1_000_000,
      'invocations/Sync': 1_000_000,
      'GB-seconds/Sync': 3600,
      'sqs requests/SendMessage': 1_000_000,
      'api requests': 1_000_000,
      'bytes out': 1024 ** 3,
      'log bytes': 1024 ** 3,
      'milliseconds/Sync': 5,
    });
    expect(lines.map(({ item, dollars }) => [item, Number(dollars.toFixed(4))])).toEqual([
      ['api requests', 3.5],
      ['write units/Objects', 0.625],
      ['log bytes', 0.5],
      ['sqs requests/SendMessage', 0.4],
      ['invocations/Sync', 0.2],
      ['read units/Objects', 0.125],
      ['bytes out', 0.09],
      ['GB-seconds/Sync', 0.048],
    ]);
    expect(totalOf(lines)).toBeCloseTo(5.488, 3);
  });

  it('covers the usage between two readings of the meter', () => {
    expect(usedBetween({ a: 1, b: 2 }, { a: 4, b: 2, c: 3 })).toEqual({ a: 3, c: 3 });
  });
});

describe('the meter', () => {
  it('reads the consumed units from the answers, by table and by kind', () => {
    const meter = new CountingMeter();
    meter.dynamoDb('Query', '{}', JSON.stringify({ ConsumedCapacity: { TableName: 'T', CapacityUnits: 2.5 } }));
    meter.dynamoDb('PutItem', '{}', JSON.stringify({ ConsumedCapacity: { TableName: 'T', CapacityUnits: 3 } }));
    meter.dynamoDb(
      'TransactWriteItems',
      '{}',
      JSON.stringify({
        ConsumedCapacity: [
          { TableName: 'T', CapacityUnits: 2 },
          { TableName: 'U', CapacityUnits: 4 },
        ],
      }),
    );
    expect(meter.usage()).toMatchObject({ 'read units/T': 2.5, 'write units/T': 5, 'write units/U': 4 });
  });

  it.each([
    [true, 1],
    [false, 0.5],
  ])('charges a query without results as the smallest read (strong: %s)', (ConsistentRead, units) => {
    const meter = new CountingMeter();
    const answer = JSON.stringify({ ConsumedCapacity: { TableName: 'T', CapacityUnits: 0 } });
    meter.dynamoDb('Query', JSON.stringify({ ConsistentRead }), answer);
    expect(meter.usage()).toMatchObject({ 'read units/T': units });
  });

  it('charges a write whose condition failed', () => {
    const meter = new CountingMeter();
    const answer = {
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      Item: 'x'.repeat(1500),
    };
    meter.dynamoDb('PutItem', '{"TableName":"T"}', JSON.stringify(answer));
    expect(meter.usage()).toMatchObject({ 'write units/T': 2 });
  });

  it('charges each started millisecond and the memory', () => {
    const meter = new CountingMeter();
    meter.invocation({ functionName: 'F', memoryMb: 512, durationMs: 999.2, streamedBytes: 7 * 1024 ** 2 });
    expect(meter.usage()).toEqual({
      'invocations/F': 1,
      'milliseconds/F': 1000,
      'GB-seconds/F': 0.5,
      'streamed bytes': 1024 ** 2,
    });
  });

  it('charges an answer of more than ten megabytes as several requests', () => {
    const meter = new CountingMeter();
    meter.request(0);
    meter.request(25 * 1024 ** 2);
    expect(meter.usage()['api requests']).toBe(4);
  });
});
