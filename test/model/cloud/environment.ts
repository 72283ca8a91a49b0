import type { TableDefinition } from '../../../lambdas/adapters/aws/tables.ts';
import {
  KEY_ITEMS_TABLE,
  LOG_TABLE,
  NAMESPACES_TABLE,
  OBJECTS_TABLE,
  VERSIONS_TABLE,
} from '../../../lambdas/adapters/aws/tables.ts';
import { NO_AUDIT, NO_RESTORE, NO_TRACES, type Variable } from '../../../lambdas/functions/readEnvironment.ts';

/** The tables of the model, by their names. */
export const MODEL_TABLES: Readonly<Record<string, TableDefinition>> = {
  objects: OBJECTS_TABLE,
  versions: VERSIONS_TABLE,
  namespaces: NAMESPACES_TABLE,
  log: LOG_TABLE,
  keys: KEY_ITEMS_TABLE,
};

export const MODEL_QUEUES = { work: 'work', deadLetters: 'dead-letters', givenUp: 'given-up' } as const;

/** The environment of all functions of the model. */
export function modelEnvironment(
  nodes: number,
  config: object,
  traceSampleRate = NO_TRACES,
): Readonly<Record<Variable, string>> {
  return {
    clusterId: 'model',
    partition: 'aws',
    identities: '[]',
    config: JSON.stringify(config),
    nodes: String(nodes),
    smokeTest: 'false',
    kubelets: 'none',
    restoreId: NO_RESTORE,
    maxWatches: '1000',
    auditLogGroup: NO_AUDIT,
    auditPolicy: NO_AUDIT,
    listen: '0',
    directListen: '0',
    directName: 'none',
    traceSampleRate,
    stage: 'k8s',
    watchSeconds: JSON.stringify({ resumed: 60, unresumed: 600 }),
    objectsTable: 'objects',
    versionsTable: 'versions',
    namespacesTable: 'namespaces',
    logTable: 'log',
    keysTable: 'keys',
    workQueueUrl: MODEL_QUEUES.work,
    deadLetterQueueUrl: MODEL_QUEUES.deadLetters,
    givenUpQueueUrl: MODEL_QUEUES.givenUp,
  };
}
