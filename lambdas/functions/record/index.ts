import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { askForResync } from '../../adapters/aws/askForResync.ts';
import { ChangeLogAppender } from '../../adapters/aws/ChangeLogAppender.ts';
import { decodeStreamRecord } from '../../adapters/aws/decodeStreamRecord.ts';
import { openCloud } from '../composeCloud.ts';
import { createLog } from '../createLog.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { storedResources } from '../servedEntries.ts';
import { createRecordHandler } from './createRecordHandler.ts';

const { logTable: logs, versionsTable: versions, givenUpQueueUrl } = readEnvironment('record', process.env);
const aws = openCloud();
const record = createRecordHandler({
  decode: decodeStreamRecord,
  appender: new ChangeLogAppender({ ...aws, tables: { log: logs, versions } }),
  resources: storedResources,
  queueEveryKey: (resource) => askForResync(aws.sqs, givenUpQueueUrl, `the log of ${resource} begins anew`),
  log: createLog(),
});

/** What the objects' stream calls. */
export function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  return record(event);
}
