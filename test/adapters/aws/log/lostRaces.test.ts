import { expect, test } from 'vitest';
import { ChangeLogAppender } from '../../../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { LogTable } from '../../../../lambdas/adapters/aws/log/LogTable.ts';
import { LOG_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { Change } from '../../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

function added(version: number): Change {
  const object = sample(`object-${version}`);
  const after = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  return { type: 'ADDED', resource: 'pods', version, after };
}

test('an appender that has only not seen what another one appended does not wait before it tries again', async () => {
  const clock = new VirtualClock(0);
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('log', LOG_TABLE);
  model.createTable('versions', VERSIONS_TABLE);
  const [first, second] = [1, 2].map((seed) => {
    const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(seed) });
    return new ChangeLogAppender({ calls, tables: { log: 'log', versions: 'versions' } });
  }) as [ChangeLogAppender, ChangeLogAppender];
  await second.append('pods', [added(1)]);
  await first.append('pods', [added(2)]);

  // The clock stands still, so an appender that waits never ends.
  await second.append('pods', [added(3)]);

  const logged: (readonly number[])[] = [];
  const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(3) });
  for await (const page of new LogTable(calls, 'log').readAfter('pods', 0, { strong: true }))
    logged.push(...page.map(({ versions }) => versions));
  expect(logged).toEqual([[1], [2], [3]]);
});
