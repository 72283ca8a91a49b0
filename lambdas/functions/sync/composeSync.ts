import type { Metrics } from '@aws-lambda-powertools/metrics';
import { DeleteMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { EarlyLog } from '../../adapters/aws/log/EarlyLog.ts';
import { decodeQueueMessage } from '../../adapters/aws/queue/queueMessage.ts';
import { MOST_RECEIVED, receiveMessages } from '../../adapters/aws/queue/receiveMessages.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';
import { composeTracing } from '../composeTracing.ts';
import { composeCloudWithLocks } from '../composeCloud.ts';
import { type DirectKeys, openDirectKeys } from '../direct/DirectKeys.ts';
import { EarlyAppends } from '../direct/EarlyAppends.ts';
import type { Cloud } from '../openCloud.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { answerQueueEvent } from './answerQueueEvent.ts';
import { createSyncMetrics } from './createSyncMetrics.ts';
import { createSyncs } from './createSyncs.ts';
import type { FollowUps } from './FollowUps.ts';
import { CLOUD_SYNC_CONFIG } from './SyncConfig.ts';

/** Composes the handler of the work queue's event source mapping. */
export function composeSync(
  environment: EnvironmentOf<'sync'>,
  cloud: Cloud,
  metrics: Pick<Metrics, 'singleMetric'>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const direct: { keys?: DirectKeys } = {};
  const tables = { log: environment.logTable, versions: environment.versionsTable };
  const earlyLog = new EarlyLog({ ...cloud, tables });
  const early = new EarlyAppends({ log: earlyLog, clock: cloud.clock, report: cloud.log });
  const tracing = composeTracing(environment, cloud);
  const onChange: Parameters<typeof composeCloudWithLocks>[2] = (resource, change) => {
    early.note(resource, change);
    if (controllers.some(({ watches }) => watches.includes(resource))) direct.keys?.note(change);
  };
  const { ports, controllers, log } = composeCloudWithLocks(environment, cloud, onChange, tracing);
  const config = CLOUD_SYNC_CONFIG;
  const followUpQueue = cloud.seams?.followUpQueue?.(ports.workQueue);
  const syncs = { ports, controllers, config, ...createSyncMetrics(metrics), log, tracing };
  const { sync, followUps } = createSyncs(syncs, followUpQueue);
  const keys = (direct.keys = openDirectKeys({ ...ports, workQueue: followUps, controllers, log }));
  const remove = async (messages: readonly ReceivedMessage[]) => {
    const Entries = messages.map(({ receipt }, at) => ({ Id: `${at}`, ReceiptHandle: receipt }));
    await cloud.sqs.send(new DeleteMessageBatchCommand({ QueueUrl: environment.workQueueUrl, Entries }));
  };
  const receive = () => receiveMessages(cloud.sqs, environment.workQueueUrl);
  const fullBatch = cloud.seams?.fullBatch ?? MOST_RECEIVED;
  const dependencies = { ...ports, sync, decode: decodeQueueMessage, receive, remove, fullBatch, log };
  return async (event) => {
    const isBusy = event.Records.length >= fullBatch;
    followUps.begin();
    keys.begin(isBusy);
    early.begin(isBusy);
    const answer = await answerQueueEvent(dependencies, event);
    await allEnded(followUps, keys);
    await early.flush();
    await tracing?.flush();
    return answer;
  };
}

/** Resolves when no follow-up is under way. What they change has follow-ups, too. */
async function allEnded(followUps: FollowUps, keys: DirectKeys): Promise<void> {
  await keys.flush();
  while (followUps.areUnderWay) {
    await followUps.ended();
    await keys.flush();
  }
}
