import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { SystemClock } from '../../adapters/clocks/SystemClock.ts';
import { createLog } from '../createLog.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { answerAuthorizerEvent } from './answerAuthorizerEvent.ts';
import { askSts } from './askSts.ts';
import { createAuthenticator } from './createAuthenticator.ts';
import { parseIdentities } from './mapCaller.ts';

const { clusterId, partition, identities } = readEnvironment('authorize', process.env);
const log = createLog();
const authenticate = createAuthenticator({
  clock: new SystemClock(),
  partition,
  mappings: parseIdentities(identities),
  ask: (url) => askSts(url, clusterId),
  onRefused: (why) => log({ level: 'info', msg: 'refused', why }),
});

/** Called by API Gateway as the API's REQUEST authorizer. */
export function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  return answerAuthorizerEvent(authenticate, event);
}
