import { Aws } from 'aws-cdk-lib';
import {
  ANY_NUMBER,
  FUNCTION_VARIABLES,
  type Kubelets,
  NO_AUDIT,
  NO_NAME,
  NO_RESTORE,
  NO_TRACES,
  VARIABLES,
  type Variable,
} from '../../lambdas/functions/readEnvironment.ts';
import { CONTAINER_PORT, DIRECT_PORT, type FunctionName, STAGE_NAME } from '../topology.ts';
import type { FunctionParts } from './FunctionParts.ts';
import { restoreIdOf } from './restoreIdOf.ts';

/** The CloudWatch namespace of the custom metrics. Each has one dimension, `service`: the control plane's id. */
export const METRICS_NAMESPACE = 'Driftless';

/** The environment of one function: the variables that `readEnvironment.ts` lists for it, and the variables that Node and Powertools read. */
export function functionEnvironment(name: FunctionName, parts: FunctionParts): Record<string, string> {
  const own = variablesOf(name, parts);
  return {
    NODE_OPTIONS: '--enable-source-maps',
    POWERTOOLS_SERVICE_NAME: parts.clusterId,
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    ...own,
  };
}

/** The environment of the API's container. It holds any number of watches, since they share its process. */
export function containerEnvironment(parts: FunctionParts): Record<string, string> {
  return {
    POWERTOOLS_SERVICE_NAME: parts.clusterId,
    POWERTOOLS_LOG_LEVEL: parts.props.logLevel,
    AWS_REGION: Aws.REGION,
    ...variablesOf('container', parts),
    [VARIABLES.maxWatches]: ANY_NUMBER,
  };
}

function variablesOf(name: keyof typeof FUNCTION_VARIABLES, parts: FunctionParts): Record<string, string> {
  const values = variableValues(parts);
  const variables: readonly Variable[] = FUNCTION_VARIABLES[name];
  return Object.fromEntries(variables.map((variable) => [VARIABLES[variable], values[variable]]));
}

function kubeletsOf(nodesJoin: boolean, isInNetwork: boolean): Kubelets {
  if (!nodesJoin) return 'none';
  return isInNetwork ? 'reach' : 'join';
}

function variableValues({
  props,
  concurrency,
  clusterId,
  tables,
  queues,
  network,
  audit,
  directName,
}: FunctionParts): Readonly<Record<Variable, string>> {
  return {
    clusterId,
    partition: Aws.PARTITION,
    identities: JSON.stringify(props.identities),
    config: JSON.stringify(props.config),
    watchSeconds: JSON.stringify(props.watchSeconds),
    maxWatches: `${concurrency.maxWatches}`,
    auditLogGroup: audit?.logGroup.logGroupName ?? NO_AUDIT,
    auditPolicy: audit?.policy ?? NO_AUDIT,
    listen: `${CONTAINER_PORT}`,
    directListen: `${DIRECT_PORT}`,
    directName: directName ?? NO_NAME,
    traceSampleRate: typeof props.tracing === 'object' ? `${props.tracing.sampleRate}` : NO_TRACES,
    stage: STAGE_NAME,
    nodes: `${props.nodes}`,
    smokeTest: `${props.smokeTest}`,
    kubelets: kubeletsOf(props.nodesJoin, network !== undefined),
    restoreId: restoreIdOf(props) ?? NO_RESTORE,
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
