import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type OnSetupProblem, reportSetupProblems } from '../reportSetupProblems.ts';

/** A request that is not answered is repeated, by the SDK, well before the function's time is over. */
const REQUEST_HANDLER = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };

/** Creates a client of DynamoDB's streams, as `openAws` creates the others. Only `resync` needs one. It connects when it is first used. */
export function openStreams(onSetupProblem: OnSetupProblem): DynamoDBStreamsClient {
  const streams = new DynamoDBStreamsClient({ requestHandler: REQUEST_HANDLER });
  streams.middlewareStack.add(reportSetupProblems(onSetupProblem), { step: 'initialize' });
  return streams;
}
