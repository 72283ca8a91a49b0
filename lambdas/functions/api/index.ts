import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Registry as MetricsRegistry } from 'prom-client';
import { openDynamoDbStore } from '../../adapters/aws/openDynamoDbStore.ts';
import { createRegistry } from '../../registry/createRegistry.ts';
import { resourceEntries } from '../../registry/resourceEntries.ts';
import { createRbacAuthorizer } from '../../rest/rbac/createRbacAuthorizer.ts';
import { openCloud } from '../composeCloud.ts';
import { createLog } from '../createLog.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { API_IDLE_TIMEOUT_MS, API_TIMEOUT_MS, MINUTE_MS, REQUEST_LIFETIME_MS } from '../limits.ts';
import { parseConfigText } from '../parseConfig.ts';
import { servedEntries } from '../servedEntries.ts';
import { answerProxyEvent } from './answerProxyEvent.ts';
import type { ApiEnvironment } from './fromProxyEvent.ts';
import { createApiHandler } from './createApiHandler.ts';
import { type LambdaStreaming, streamResponse } from './streamResponse.ts';

declare const awslambda: LambdaStreaming;

const environment = readEnvironment('api', process.env);
const { objectsTable: objects, versionsTable: versions, namespacesTable: namespaces, logTable } = environment;
const aws = openCloud();
const log = createLog();
const store = openDynamoDbStore({
  client: aws.dynamoDb,
  ...aws,
  tables: { objects, versions, namespaces, log: logTable },
});
const entries = servedEntries(resourceEntries, parseConfigText(environment.config));
const registry = createRegistry({ ...aws, ...store, entries });
const fetch = createApiHandler({
  ...aws,
  ...store,
  registry,
  entries,
  authorizer: createRbacAuthorizer(registry),
  userOf: (passed) => (passed as ApiEnvironment).user,
  requestLifetimeMs: REQUEST_LIFETIME_MS,
  // A watch ends, and shows that it is alive, well before API Gateway would cut it.
  maxWatchMs: API_TIMEOUT_MS - MINUTE_MS,
  watchKeepAliveMs: API_IDLE_TIMEOUT_MS - 3 * MINUTE_MS,
  metrics: new MetricsRegistry(),
  logError: (message, cause) => log({ level: 'error', msg: message, error: cause }),
});

/** Called by API Gateway for each request. It streams the answer. */
export const handler = awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, stream) => {
  await streamResponse(awslambda, await answerProxyEvent(fetch, log, event), stream, log);
});
