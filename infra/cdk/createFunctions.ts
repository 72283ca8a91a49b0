import { type CfnResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  ApplicationLogLevel,
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  RuntimeFamily,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { type CfnLogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName, type FunctionSpec } from '../topology.ts';
import { bundledCode } from './bundledCode.ts';
import { bundleFunction, functionEntry } from './bundleFunction.ts';
import { createRole } from './createRole.ts';
import { allowToKubelets } from './createNetwork.ts';
import { functionEnvironment } from './functionEnvironment.ts';
import type { FunctionParts } from './FunctionParts.ts';

/** `api` is absent if the API is a container. */
export type Functions = Readonly<Record<Exclude<FunctionName, 'api'>, LambdaFunction>> & {
  readonly api?: LambdaFunction;
};

/** Creates the functions of the topology, each with its own role, log group and environment. createTriggers adds their triggers. */
export function createFunctions(scope: Construct, parts: FunctionParts): Functions {
  const specs = Object.values(FUNCTIONS).filter(({ name }) => name !== 'api' || parts.props.api === 'function');
  const functions = specs.map((spec) => [spec.name, createFunction(scope, spec, parts)]);
  return Object.fromEntries(functions) as Functions;
}

function createFunction(scope: Construct, spec: FunctionSpec, parts: FunctionParts): LambdaFunction {
  const { props, concurrency, encryptionKey } = parts;
  const id = logicalName(spec.name);
  const logGroup = createLogGroup(scope, `${id}Log`, parts);
  const reserved = concurrency.reserved[spec.name];
  const created = new LambdaFunction(scope, id, {
    description: DESCRIPTIONS[spec.name],
    runtime: new Runtime(props.runtime, RuntimeFamily.NODEJS),
    architecture: Architecture.ARM_64,
    code: bundledCode(functionEntry(spec.name), (directory) => bundleFunction(spec.name, directory, props.runtime)),
    handler: 'index.handler',
    memorySize: props.memoryMb[spec.name],
    timeout: Duration.millis(spec.timeoutMs),
    ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    environment: functionEnvironment(spec.name, parts),
    ...(encryptionKey && { environmentEncryption: encryptionKey }),
    role: createRole(scope, `${id}Role`, spec, { ...parts, logGroup }).withoutPolicyUpdates(),
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    applicationLogLevelV2: ApplicationLogLevel[props.logLevel],
    // Lambda's report of each successful invocation would be most of the bill for logs.
    systemLogLevelV2: props.logLevel === 'DEBUG' ? SystemLogLevel.DEBUG : SystemLogLevel.WARN,
    tracing: props.tracing === true ? Tracing.ACTIVE : Tracing.DISABLED,
    // A rollout is a chain of syncs, changes and keys. Lambda would take it for a runaway loop and cut it after 16 hops.
    ...(spec.name === 'api' && networkOptions(scope, parts)),
    recursiveLoop: isInLoop(spec) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
  });
  (created.node.defaultChild as CfnResource).overrideLogicalId(id);
  return created;
}

/** A function in a public subnet has no public address: it reaches what is in its network, and DynamoDB by the network's endpoint. */
function networkOptions(scope: Construct, { network }: FunctionParts) {
  if (!network) return {};
  const { vpc, subnets } = network;
  const group = new SecurityGroup(scope, 'ApiFunctionGroup', {
    vpc,
    description: 'The function of the Kubernetes API',
  });
  allowToKubelets(network, group);
  return { vpc, vpcSubnets: { subnets: [...subnets] }, securityGroups: [group], allowPublicSubnet: true };
}

/** What each function does, for the console and for `docs/permissions.md`. */
export const DESCRIPTIONS: Readonly<Record<FunctionName, string>> = {
  api: 'Answers requests and watches of the Kubernetes API',
  authorize: 'Identifies the caller of a request',
  record: 'Appends changes of objects to the change log',
  enqueue: 'Turns changes of objects into keys and queues them',
  sync: 'Reconciles one key at a time',
  resync: 'Queues overdue keys, and every key once a period',
};

/** The function's logical id in the template: `api` → `ApiFunction`. */
export function logicalName(name: FunctionName): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Function`;
}

function isInLoop({ trigger }: FunctionSpec): boolean {
  return trigger.from !== 'http' && trigger.from !== 'authorizer';
}

/** Creates a log group with the stack's retention and key; it is deleted with the stack. */
export function createLogGroup(
  scope: Construct,
  id: string,
  { props, encryptionKey }: Pick<FunctionParts, 'props' | 'encryptionKey'>,
): LogGroup {
  const group = new LogGroup(scope, id, {
    removalPolicy: RemovalPolicy.DESTROY,
    ...(encryptionKey && { encryptionKey }),
  });
  (group.node.defaultChild as CfnLogGroup).retentionInDays = props.logRetentionDays;
  return group;
}
