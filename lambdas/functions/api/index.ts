import type { APIGatewayProxyEvent } from 'aws-lambda';
import { openCloud } from '../openCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { isWarmEvent, type WarmEvent } from '../WarmEvent.ts';
import { answerProxyEvent } from './answerProxyEvent.ts';
import { composeApi } from './composeApi.ts';
import { type LambdaStreaming, streamResponse } from './streamResponse.ts';

declare const awslambda: LambdaStreaming;

const cloud = openCloud();
const { fetch, tellAll, warm } = composeApi(readEnvironment('api', process.env), cloud);

/** Called by API Gateway for each request, whose answer it streams, and by the schedule that keeps it warm, which reads none. */
export const handler = awslambda.streamifyResponse<APIGatewayProxyEvent | WarmEvent>(async (event, stream) => {
  if (isWarmEvent(event)) {
    await warm();
    stream.end();
    await tellAll();
    return;
  }
  await streamResponse(awslambda, await answerProxyEvent(fetch, cloud.log, event), stream, cloud);
  await tellAll();
});
