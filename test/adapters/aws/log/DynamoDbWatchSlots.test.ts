import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbWatchSlots } from '../../../../lambdas/adapters/aws/log/DynamoDbWatchSlots.ts';
import { VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { SlotClaim, WatchRequest } from '../../../../lambdas/ports/WatchSlots.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { advance } from '../../../support/advance.ts';
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

/** A watch of a minute. */
function watchOf(user = 'ann', onTaken = () => {}): WatchRequest {
  return { user, isOfOne: false, lifetimeMs: MINUTE_MS, onTaken };
}

const statusOf = ({ status }: SlotClaim) => status;

describe('the slots of open watches', () => {
  test('are taken by as many watches as there are slots, in any process', async () => {
    const claims = [];
    for (let seed = 1; seed <= 5; seed += 1) claims.push(await open(seed).claim(watchOf()));
    expect(claims.map(statusOf)).toEqual(['claimed', 'claimed', 'claimed', 'full', 'full']);
  });

  test('are never taken twice by processes that claim at the same time', async () => {
    const claims = await Promise.all(Array.from({ length: 12 }, (_, at) => open(at + 1).claim(watchOf())));
    expect(claims.map(statusOf).filter((status) => status === 'claimed')).toHaveLength(3);
  });

  test('are free again when they are released', async () => {
    const [first, other] = [open(1, 1), open(2, 1)];
    const claim = await first.claim(watchOf());
    expect((await other.claim(watchOf())).status).toBe('full');
    if (claim.status === 'claimed') await claim.release();
    expect((await other.claim(watchOf())).status).toBe('claimed');
  });

  test('are free again when their time is over', async () => {
    await open(1, 1).claim(watchOf());
    clock.advanceBy(MINUTE_MS + 5_001);
    const taken = vi.fn();
    expect((await open(2, 1).claim(watchOf('bob', taken))).status).toBe('claimed');
  });

  test('stay with a watch for some seconds, and the answer to one that finds none says for how long', async () => {
    await open(1, 1).claim(watchOf());
    clock.advanceBy(2_000);
    expect(await open(2, 1).claim(watchOf())).toEqual({ status: 'full', retryAfterMs: 3_025 });
    clock.advanceBy(3_025);
    expect((await open(2, 1).claim(watchOf())).status).toBe('claimed');
  });

  test('are taken from an older watch, which learns of it within seconds, and whose release leaves the newer one alone', async () => {
    const taken = vi.fn();
    const older = await open(1, 1).claim(watchOf('ann', taken));
    clock.advanceBy(20_000);
    expect((await open(2, 1).claim(watchOf('bob'))).status).toBe('claimed');
    await advance(clock, 2_010);
    expect(taken).toHaveBeenCalledTimes(1);
    if (older.status === 'claimed') await older.release();
    expect((await open(3, 1).claim(watchOf())).status).toBe('full');
    await advance(clock, MINUTE_MS);
    expect(taken).toHaveBeenCalledTimes(1);
  });

  test('are looked after until they are released, and no longer', async () => {
    const claim = await open(1).claim(watchOf());
    await advance(clock, 10_000);
    expect(commands).toBe(1 + 4);
    if (claim.status === 'claimed') await claim.release();
    commands = 0;
    await advance(clock, 10_000);
    expect(commands).toBe(0);
  });

  test('are not released by a watch whose time was over', async () => {
    const late = await open(1, 1).claim(watchOf());
    clock.advanceBy(2 * MINUTE_MS);
    await open(2, 1).claim(watchOf());
    if (late.status === 'claimed') await late.release();
    expect((await open(3, 1).claim(watchOf())).status).toBe('full');
  });

  test('cost one write for a claim, and one for a refusal', async () => {
    const slots = open(1, 2);
    await slots.claim(watchOf());
    expect(commands).toBe(1);
    while ((await slots.claim(watchOf())).status === 'claimed');
    commands = 0;
    expect((await slots.claim(watchOf())).status).toBe('full');
    expect(commands).toBe(1);
  });

  test('are fewer when the stack allows fewer', async () => {
    await Promise.all([1, 2, 3].map((seed) => open(seed).claim(watchOf())));
    expect((await open(4, 1).claim(watchOf())).status).toBe('full');
  });
});
