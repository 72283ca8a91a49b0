import { ChangeLogAppender } from '../../adapters/aws/log/ChangeLogAppender.ts';
import { CompletedRestores } from '../../adapters/aws/objects/CompletedRestores.ts';
import { KnownNamespaces } from '../../adapters/aws/objects/KnownNamespaces.ts';
import { readStreamBatch, type StreamsSender } from '../../adapters/aws/log/readStreamBatch.ts';
import { surveyObjects } from '../../adapters/aws/objects/surveyObjects.ts';
import { writeHeartbeat } from '../../adapters/aws/log/writeHeartbeat.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { composeCloudWithLocks } from '../composeCloud.ts';
import type { Cloud } from '../openCloud.ts';
import { LONGEST_UNREAD_MS } from '../limits.ts';
import { composeAuthority } from '../composeAuthority.ts';
import { type EnvironmentOf, NO_RESTORE } from '../readEnvironment.ts';
import { parseConfigText } from '../parseConfig.ts';
import { apiServerAddress } from '../../registry/services/ServiceNetwork.ts';
import { createGivenUpHandler } from '../record/createRecordHandler.ts';
import { requestResync } from '../requestResync.ts';
import { storedResources } from '../servedEntries.ts';
import { createResyncEventHandler } from './createResyncEventHandler.ts';
import { createResyncHandler } from './createResyncHandler.ts';
import { queueAllKeys } from './queueAllKeys.ts';

/** Always there, and nothing is left to do for it. */
const HEARTBEAT_KEY: WorkKey = { controller: 'namespace', namespace: '', name: 'default' };

/** Composes the handler of the schedules, and of the queue of records that were given up. */
export function composeResync(environment: EnvironmentOf<'resync'>, cloud: Cloud, streams: StreamsSender) {
  const { aws, log, ...composed } = composeCloudWithLocks(environment, cloud);
  const { objectsTable: objects, versionsTable: versions, namespacesTable: namespaces, logTable } = environment;
  const tables = { objects, versions, namespaces, log: logTable };
  const appender = new ChangeLogAppender({ ...aws, tables });
  const config = parseConfigText(environment.config);
  return createResyncEventHandler({
    ...composed,
    clock: aws.clock,
    nodeCount: Number(environment.nodes),
    apiServerIp: apiServerAddress(config.serviceNetwork),
    hasControllerRoles: Object.values(config.controllers).some(({ enabled }) => !enabled),
    hasSmokeTest: environment.smokeTest === 'true',
    limitsRequests: config.requestLimits !== undefined,
    authority: composeAuthority(environment, aws),
    resync: createResyncHandler({ ...composed, log, storeExpiresEvents: true }),
    queueAll: (request, mayGoOn) => queueAllKeys({ ...composed, log }, request, mayGoOn),
    startNewEpochs: createGivenUpHandler({
      appender,
      resources: storedResources,
      log,
    }),
    beat: async (onSilence) => {
      await writeHeartbeat({ calls: aws.calls, objectsTable: objects, longestSilenceMs: LONGEST_UNREAD_MS, onSilence });
      await composed.ports.workQueue.send([{ key: HEARTBEAT_KEY }]);
    },
    readBatch: (batch) => readStreamBatch(streams, batch),
    survey: (from, mayGoOn) => surveyObjects({ calls: aws.calls, tables }, from, mayGoOn),
    completedRestores: new CompletedRestores(aws.calls, namespaces),
    restoreId: environment.restoreId === NO_RESTORE ? undefined : environment.restoreId,
    surveyUse: () => new KnownNamespaces(aws.calls, tables).surveyUse(storedResources),
    settleLogs: async () => {
      for (const resource of storedResources) await appender.settle(resource);
    },
    send: (request) => requestResync(aws.sqs, environment.givenUpQueueUrl, request),
    log,
  });
}
