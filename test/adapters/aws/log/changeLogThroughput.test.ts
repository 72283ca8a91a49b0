import { expect, test } from 'vitest';
import { ChangeLogAppender } from '../../../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { LOG_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { Change } from '../../../../lambdas/ports/ChangeLog.ts';
import { sleep } from '../../../../lambdas/ports/Clock.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';
import { DEFAULT_PHYSICS } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const SHARDS = 16;
const CHANGES_A_SECOND = 1_000;
const SECONDS = 2;
const LARGEST_BATCH = 1_000;

function added(version: number): Change {
  const object = sample(`object-${version}`);
  const after = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  return { type: 'ADDED', resource: 'pods', version, after };
}

/** Appends what each shard has got by then, as soon as the batch before is appended. Returns how far the last shard was behind at most. */
async function appendAll(clock: VirtualClock, random: Random, model: DynamoModel): Promise<number> {
  const beganMs = clock.now();
  let furthestBehind = 0;
  const send = async (command: object) => {
    await sleep(clock, random.integer(4, 8));
    return model.execute(command);
  };
  const shards = Array.from({ length: SHARDS }, async (_, shard) => {
    const calls = new DynamoDbCalls({ client: { send }, clock, ids: new SeededIds(shard) });
    const appender = new ChangeLogAppender({ calls, tables: { log: 'log', versions: 'versions' } });
    for (let at = 0; at < CHANGES_A_SECOND * SECONDS; ) {
      const elapsedMs = clock.now() - beganMs;
      const written = Math.min(CHANGES_A_SECOND * SECONDS, Math.floor((elapsedMs * CHANGES_A_SECOND) / 1000));
      furthestBehind = Math.max(furthestBehind, written - at);
      const count = Math.min(LARGEST_BATCH, written - at);
      const batch = Array.from({ length: count }, (__, n) => added(2 + (at + n) * SHARDS + shard));
      if (count > 0) await appender.append('pods', batch);
      at += count;
      await sleep(clock, random.integer(10, 100));
    }
  });
  await Promise.all(shards);
  return furthestBehind;
}

test('sixteen shards with a thousand changes a second each share one log, and none is left behind', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const random = new Random(1);
  const model = new DynamoModel({ clock, random, physics: DEFAULT_PHYSICS });
  model.createTable('log', LOG_TABLE);
  model.createTable('versions', VERSIONS_TABLE);
  const over = new AbortController();
  const work = appendAll(clock, random, model).finally(() => over.abort());
  while (!over.signal.aborted) {
    await new Promise((resolve) => setImmediate(resolve));
    const dueMs = clock.nextDueMs();
    if (dueMs !== undefined) clock.advanceTo(dueMs);
  }
  expect(await work).toBeLessThan(1.5 * CHANGES_A_SECOND);
}, 60_000);
