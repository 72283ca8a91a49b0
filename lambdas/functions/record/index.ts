import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { ChangeLogAppender } from '../../adapters/aws/ChangeLogAppender.ts';
import { decodeStreamRecord } from '../../adapters/aws/decodeStreamRecord.ts';
import { openCloud } from '../composeCloud.ts';
import { createLog } from '../createLog.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { storedResources } from '../servedEntries.ts';
import { createRecordHandler } from './createRecordHandler.ts';

const { logTable: log, versionsTable: versions, givenUpQueueUrl } = readEnvironment('record', process.env);
const aws = openCloud();
const record = createRecordHandler({
  decode: decodeStreamRecord,
  appender: new ChangeLogAppender({ ...aws, tables: { log, versions } }),
  resources: storedResources,
  queueEveryKey: (resource) => requestResync(`the log of ${resource} begins anew`),
  log: createLog(),
});

/** Asks `resync` to queue every key, by a message to the queue that also receives the notices of records that were given up. */
async function requestResync(because: string): Promise<void> {
  const MessageBody = JSON.stringify({ what: 'all', because });
  await aws.sqs.send(new SendMessageCommand({ QueueUrl: givenUpQueueUrl, MessageBody }));
}

/** Called with batches of the objects table's stream. */
export function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  return record(event);
}
