/** The API as one container: the same application as the function, in one process for all requests. All watches of a resource share one tail of its log. */
import { openCloud } from '../openCloud.ts';
import { NO_NAME, readEnvironment } from '../readEnvironment.ts';
import { composeApi } from './composeApi.ts';
import { endWatches } from './endWatches.ts';
import { openContainerServer } from './openContainerServer.ts';

const environment = readEnvironment('container', process.env);
const cloud = openCloud();
const stopping = new AbortController();
const api = composeApi(environment, cloud);
const fetch = endWatches(api.fetch, stopping.signal);
const direct = environment.directName === NO_NAME ? undefined : await openDirect();
const server = await openContainerServer({
  fetch,
  clock: cloud.clock,
  listen: environment.listen,
  stage: environment.stage,
});
cloud.log({ level: 'info', msg: 'listening', address: server.address, ...(direct && { direct: direct.address }) });

/** What a container needs to be called without API Gateway is loaded only for that. */
async function openDirect() {
  const { composeDirectServer } = await import('./composeDirectServer.ts');
  return await composeDirectServer(environment, cloud, fetch);
}

/** The service is updated or scaled down: watches end as if their time were over, and clients resume them at the next container. */
async function stop(): Promise<void> {
  stopping.abort();
  await Promise.all([server.close(), direct?.close()]);
  await api.tellAll();
  process.exit(0);
}
process.once('SIGTERM', () => void stop());
