import { ChangeLogAppender } from '../../adapters/aws/ChangeLogAppender.ts';
import { type Cloud, composeCloudWithLocks } from '../composeCloud.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { createGivenUpHandler } from '../record/createRecordHandler.ts';
import { storedResources } from '../servedEntries.ts';
import { createResyncEventHandler } from './createResyncEventHandler.ts';
import { createResyncHandler } from './createResyncHandler.ts';

/** Composes the handler of the schedules, and of the queue of records that were given up. */
export function composeResync(environment: EnvironmentOf<'resync'>, cloud: Cloud) {
  const { aws, log, ...composed } = composeCloudWithLocks(environment, cloud);
  return createResyncEventHandler({
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
}
