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

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/01234567-89ab-cdef-0123-456789abcdef';

/** Sets of knobs with which the stack has all kinds of resources that it can have, and permissions that it can give. `snapshots.test.ts` keeps what each looks like. */
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
  'gradual traffic': { traffic: 'canary10Percent15Minutes', alarms: 'all' },
  'a container and gradual traffic': { api: 'container', traffic: 'linear10PercentEvery3Minutes' },
  'no smoke test': { smokeTest: false },
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
  'a function that reaches nodes, and limits requests': {
    nodeNetwork: NETWORK,
    config: { requestLimits: { user: { perSecond: 20 }, namespace: { perSecond: 50, burst: 200 } } },
  },
  'a function with nodes of its own': { workerGroup: {} },
  'a container among nodes that exist': { api: 'container', nodeNetwork: NETWORK, workerGroup: {} },
  'a private function among nodes that exist': { endpoint: 'private', nodeNetwork: NETWORK },
  'a private container': { endpoint: 'private', api: 'container' },
  'a domain with mutual TLS': {
    domain: {
      name: 'k8s.example.com',
      certificateArn: CERTIFICATE,
      hostedZoneId: 'Z0123456789ABCDEFGHIJ',
      mutualTls: { truststoreUri: 's3://example-authorities/truststore.pem', version: 'v1' },
    },
  },
  'a firewall before a domain': {
    domain: { name: 'k8s.example.com', certificateArn: CERTIFICATE },
    firewall: { managedRules: true, requestsPerFiveMinutes: 10_000 },
  },
  'a key of its own, and copies of backups': {
    encryptionKey: 'create',
    backupCopies: { vaultArn: 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies' },
    alarmEmail: 'ops@example.com',
    audit: 'metadata',
  },
  'a container with a key of its own': { api: 'container', encryptionKey: 'create' },
  'warmed tables': {
    accountConcurrency: 1000,
    syncMaxConcurrency: 150,
    warmThroughput: {
      objects: { writeUnitsPerSecond: 24_000 },
      keys: { writeUnitsPerSecond: 16_000 },
      versions: { writeUnitsPerSecond: 16_000 },
    },
  },
};

interface SynthesizedStack {
  /** The name of its set of knobs. */
  readonly name: string;
  readonly knobs: Readonly<Record<string, unknown>>;
  readonly app: App;
  readonly template: Template;
}

let synthesized: readonly SynthesizedStack[] | undefined;

/** Returns the stack with each set of knobs. They are synthesized once, and must not be changed. */
export function synthesizedStacks(): readonly SynthesizedStack[] {
  return (synthesized ??= Object.entries(KNOB_SETS).map(([name, knobs]) => ({ name, knobs, ...synthesizeApp(knobs) })));
}
