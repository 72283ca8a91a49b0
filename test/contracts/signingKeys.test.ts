import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbSigningKeys } from '../../lambdas/adapters/aws/DynamoDbSigningKeys.ts';
import { VERSIONS_TABLE } from '../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { FileSigningKeys } from '../../lambdas/adapters/embedded/FileSigningKeys.ts';
import { MemorySigningKeys } from '../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { UNLIMITED } from '../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../model/DynamoModel.ts';
import { Random } from '../simulation/Random.ts';
import { signingKeysContract } from './signingKeysContract.ts';

signingKeysContract('MemorySigningKeys', async () => {
  const keys = new MemorySigningKeys();
  return { keys, reopen: () => keys, close: async () => {} };
});

signingKeysContract('FileSigningKeys', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'driftless-keys-'));
  return {
    keys: new FileSigningKeys(directory),
    reopen: () => new FileSigningKeys(directory),
    close: async () => rmSync(directory, { recursive: true }),
  };
});

describe.each(['tokens', 'certificates'] as const)('for %s', (signs) => {
  signingKeysContract('DynamoDbSigningKeys on the model of DynamoDB', () => openOverModel(signs));
});

test('DynamoDbSigningKeys keeps the key of tokens and that of certificates apart', async () => {
  const { keys, calls } = await openOverModel('tokens');
  await keys.keep('one');
  const others = new DynamoDbSigningKeys({ calls, tableName: 'versions', signs: 'certificates' });
  expect([await others.keep('two'), await keys.read()]).toEqual(['two', 'one']);
});

async function openOverModel(signs: 'tokens' | 'certificates') {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('versions', VERSIONS_TABLE);
  const client = { send: async (command: object) => model.execute(command) } as unknown as DynamoDBClient;
  const calls = new DynamoDbCalls({ client, clock, ids: new SeededIds(1) });
  const open = () => new DynamoDbSigningKeys({ calls, tableName: 'versions', signs });
  return { keys: open(), reopen: open, close: async () => {}, calls };
}
