import { Aws } from 'aws-cdk-lib';
import { FUNCTION_VARIABLES, VARIABLES, type Variable } from '../../lambdas/functions/readEnvironment.ts';
import type { FunctionName } from '../topology.ts';
import type { FunctionParts } from './createFunctions.ts';

/** The CloudWatch namespace of the custom metrics. Each has one dimension, `service`: the control plane's id. */
export const METRICS_NAMESPACE = 'Driftless';

/** The environment of one function: the variables that `readEnvironment.ts` lists for it, and the variables that Node and Powertools read. */
export function functionEnvironment(name: FunctionName, parts: FunctionParts): Record<string, string> {
  const values = variableValues(parts);
  const own = FUNCTION_VARIABLES[name].map((variable) => [VARIABLES[variable], values[variable]]);
  return {
    NODE_OPTIONS: '--enable-source-maps',
    POWERTOOLS_SERVICE_NAME: parts.clusterId,
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    ...Object.fromEntries(own),
  };
}

function variableValues({
  props,
  concurrency,
  clusterId,
  tables,
  queues,
}: FunctionParts): Readonly<Record<Variable, string>> {
  return {
    clusterId,
    partition: Aws.PARTITION,
    identities: JSON.stringify(props.identities),
    config: JSON.stringify(props.config),
    watchSeconds: JSON.stringify(props.watchSeconds),
    maxWatches: `${concurrency.maxWatches}`,
    nodes: `${props.nodes}`,
    objectsTable: tables.objects.tableName,
    versionsTable: tables.versions.tableName,
    namespacesTable: tables.namespaces.tableName,
    logTable: tables.log.tableName,
    keysTable: tables.keys.tableName,
    workQueueUrl: queues.work.queueUrl,
    deadLetterQueueUrl: queues.deadLetters.queueUrl,
    givenUpQueueUrl: queues.givenUp.queueUrl,
  };
}
