import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import { DynamoDbCalls } from './DynamoDbCalls.ts';
import { type OnSetupProblem, reportSetupProblems } from './reportSetupProblems.ts';

/** The clients, clock and ids that the adapters of one function instance share. */
export interface Aws {
  readonly dynamoDb: DynamoDBClient;
  readonly calls: DynamoDbCalls;
  readonly sqs: SQSClient;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * A request that is not answered is given up well before its caller's time is over, so that there is time to repeat it. The sockets are as many as a sync that
 * creates pods needs for its concurrent writes.
 */
const REQUEST_HANDLER = {
  connectionTimeout: 1_000,
  requestTimeout: 3_000,
  throwOnRequestTimeout: true,
  httpAgent: { maxSockets: 128 },
  httpsAgent: { maxSockets: 128 },
};

export interface AwsOptions extends Pick<Aws, 'clock' | 'ids'> {
  readonly onSetupProblem: OnSetupProblem;
}

/** Creates clients with the region, credentials and endpoints that the SDK reads from the environment. They connect when they are first used. */
export function openAws({ clock, ids, onSetupProblem }: AwsOptions): Aws {
  // DynamoDbCalls repeats requests. With the SDK's own attempts below it, they would multiply.
  const dynamoDb = new DynamoDBClient({ requestHandler: REQUEST_HANDLER, maxAttempts: 1 });
  // Otherwise the SDK would send requests to the host in the queue's URL and ignore the endpoint that the environment names.
  const sqs = new SQSClient({ requestHandler: REQUEST_HANDLER, useQueueUrlAsEndpoint: false });
  dynamoDb.middlewareStack.add(reportSetupProblems(onSetupProblem), { step: 'initialize' });
  sqs.middlewareStack.add(reportSetupProblems(onSetupProblem), { step: 'initialize' });
  return { dynamoDb, calls: new DynamoDbCalls({ client: dynamoDb, clock, ids }), sqs, clock, ids };
}
