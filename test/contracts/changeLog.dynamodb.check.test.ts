import { afterAll, beforeAll, describe, vi } from 'vitest';
import { CloudStoreBench } from '../support/CloudStoreBench.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { changeLogContract } from './changeLogContract.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

describe.skipIf(dynamoDbLocalMissing)(`DynamoDB${dynamoDbLocalMissing ? ` (${dynamoDbLocalMissing})` : ''}`, () => {
  let local: DynamoDbLocal;
  beforeAll(async () => {
    local = await DynamoDbLocal.start();
  });
  afterAll(() => local?.stop());

  changeLogContract('log, with three appenders at once', () => CloudStoreBench.open(local));
});
