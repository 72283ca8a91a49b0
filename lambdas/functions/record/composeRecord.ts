import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { ChangeLogAppender } from '../../adapters/aws/log/ChangeLogAppender.ts';
import { decodeStreamRecord } from '../../adapters/aws/log/decodeStreamRecord.ts';
import { heartbeatTime } from '../../adapters/aws/log/heartbeatTime.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Cloud } from '../openCloud.ts';
import { createLateHeartbeats } from '../createLateHeartbeats.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { requestResync } from '../requestResync.ts';
import { storedResources } from '../servedEntries.ts';
import { createRecordHandler } from './createRecordHandler.ts';

/** Composes the handler of batches of the objects table's stream. */
export function composeRecord(
  environment: EnvironmentOf<'record'>,
  cloud: Cloud,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  const { logTable: log, versionsTable: versions, givenUpQueueUrl } = environment;
  const queueEveryKey = (resource: GroupResource) => {
    const because = `the log of ${resource} begins anew`;
    return requestResync(cloud.sqs, givenUpQueueUrl, { what: 'all', lost: [resource] }, because);
  };
  const record = createRecordHandler({
    decode: decodeStreamRecord,
    appender: new ChangeLogAppender({ ...cloud, tables: { log, versions } }),
    resources: storedResources,
    queueEveryKey,
    log: cloud.log,
  });
  const heartbeats = createLateHeartbeats(environment, cloud, heartbeatTime);
  return async (event) => {
    await heartbeats.check(event.Records);
    return await record(event);
  };
}
