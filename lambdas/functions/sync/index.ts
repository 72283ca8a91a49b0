import { Metrics } from '@aws-lambda-powertools/metrics';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { decodeQueueMessage } from '../../adapters/aws/queueMessage.ts';
import { composeCloudWithLocks } from '../composeCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { answerQueueEvent } from './answerQueueEvent.ts';
import { createSyncMetrics } from './createSyncMetrics.ts';
import { createSyncHandler } from './createSyncHandler.ts';
import { CLOUD_SYNC_CONFIG } from './SyncConfig.ts';

const { ports, controllers, log } = composeCloudWithLocks(readEnvironment('sync', process.env));
const sync = createSyncHandler({
  ports,
  controllers,
  config: CLOUD_SYNC_CONFIG,
  ...createSyncMetrics(new Metrics()),
  log,
});

/** The entry that the work queue's event source mapping calls. */
export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return answerQueueEvent({ sync, decode: decodeQueueMessage, log }, event);
}
