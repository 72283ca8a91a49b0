import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbWatchSlots } from '../../../../lambdas/adapters/aws/log/DynamoDbWatchSlots.ts';
import { VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { SlotClaim } from '../../../../lambdas/ports/WatchSlots.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const MINUTE_MS = 60_000;

let clock: VirtualClock;
let model: DynamoModel;
let commands: number;
beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('versions', VERSIONS_TABLE);
  commands = 0;
});

/** The slots as one process sees them. */
function open(seed: number, count = 3): DynamoDbWatchSlots {
  const ids = new SeededIds(seed);
  const client = {
    send: async (command: object) => {
      commands += 1;
      return model.execute(command);
    },
  } as unknown as DynamoDBClient;
  return new DynamoDbWatchSlots({
    calls: new DynamoDbCalls({ client, clock, ids }),
    clock,
    ids,
    tableName: 'versions',
    count,
  });
}

const statusOf = ({ status }: SlotClaim) => status;

describe('the slots of open watches', () => {
  test('are taken by as many watches as there are slots, in any process', async () => {
    const claims = [];
    for (let seed = 1; seed <= 5; seed += 1) claims.push(await open(seed).claim(MINUTE_MS));
    expect(claims.map(statusOf)).toEqual(['claimed', 'claimed', 'claimed', 'full', 'full']);
  });

  test('are never taken twice by processes that claim at the same time', async () => {
    const claims = await Promise.all(Array.from({ length: 12 }, (_, at) => open(at + 1).claim(MINUTE_MS)));
    expect(claims.map(statusOf).filter((status) => status === 'claimed')).toHaveLength(3);
  });

  test('are free again when they are released', async () => {
    const [first, other] = [open(1, 1), open(2, 1)];
    const claim = await first.claim(MINUTE_MS);
    expect((await other.claim(MINUTE_MS)).status).toBe('full');
    if (claim.status === 'claimed') await claim.release();
    expect((await other.claim(MINUTE_MS)).status).toBe('claimed');
  });

  test('are free again when their time is over, and the answer to a watch that finds none says when', async () => {
    await open(1, 1).claim(MINUTE_MS);
    clock.advanceBy(20_000);
    const refused = await open(2, 1).claim(MINUTE_MS);
    expect(refused.status === 'full' && Math.floor(refused.retryAfterMs)).toBe(45_000);
    clock.advanceBy(45_002);
    expect((await open(2, 1).claim(MINUTE_MS)).status).toBe('claimed');
  });

  test('are not released by a watch whose time was over', async () => {
    const late = await open(1, 1).claim(MINUTE_MS);
    clock.advanceBy(2 * MINUTE_MS);
    await open(2, 1).claim(MINUTE_MS);
    if (late.status === 'claimed') await late.release();
    expect((await open(3, 1).claim(MINUTE_MS)).status).toBe('full');
  });

  test('cost one write for a claim, and one for a refusal', async () => {
    const slots = open(1, 2);
    await slots.claim(MINUTE_MS);
    expect(commands).toBe(1);
    while ((await slots.claim(MINUTE_MS)).status === 'claimed');
    commands = 0;
    expect((await slots.claim(MINUTE_MS)).status).toBe('full');
    expect(commands).toBe(1);
  });

  test('are fewer when the stack allows fewer', async () => {
    await Promise.all([1, 2, 3].map((seed) => open(seed).claim(MINUTE_MS)));
    expect((await open(4, 1).claim(MINUTE_MS)).status).toBe('full');
  });
});
