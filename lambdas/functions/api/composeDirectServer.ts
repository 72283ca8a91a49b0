import { DynamoDbSigningKeys } from '../../adapters/aws/DynamoDbSigningKeys.ts';
import { composeAuthenticator } from '../authorize/composeAuthenticator.ts';
import { composeAuthority } from '../composeAuthority.ts';
import type { Cloud } from '../openCloud.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import type { ApiHandler } from './createApiHandler.ts';
import type { ContainerServer } from './openContainerServer.ts';
import { openDirectServer } from './openDirectServer.ts';
import { rememberCallers } from './rememberCallers.ts';

/** Opens the server for clients that do not come through API Gateway, with a certificate of the cluster's authority for `directName`. Throws if the cluster has no authority. */
export async function composeDirectServer(
  environment: EnvironmentOf<'container'>,
  cloud: Cloud,
  fetch: ApiHandler,
): Promise<ContainerServer> {
  const authority = composeAuthority(environment, cloud);
  if (!authority) throw new Error('a server of HTTPS needs an authority');
  const signingKeys = new DynamoDbSigningKeys({ ...cloud, tableName: environment.versionsTable });
  const { clock, log } = cloud;
  const { authenticate } = composeAuthenticator(environment, { clock, log, openSigningKeys: async () => signingKeys });
  return await openDirectServer({
    fetch,
    authenticate: rememberCallers(authenticate, clock),
    clock,
    listen: environment.directListen,
    stage: environment.stage,
    ...(await authority.issueServing({ dnsNames: [environment.directName], ipAddresses: [] })),
    logError: (message, cause) => log({ level: 'error', msg: message, error: cause }),
  });
}
