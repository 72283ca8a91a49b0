import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { DynamoDbKeyItems } from '../../adapters/aws/keys/DynamoDbKeyItems.ts';
import { decodeStreamRecord } from '../../adapters/aws/log/decodeStreamRecord.ts';
import { heartbeatTime } from '../../adapters/aws/log/heartbeatTime.ts';
import { composeCloud } from '../composeCloud.ts';
import type { Cloud } from '../openCloud.ts';
import { createLateHeartbeats } from '../createLateHeartbeats.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { answerStreamEvent } from './answerStreamEvent.ts';
import { createEnqueueHandler } from './createEnqueueHandler.ts';
import { KeyPacer } from './KeyPacer.ts';
import { leaveOutSeen } from './leaveOutSeen.ts';

/** Composes the handler of the objects' stream. */
export function composeEnqueue(environment: EnvironmentOf<'enqueue'>, cloud: Cloud) {
  const { aws, ports, controllers, log } = composeCloud(environment, cloud);
  const keyItems = new DynamoDbKeyItems({ ...aws, tableName: environment.keysTable });
  const enqueue = createEnqueueHandler({
    ...ports,
    controllers,
    log,
    pacer: new KeyPacer(ports.clock),
    unseen: (keys) => leaveOutSeen({ ...ports, keyItems }, keys),
  });
  const heartbeats = createLateHeartbeats(environment, cloud, heartbeatTime);
  return async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    await heartbeats.check(event.Records);
    return await answerStreamEvent({ enqueue, decode: decodeStreamRecord }, event);
  };
}
