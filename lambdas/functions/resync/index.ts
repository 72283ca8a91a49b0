import { ChangeLogAppender } from '../../adapters/aws/ChangeLogAppender.ts';
import { DynamoDbKeyLocks } from '../../adapters/aws/DynamoDbKeyLocks.ts';
import { DynamoDbObjectStore } from '../../adapters/aws/DynamoDbObjectStore.ts';
import { openAws } from '../../adapters/aws/openAws.ts';
import { SqsWorkQueue } from '../../adapters/aws/SqsWorkQueue.ts';
import { SimulatedPodRuntime } from '../../adapters/simulated/SimulatedPodRuntime.ts';
import { composeControllers } from '../composeControllers.ts';
import { createLog } from '../createLog.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { createGivenUpHandler } from '../record/givenUp.ts';
import { storedResources } from '../storedResources.ts';
import { createResyncEventHandler } from './createResyncEventHandler.ts';
import { createResyncHandler } from './createResyncHandler.ts';

const environment = readEnvironment('resync', process.env);
const { config, workQueueUrl: queueUrl, keysTable, logTable, nodes } = environment;
const { objectsTable: objects, versionsTable: versions, namespacesTable: namespaces } = environment;
const aws = openAws();
const log = createLog();
const ports = {
  ...aws,
  objectStore: new DynamoDbObjectStore({ ...aws, tables: { objects, versions, namespaces } }),
  workQueue: new SqsWorkQueue({ ...aws, queueUrl }),
  keyLocks: new DynamoDbKeyLocks({ ...aws, tableName: keysTable }),
  podRuntime: new SimulatedPodRuntime(),
};
const composed = composeControllers({ ports, config, log });

/** What the schedules call, and the queue of what was given up. */
export const handler = createResyncEventHandler({
  ...composed,
  clock: aws.clock,
  nodeCount: Number(nodes),
  resync: createResyncHandler({ ports, ...composed }),
  beginLogsAnew: createGivenUpHandler({
    appender: new ChangeLogAppender({ ...aws, tables: { log: logTable, versions } }),
    resources: storedResources,
    // All keys are queued afterwards, once for all resources.
    queueEveryKey: async () => {},
    log,
  }),
  log,
});
