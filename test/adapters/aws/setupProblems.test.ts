import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, expect, test, vi } from 'vitest';
import { NO_METER } from '../../../infra/emulation/bill/Meter.ts';
import { openServiceProxies } from '../../../infra/emulation/services/openServiceProxies.ts';
import { explainServiceError } from '../../../lambdas/adapters/aws/reportSetupProblems.ts';
import { openAws } from '../../../lambdas/adapters/aws/openAws.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { logSetupProblems } from '../../../lambdas/functions/logSetupProblems.ts';

afterEach(() => vi.unstubAllEnvs());

test('a role without a permission makes one log line that says what to do, and the request still fails', async () => {
  const nowhere = { port: 9 };
  const services = await openServiceProxies(
    { dynamoDb: nowhere, accessKeyId: 'key', sqs: nowhere, queueOrigin: 'http://127.0.0.1:9/' },
    NO_METER,
  );
  try {
    const environment = {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'SyncFunctionRole',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: services.sessionToken,
      AWS_ENDPOINT_URL_DYNAMODB: services.dynamoDb.endpoint,
      AWS_ENDPOINT_URL_SQS: services.sqs.endpoint,
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const clock = new VirtualClock(0);
    const lines: Readonly<Record<string, unknown>>[] = [];
    const onSetupProblem = logSetupProblems((line) => lines.push(line), clock);
    const { calls, sqs } = openAws({ clock, ids: new SeededIds(1), onSetupProblem });
    const get = () =>
      calls.send((client) =>
        client.send(new GetItemCommand({ TableName: 'ObjectsTable', Key: { place: { S: 'p' } } })),
      );
    await expect(get()).rejects.toThrow('not authorized to perform: dynamodb:GetItem');
    await expect(get()).rejects.toThrow('not authorized');
    await expect(
      sqs.send(new SendMessageCommand({ QueueUrl: `${services.sqs.endpoint}/q`, MessageBody: 'm' })),
    ).rejects.toThrow();
    expect(lines).toEqual([
      {
        level: 'error',
        msg: 'the setup is wrong',
        problem: expect.stringContaining('SyncFunctionRole is not authorized to perform: dynamodb:GetItem') as string,
        whatToDo: expect.stringContaining('deploy the stack again') as string,
      },
    ]);
    clock.advanceBy(5 * 60_000);
    await expect(get()).rejects.toThrow('not authorized');
    expect(lines).toHaveLength(2);
  } finally {
    await services.close();
  }
});

test.each([
  ['ResourceNotFoundException', 'restoredTables'],
  ['QueueDoesNotExist', 'resync'],
  ['UnrecognizedClientException', 'deploy the stack again'],
  ['RequestLimitExceeded', 'Service Quotas'],
])('%s is explained', (name, advice) => {
  const explained = explainServiceError(Object.assign(new Error('m'), { name }));
  expect(explained).toMatchObject({ problem: `${name}: m`, whatToDo: expect.stringContaining(advice) as string });
});

test.each(['ConditionalCheckFailedException', 'ThrottlingException', 'TimeoutError'])('%s passes', (name) => {
  expect(explainServiceError(Object.assign(new Error('m'), { name }))).toBeUndefined();
});
