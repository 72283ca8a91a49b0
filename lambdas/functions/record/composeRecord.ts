import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { ChangeLogAppender } from '../../adapters/aws/ChangeLogAppender.ts';
import { decodeStreamRecord } from '../../adapters/aws/decodeStreamRecord.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Cloud } from '../composeCloud.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { storedResources } from '../servedEntries.ts';
import { createRecordHandler } from './createRecordHandler.ts';

/** Composes the handler of batches of the objects table's stream. */
export function composeRecord(
  { logTable: log, versionsTable: versions, givenUpQueueUrl }: EnvironmentOf<'record'>,
  cloud: Cloud,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  // Asks `resync` to queue the keys that changes of the resource can concern, by a message to the queue that also receives the notices of records that were given up.
  const requestResync = async (resource: GroupResource) => {
    const because = `the log of ${resource} begins anew`;
    const MessageBody = JSON.stringify({ what: 'all', lost: [resource], because });
    await cloud.sqs.send(new SendMessageCommand({ QueueUrl: givenUpQueueUrl, MessageBody }));
  };
  return createRecordHandler({
    decode: decodeStreamRecord,
    appender: new ChangeLogAppender({ ...cloud, tables: { log, versions } }),
    resources: storedResources,
    queueEveryKey: requestResync,
    log: cloud.log,
  });
}
