import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import { DynamoDbCalls } from './DynamoDbCalls.ts';

/** What the adapters of one function instance share. */
export interface Aws {
  readonly dynamoDb: DynamoDBClient;
  readonly calls: DynamoDbCalls;
  readonly sqs: SQSClient;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * A connection that does not answer is given up well before the function is, so that there is time to ask again. As many sockets as a sync has writes on their
 * way at a time when it creates pods.
 */
const REQUEST_HANDLER = {
  connectionTimeout: 1_000,
  requestTimeout: 10_000,
  throwOnRequestTimeout: true,
  httpAgent: { maxSockets: 128 },
  httpsAgent: { maxSockets: 128 },
};

/** Clients with the region, credentials and endpoints that the environment names, as the SDK reads it. They connect when they are first used. */
export function openAws({ clock, ids }: Pick<Aws, 'clock' | 'ids'>): Aws {
  const dynamoDb = new DynamoDBClient({ requestHandler: REQUEST_HANDLER });
  // Or an endpoint that the environment names would not be asked, but the one in the queue's URL.
  const sqs = new SQSClient({ requestHandler: REQUEST_HANDLER, useQueueUrlAsEndpoint: false });
  return { dynamoDb, calls: new DynamoDbCalls({ client: dynamoDb, clock, ids }), sqs, clock, ids };
}
