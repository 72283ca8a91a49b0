import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { namesInstances } from '../../lambdas/functions/authorize/mapCaller.ts';
import type { FunctionName, FunctionSpec } from '../topology.ts';
import type { FunctionParts } from './FunctionParts.ts';
import type { QueueName } from './createQueues.ts';
import { JOIN_PERMISSIONS, PERMISSIONS, type Permissions } from './permissions.ts';
import { TABLES } from './createTables.ts';
import type { TableName } from './TableName.ts';

/** By these Lambda gives a function an address in a network. EC2 describes all network interfaces or none, and a new one has no name yet. */
const NETWORK_ACTIONS = [
  'CreateNetworkInterface',
  'DescribeNetworkInterfaces',
  'DescribeSubnets',
  'DeleteNetworkInterface',
  'AssignPrivateIpAddresses',
  'UnassignPrivateIpAddresses',
];

interface RoleParts extends FunctionParts {
  readonly logGroup: LogGroup;
}

/** Creates a role that allows what `permissions.ts` lists for the function, what its trigger needs, and writing its own log, and nothing else. */
export function createRole(scope: Construct, id: string, spec: FunctionSpec, parts: RoleParts): Role {
  const statements = [
    allow('logs', ['CreateLogStream', 'PutLogEvents'], [parts.logGroup.logGroupArn]),
    ...tableStatements(PERMISSIONS[spec.name], parts),
    ...(parts.props.nodesJoin ? tableStatements(JOIN_PERMISSIONS[spec.name], parts) : []),
    ...(spec.name === 'api' && parts.network ? [allow('ec2', NETWORK_ACTIONS, ['*'])] : []),
    ...queueStatements(spec.name, parts),
    ...streamStatements(spec.name, parts),
    ...triggerStatements(spec, parts),
    ...instanceStatements(spec.name, parts),
    ...(spec.name === 'api' ? auditStatements(parts) : []),
    ...(parts.props.tracing ? [allow('xray', ['PutTraceSegments', 'PutTelemetryRecords'], ['*'])] : []),
  ];
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Own: new PolicyDocument({ statements }) },
  });
}

/** Creates the role of the API's container: what `permissions.ts` lists for `api`, what the authorizer may ask if the container identifies callers itself, and nothing else. Fargate itself pulls the image and writes the log. */
export function createTaskRole(scope: Construct, id: string, parts: FunctionParts): Role {
  const statements = [
    ...tableStatements(PERMISSIONS.api, parts),
    ...queueStatements('api', parts),
    ...auditStatements(parts),
    ...(parts.props.directAddress ? instanceStatements('authorize', parts) : []),
  ];
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
    inlinePolicies: { Own: new PolicyDocument({ statements }) },
  });
}

/** In IAM, an index is a resource of its own; it can only be queried. */
function tableStatements(permissions: Permissions | undefined, { tables }: FunctionParts): PolicyStatement[] {
  return Object.entries(permissions?.tables ?? {}).flatMap(([table, actions]) => {
    const { tableArn } = tables[table as TableName];
    const { indexes = [], globalIndexes = [] } = TABLES[table as TableName];
    const indexArns = [...indexes, ...globalIndexes].map((index) => `${tableArn}/index/${index.name}`);
    const isQueried = actions.includes('Query') && indexArns.length > 0;
    return [allow('dynamodb', actions, [tableArn]), ...(isQueried ? [allow('dynamodb', ['Query'], indexArns)] : [])];
  });
}

function queueStatements(name: FunctionName, { queues }: FunctionParts): PolicyStatement[] {
  return Object.entries(PERMISSIONS[name].queues).map(([queue, actions]) =>
    allow('sqs', actions, [queues[queue as QueueName].queueArn]),
  );
}

function streamStatements(name: FunctionName, { tables }: RoleParts): PolicyStatement[] {
  const { stream } = PERMISSIONS[name];
  return stream ? [allow('dynamodb', stream, [tables.objects.tableStreamArn ?? ''])] : [];
}

/** What Lambda needs to read the function's event source with the function's role. */
function triggerStatements({ name, trigger }: FunctionSpec, { tables, queues }: RoleParts): PolicyStatement[] {
  const receive = (queue: QueueName) =>
    allow('sqs', ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'], [queues[queue].queueArn]);
  switch (trigger.from) {
    case 'stream':
      return [
        allow('dynamodb', ['DescribeStream', 'GetRecords', 'GetShardIterator'], [tables.objects.tableStreamArn ?? '']),
        // IAM cannot restrict this action to one table.
        allow('dynamodb', ['ListStreams'], ['*']),
        // Lambda sends a notice of each batch that it gives up.
        allow('sqs', ['SendMessage'], [queues.givenUp.queueArn]),
      ];
    case 'workQueue':
      return [receive('work')];
    case 'schedule':
      return [receive('givenUp')];
    case 'http':
    case 'authorizer':
      return [];
    default:
      throw new Error(`${name} has an unknown trigger`, { cause: trigger satisfies never });
  }
}

/** Each process writes a stream of its own into the audit log. */
function auditStatements({ audit }: FunctionParts): PolicyStatement[] {
  return audit ? [allow('logs', ['CreateLogStream', 'PutLogEvents'], [audit.logGroup.logGroupArn])] : [];
}

/** Only identities that are named after instances make the authorizer ask EC2. IAM cannot restrict this action to some instances. */
function instanceStatements(name: FunctionName, { props }: FunctionParts): PolicyStatement[] {
  const asks = name === 'authorize' && props.identities.some(namesInstances);
  return asks ? [allow('ec2', ['DescribeInstances'], ['*'])] : [];
}

function allow(service: string, actions: readonly string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources });
}
