import { DynamoDbSigningKeys } from '../../../lambdas/adapters/aws/DynamoDbSigningKeys.ts';
import { composeAuthenticator } from '../../../lambdas/functions/authorize/composeAuthenticator.ts';
import type { Cloud } from '../../../lambdas/functions/openCloud.ts';
import { isWarmEvent } from '../../../lambdas/functions/WarmEvent.ts';
import type { EnvironmentOf } from '../../../lambdas/functions/readEnvironment.ts';
import { sleep } from '../../../lambdas/ports/Clock.ts';
import { createRbacAuthorizer } from '../../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import type { ApiStore } from './CloudModel.ts';
import type { Process } from './Process.ts';

/** What the API computes to warm itself: 8 ms of a processor here (`warmApi.test.ts` runs it), of which 512 MB have 29 %. */
const API_COMPUTE_MS = 28;

/** The reads of `warmApi`, without HTTP: digests and streams of answers take real time, which the model does not have. `warmApi.test.ts` compares the two. */
export async function warmStore({ registry, changeLog, clock }: ApiStore): Promise<void> {
  await sleep(clock, API_COMPUTE_MS);
  await createRbacAuthorizer(registry).rulesFor({ username: 'system:warm', groups: ['system:authenticated'] }, '');
  await registry.list('deployments.apps', { namespace: 'default', limit: 1 });
  await changeLog.head('deployments.apps');
}

/** The authorizer, whose callers all come with tokens of IAM: it asks STS, which takes as long as a call of another service, or warms itself as in AWS. */
export function modelAuthorizer(
  environment: EnvironmentOf<'authorize'>,
  cloud: Cloud,
): (event: object) => Promise<void> {
  const keys = new DynamoDbSigningKeys({ ...cloud, tableName: environment.versionsTable });
  const askSts = () => (cloud.clock as Process).call('sts', async () => new Response(null, { status: 403 }));
  const parts = { ...cloud, openSigningKeys: async () => keys, fetchFrom: askSts };
  const { warm } = composeAuthenticator(environment, parts);
  return async (event) => void (isWarmEvent(event) ? await warm('us-east-1') : await askSts());
}
