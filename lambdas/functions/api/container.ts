/** The API as one container: the same application as the function, in one process for all requests. All watches of a resource share one tail of its log. */
import { openCloud } from '../composeCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { composeApi } from './composeApi.ts';
import { endWatches } from './endWatches.ts';
import { openContainerServer } from './openContainerServer.ts';

const environment = readEnvironment('container', process.env);
const cloud = openCloud();
const stopping = new AbortController();
const server = await openContainerServer({
  fetch: endWatches(composeApi(environment, cloud), stopping.signal),
  clock: cloud.clock,
  listen: environment.listen,
  stage: environment.stage,
});
cloud.log({ level: 'info', msg: 'listening', address: server.address });

/** The service is updated or scaled down: watches end as if their time were over, and clients resume them at the next container. */
async function stop(): Promise<void> {
  stopping.abort();
  await server.close();
  process.exit(0);
}
process.once('SIGTERM', () => void stop());
