import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { VERSIONS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { VersionCounter } from '../../../lambdas/adapters/aws/VersionCounter.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { Random } from '../../simulation/Random.ts';
import { Scheduler } from '../../simulation/Scheduler.ts';

const SECONDS = 6;

/** Processes that draw ten versions at a time, again and again, for some seconds. */
class Fleet {
  readonly scheduler = new Scheduler(0, new Random(1));
  readonly model = new DynamoModel({ clock: this.scheduler, random: new Random(2) });
  highest = 0;
  drawn = 0;

  constructor() {
    this.model.createTable('versions', VERSIONS_TABLE);
  }

  async run(processes: number): Promise<void> {
    for (let process = 0; process < processes; process += 1) void this.#draw(this.#counter(process));
    while (await this.scheduler.step(SECONDS * 1_000));
  }

  #counter(process: number): VersionCounter {
    const send = async (command: object) => {
      await this.scheduler.wait(2);
      const output = this.model.execute(command);
      await this.scheduler.wait(3);
      return output;
    };
    const client = { send } as unknown as DynamoDBClient;
    return new VersionCounter(
      new DynamoDbCalls({ client, clock: this.scheduler, ids: new SeededIds(process) }),
      'versions',
    );
  }

  /** Draws batch after batch when the others have found their pace. Resolves to the time that it takes. */
  async drawInBatches(sizes: readonly number[]): Promise<number> {
    const counter = this.#counter(1_000);
    await this.scheduler.wait(3_000);
    const beganMs = this.scheduler.now();
    for (const size of sizes) await Promise.all(Array.from({ length: size }, () => counter.draw('pods')));
    return this.scheduler.now() - beganMs;
  }

  async #draw(counter: VersionCounter): Promise<void> {
    await this.scheduler.wait(1);
    for (;;) {
      const acknowledged = this.highest;
      const versions = await Promise.all(Array.from({ length: 10 }, () => counter.draw('pods')));
      expect(Math.min(...versions)).toBeGreaterThan(acknowledged);
      this.highest = Math.max(this.highest, ...versions);
      this.drawn += versions.length;
    }
  }
}

it('one busy process adds at most fifty times a second', async () => {
  const fleet = new Fleet();
  await fleet.run(1);
  expect(fleet.model.usage.rows[0]?.calls).toBeLessThanOrEqual(SECONDS * 50 + 1);
});

it('three hundred busy processes share a counter, and DynamoDB throttles it for less than a second', async () => {
  const fleet = new Fleet();
  await fleet.run(300);
  const { longestThrottledMs, rows } = fleet.model.usage;
  expect(Math.max(0, ...longestThrottledMs.values())).toBeLessThan(1_000);
  expect(rows[0]?.calls).toBeLessThan(SECONDS * 1_000);
  expect(fleet.drawn).toBeGreaterThan(300 * 10 * SECONDS);
  expect(fleet.drawn).toBe(fleet.highest - 1);
}, 60_000);

it('a process that needs hundreds of versions one after the other is not slowed down by others with ten at a time', async () => {
  const fleet = new Fleet();
  const tookMs = fleet.drawInBatches([1, 2, 4, 8, 16, 32, 64, 128, 256]);
  await fleet.run(300);
  expect(await tookMs).toBeLessThan(1_000);
});
