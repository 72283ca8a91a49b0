import { ChangeLogAppender } from '../../adapters/aws/ChangeLogAppender.ts';
import { composeCloudWithLocks } from '../composeCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { createGivenUpHandler } from '../record/createRecordHandler.ts';
import { storedResources } from '../servedEntries.ts';
import { createResyncEventHandler } from './createResyncEventHandler.ts';
import { createResyncHandler } from './createResyncHandler.ts';

const environment = readEnvironment('resync', process.env);
const { aws, log, ...composed } = composeCloudWithLocks(environment);

/** Called by the schedules, and by the queue of records that were given up. */
export const handler = createResyncEventHandler({
  ...composed,
  clock: aws.clock,
  nodeCount: Number(environment.nodes),
  resync: createResyncHandler(composed),
  startNewEpochs: createGivenUpHandler({
    appender: new ChangeLogAppender({
      ...aws,
      tables: { log: environment.logTable, versions: environment.versionsTable },
    }),
    resources: storedResources,
    // The handler queues all keys once afterwards, for all resources.
    queueEveryKey: async () => {},
    log,
  }),
  log,
});
