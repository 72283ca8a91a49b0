import { DynamoDbKeyLocks } from '../../adapters/aws/keys/DynamoDbKeyLocks.ts';
import { createExplainer, type ExplainerParts } from '../explain/createExplainer.ts';
import { serveExplain } from '../explain/serveExplain.ts';
import type { Cloud } from '../openCloud.ts';
import type { EnvironmentOf } from '../readEnvironment.ts';
import { CLOUD_CLOCKS_DIFFER_MS } from '../limits.ts';
import type { ApiHandler } from './createApiHandler.ts';

/** Has the API answer with explanations, too: what the objects and the key's item say. SQS shows no single key, and the syncs of other processes are in their log. */
export function composeExplain(
  { keysTable: tableName }: Pick<EnvironmentOf<'api'>, 'keysTable'>,
  cloud: Cloud,
  { registry, catalog }: Pick<ExplainerParts, 'registry' | 'catalog'>,
  api: ApiHandler,
): ApiHandler {
  const keyLocks = new DynamoDbKeyLocks({ ...cloud, tableName });
  const ports = { clock: cloud.clock, workClock: cloud.clock, keyLocks };
  const explain = createExplainer({ ports, registry, catalog, clocksDifferMs: CLOUD_CLOCKS_DIFFER_MS });
  return serveExplain(api, explain);
}
