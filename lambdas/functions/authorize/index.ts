import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { SystemClock } from '../../adapters/clocks/SystemClock.ts';
import { SystemIds } from '../../adapters/ids/SystemIds.ts';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import { createLog } from '../createLog.ts';
import { logSetupProblems } from '../logSetupProblems.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { isWarmEvent, type WarmEvent } from '../WarmEvent.ts';
import { answerAuthorizerEvent } from './answerAuthorizerEvent.ts';
import { composeAuthenticator } from './composeAuthenticator.ts';

const environment = readEnvironment('authorize', process.env);
const log = createLog();
const clock = new SystemClock();
const { authenticate, warm } = composeAuthenticator(environment, { clock, log, openSigningKeys });

/** The client of DynamoDB is loaded with it. */
async function openSigningKeys(): Promise<SigningKeys> {
  const { openAws } = await import('../../adapters/aws/openAws.ts');
  const { DynamoDbSigningKeys } = await import('../../adapters/aws/DynamoDbSigningKeys.ts');
  const aws = openAws({ clock, ids: new SystemIds(), onSetupProblem: logSetupProblems(log, clock) });
  return new DynamoDbSigningKeys({ ...aws, tableName: environment.versionsTable });
}

/** Called by API Gateway as the API's REQUEST authorizer, and by the schedule that keeps it warm, which gets no answer. */
export async function handler(
  event: APIGatewayRequestAuthorizerEvent | WarmEvent,
): Promise<APIGatewayAuthorizerResult | undefined> {
  if (!isWarmEvent(event)) return await answerAuthorizerEvent(authenticate, event);
  await warm(process.env['AWS_REGION'] ?? '');
  return undefined;
}
