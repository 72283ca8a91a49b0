import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { decodeStreamRecord } from '../../adapters/aws/decodeStreamRecord.ts';
import { DynamoDbObjectStore } from '../../adapters/aws/DynamoDbObjectStore.ts';
import { openAws } from '../../adapters/aws/openAws.ts';
import { SqsWorkQueue } from '../../adapters/aws/SqsWorkQueue.ts';
import { SimulatedPodRuntime } from '../../adapters/simulated/SimulatedPodRuntime.ts';
import { composeControllers } from '../composeControllers.ts';
import { createLog } from '../createLog.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { answerStreamEvent } from './answerStreamEvent.ts';
import { createEnqueueHandler } from './handler.ts';

const environment = readEnvironment('enqueue', process.env);
const { config, workQueueUrl: queueUrl } = environment;
const { objectsTable: objects, versionsTable: versions, namespacesTable: namespaces } = environment;
const aws = openAws();
const log = createLog();
const ports = {
  ...aws,
  objectStore: new DynamoDbObjectStore({ ...aws, tables: { objects, versions, namespaces } }),
  workQueue: new SqsWorkQueue({ ...aws, queueUrl }),
  podRuntime: new SimulatedPodRuntime(),
};
const { controllers } = composeControllers({ ports, config, log });
const enqueue = createEnqueueHandler({ ...ports, controllers, log });

/** What the objects' stream calls. */
export function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  return answerStreamEvent({ enqueue, decode: decodeStreamRecord }, event);
}
