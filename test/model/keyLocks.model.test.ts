import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbKeyLocks } from '../../lambdas/adapters/aws/keys/DynamoDbKeyLocks.ts';
import { KEY_ITEMS_TABLE } from '../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { keyLocksContract } from '../contracts/keyLocksContract.ts';
import { Random } from '../simulation/Random.ts';
import { UNLIMITED } from './dynamo/DynamoPhysics.ts';
import { DynamoModel } from './DynamoModel.ts';

keyLocksContract('DynamoDbKeyLocks on the model of DynamoDB', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('keys', KEY_ITEMS_TABLE);
  const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(1) });
  return { locks: new DynamoDbKeyLocks({ calls, tableName: 'keys' }), close: async () => {} };
});
