import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { SystemClock } from '../../adapters/clocks/SystemClock.ts';
import { SystemIds } from '../../adapters/ids/SystemIds.ts';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import { ServiceAccountTokens } from '../../rest/authentication/ServiceAccountTokens.ts';
import { createLog } from '../createLog.ts';
import { logSetupProblems } from '../logSetupProblems.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { answerAuthorizerEvent } from './answerAuthorizerEvent.ts';
import { askSts } from './askSts.ts';
import { createAuthenticator } from './createAuthenticator.ts';
import { parseIdentities } from './mapCaller.ts';

const { clusterId, partition, identities, versionsTable } = readEnvironment('authorize', process.env);
const log = createLog();
const clock = new SystemClock();
const tokens = new ServiceAccountTokens({ clock, signingKeys: onFirstUse(openSigningKeys) });
const authenticate = createAuthenticator({
  clock,
  partition,
  mappings: parseIdentities(identities),
  ask: (url) => askSts(url, clusterId),
  verify: (token) => tokens.verify(token),
  onRefused: (why) => log({ level: 'info', msg: 'refused', why }),
});

/** The client of DynamoDB is loaded when the first token of a service account comes: most callers are identities of IAM. */
async function openSigningKeys(): Promise<SigningKeys> {
  const { openAws } = await import('../../adapters/aws/openAws.ts');
  const { DynamoDbSigningKeys } = await import('../../adapters/aws/DynamoDbSigningKeys.ts');
  const aws = openAws({ clock, ids: new SystemIds(), onSetupProblem: logSetupProblems(log, clock) });
  return new DynamoDbSigningKeys({ ...aws, tableName: versionsTable });
}

function onFirstUse(open: () => Promise<SigningKeys>): SigningKeys {
  let opened: Promise<SigningKeys> | undefined;
  const keys = () => (opened ??= open());
  return { read: async () => (await keys()).read(), keep: async (made) => (await keys()).keep(made) };
}

/** Called by API Gateway as the API's REQUEST authorizer. */
export function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  return answerAuthorizerEvent(authenticate, event);
}
