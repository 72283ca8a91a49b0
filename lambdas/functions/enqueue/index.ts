import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { decodeStreamRecord } from '../../adapters/aws/decodeStreamRecord.ts';
import { composeCloud } from '../composeCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { answerStreamEvent } from './answerStreamEvent.ts';
import { createEnqueueHandler } from './createEnqueueHandler.ts';

const { ports, controllers, log } = composeCloud(readEnvironment('enqueue', process.env));
const enqueue = createEnqueueHandler({ ...ports, controllers, log });

/** What the objects' stream calls. */
export function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  return answerStreamEvent({ enqueue, decode: decodeStreamRecord }, event);
}
