import type { APIGatewayProxyEvent } from 'aws-lambda';
import { openCloud } from '../openCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { answerProxyEvent } from './answerProxyEvent.ts';
import { composeApi } from './composeApi.ts';
import { type LambdaStreaming, streamResponse } from './streamResponse.ts';

declare const awslambda: LambdaStreaming;

const cloud = openCloud();
const { fetch, flushKeys } = composeApi(readEnvironment('api', process.env), cloud);

/** Called by API Gateway for each request. It streams the answer. */
export const handler = awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, stream) => {
  await streamResponse(awslambda, await answerProxyEvent(fetch, cloud.log, event), stream, cloud);
  await flushKeys();
});
