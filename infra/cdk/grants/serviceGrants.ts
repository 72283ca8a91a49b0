import type { FunctionSpec } from '../../topology.ts';
import type { Grant } from './Grant.ts';

const CREATE_FUNCTIONS = 'infra/cdk/createFunctions.ts';
const CREATE_TRIGGERS = 'infra/cdk/createTriggers.ts';

/** Lambda writes what a function prints, and its own reports, with the function's role. */
export const WRITE_LOG: Grant = {
  actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  on: 'ownLog',
  caller: `${CREATE_FUNCTIONS}#createLogGroup`,
  service: 'Lambda',
  why: 'Writes the log. The group exists, so nothing may create one.',
};

const WRITE_TRACES: Grant = {
  actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  on: 'everything',
  caller: `${CREATE_FUNCTIONS}#createFunction`,
  service: 'Lambda',
  why: 'Writes traces.',
  whyEverything: 'X-Ray has no resource for traces, so IAM cannot limit these actions.',
  when: 'tracing',
};

const JOIN_NETWORK: Grant = {
  actions: [
    'ec2:CreateNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:DeleteNetworkInterface',
    'ec2:AssignPrivateIpAddresses',
    'ec2:UnassignPrivateIpAddresses',
  ],
  on: 'everything',
  caller: `${CREATE_FUNCTIONS}#networkOptions`,
  service: 'Lambda',
  why: 'Gives the function an address in the network of the kubelets.',
  whyEverything: 'EC2 describes all network interfaces or none, and a new one has no name yet.',
  when: 'isInNetwork',
};

const READ_STREAM: readonly Grant[] = [
  {
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    on: 'objectStream',
    caller: `${CREATE_TRIGGERS}#mapStream`,
    service: 'Lambda',
    why: 'Reads the changes of objects that it hands to the function.',
  },
  {
    actions: ['dynamodb:ListStreams'],
    on: 'everything',
    caller: `${CREATE_TRIGGERS}#mapStream`,
    service: 'Lambda',
    why: 'Looks for the stream.',
    whyEverything:
      'IAM cannot limit this action to one table. It tells the names of streams, and nothing of what is in them.',
  },
  {
    actions: ['sqs:SendMessage'],
    on: 'givenUpQueue',
    caller: `${CREATE_TRIGGERS}#mapStream`,
    service: 'Lambda',
    why: 'Sends a notice of each batch that it gives up.',
  },
];

function receiveFrom(on: 'workQueue' | 'givenUpQueue', trigger: 'mapWorkQueue' | 'schedule'): Grant {
  return {
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    on,
    caller: `${CREATE_TRIGGERS}#${trigger}`,
    service: 'Lambda',
    why: 'Receives the messages that it hands to the function, and deletes those that are done.',
  };
}

/** Returns what Lambda does with the function's role: it writes the log and traces, reads the trigger, and gives the function an address. */
export function serviceGrants({ name, trigger }: FunctionSpec): readonly Grant[] {
  return [WRITE_LOG, ...triggerGrants({ name, trigger }), ...(name === 'api' ? [JOIN_NETWORK] : []), WRITE_TRACES];
}

function triggerGrants({ name, trigger }: Pick<FunctionSpec, 'name' | 'trigger'>): readonly Grant[] {
  switch (trigger.from) {
    case 'stream':
      return READ_STREAM;
    case 'workQueue':
      return [receiveFrom('workQueue', 'mapWorkQueue')];
    case 'schedule':
      return [receiveFrom('givenUpQueue', 'schedule')];
    case 'http':
    case 'authorizer':
      return [];
    default:
      throw new Error(`${name} has an unknown trigger`, { cause: trigger satisfies never });
  }
}
