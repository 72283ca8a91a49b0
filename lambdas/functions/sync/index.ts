import { Metrics } from '@aws-lambda-powertools/metrics';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { DynamoDbKeyLocks } from '../../adapters/aws/DynamoDbKeyLocks.ts';
import { DynamoDbObjectStore } from '../../adapters/aws/DynamoDbObjectStore.ts';
import { openAws } from '../../adapters/aws/openAws.ts';
import { decodeQueueMessage } from '../../adapters/aws/queueMessage.ts';
import { SqsWorkQueue } from '../../adapters/aws/SqsWorkQueue.ts';
import { SimulatedPodRuntime } from '../../adapters/simulated/SimulatedPodRuntime.ts';
import { composeControllers } from '../composeControllers.ts';
import { createLog } from '../createLog.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { answerQueueEvent } from './answerQueueEvent.ts';
import { createSyncMetrics } from './createSyncMetrics.ts';
import { createSyncHandler } from './handler.ts';
import { CLOUD_SYNC_CONFIG } from './SyncConfig.ts';

const environment = readEnvironment('sync', process.env);
const { config, workQueueUrl: queueUrl, deadLetterQueueUrl, keysTable } = environment;
const { objectsTable: objects, versionsTable: versions, namespacesTable: namespaces } = environment;
const aws = openAws();
const log = createLog();
const ports = {
  ...aws,
  objectStore: new DynamoDbObjectStore({ ...aws, tables: { objects, versions, namespaces } }),
  workQueue: new SqsWorkQueue({ ...aws, queueUrl, deadLetterQueueUrl }),
  keyLocks: new DynamoDbKeyLocks({ ...aws, tableName: keysTable }),
  podRuntime: new SimulatedPodRuntime(),
};
const { controllers } = composeControllers({ ports, config, log });
const sync = createSyncHandler({
  ports,
  controllers,
  config: CLOUD_SYNC_CONFIG,
  ...createSyncMetrics(new Metrics()),
  log,
});

/** What the work queue's event source mapping calls. */
export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return answerQueueEvent({ sync, decode: decodeQueueMessage, log }, event);
}
