import type { App } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { synthesizeApp } from './synthesizeStack.ts';

const INSTANCE_ROLE = {
  arn: 'arn:aws:iam::111122223333:role/Worker',
  username: 'system:node:{{EC2PrivateDNSName}}',
  groups: ['system:nodes'],
};
const NETWORK = {
  vpcId: 'vpc-0123456789abcdef0',
  subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  securityGroupId: 'sg-0123456789abcdef0',
};

/** Sets of knobs with which the stack has all kinds of resources that it can have, and permissions that it can give. */
const KNOB_SETS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  defaults: {},
  'as little as possible': {
    alarms: false,
    dashboard: false,
    accessLogs: false,
    apiGatewayAccount: false,
    keepWarm: false,
    removalPolicy: 'destroy',
    deletionProtection: false,
    pointInTimeRecoveryDays: 0,
  },
  'all alarms, told by mail and to a topic': {
    alarms: 'all',
    alarmEmail: 'ops@example.com',
    alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:ops',
    monthlyBudget: 20,
    accountConcurrency: 500,
    apiGatewayAccount: true,
    audit: 'metadata',
    tracing: true,
    tableEncryption: 'awsManaged',
    runtime: 'nodejs22.x',
    identities: [INSTANCE_ROLE],
  },
  container: { api: 'container' },
  'a container with a public address': {
    api: 'container',
    audit: 'metadata',
    alarms: 'all',
    directAddress: 'public',
    identities: [INSTANCE_ROLE],
  },
  'a container with an internal address, and nodes that people may enter': {
    api: 'container',
    directAddress: 'internal',
    workerGroup: { sessionManager: true },
    tracing: { sampleRate: 0.01 },
  },
  'a function that reaches nodes': { nodeNetwork: NETWORK },
  'a function with nodes of its own': { workerGroup: {} },
  'a container among nodes that exist': { api: 'container', nodeNetwork: NETWORK, workerGroup: {} },
};

interface SynthesizedStack {
  /** The name of its set of knobs. */
  readonly name: string;
  readonly app: App;
  readonly template: Template;
}

let synthesized: readonly SynthesizedStack[] | undefined;

/** Returns the stack with each set of knobs. They are synthesized once, and must not be changed. */
export function synthesizedStacks(): readonly SynthesizedStack[] {
  return (synthesized ??= Object.entries(KNOB_SETS).map(([name, knobs]) => ({ name, ...synthesizeApp(knobs) })));
}
