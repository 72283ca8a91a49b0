import { assert, constantFrom, dictionary, jsonValue, oneof, property } from '../../support/seededFastCheck.ts';
import { describe, expect, it, test } from 'vitest';
import { DEFAULT_STACK_PROPS, LOG_RETENTION_DAYS } from '../../../infra/cdk/DriftlessStackProps.ts';
import { StackPropsError } from '../../../infra/cdk/parseProperty.ts';
import { parseStackProps } from '../../../infra/cdk/parseStackProps.ts';
import { readKnobs } from '../../../infra/cdk/addDriftlessStack.ts';
import { restoreIdOf } from '../../../infra/cdk/restoreIdOf.ts';
import { ConfigError } from '../../../lambdas/functions/parseServedConfig.ts';
import { canonicalArn } from '../../../lambdas/functions/authorize/mapCaller.ts';
import { PRICES } from '../../../infra/emulation/bill/prices.ts';
import { FUNCTIONS } from '../../../infra/topology.ts';

const ROLE = 'arn:aws:iam::111122223333:role/Deployer';
const VAULT = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';
const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef';
const DOMAIN = {
  name: 'k8s.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/01234567-89ab-cdef-0123-456789abcdef',
};

test('a knob that is left out has its default, from the topology if it has one', () => {
  const props = parseStackProps();
  expect(props).toEqual(DEFAULT_STACK_PROPS);
  expect(props.authorizerCacheSeconds * 1000).toBe(FUNCTIONS.authorize.trigger.cacheMs);
});

test('the defaults are valid', () => {
  expect(parseStackProps(DEFAULT_STACK_PROPS)).toEqual(DEFAULT_STACK_PROPS);
});

test('a group of knobs may be set in part; the rest keeps its defaults', () => {
  const { memoryMb, throttling } = parseStackProps({ memoryMb: { sync: 2048 }, throttling: { rateLimit: 7 } });
  expect(memoryMb).toEqual({ ...DEFAULT_STACK_PROPS.memoryMb, sync: 2048 });
  expect(throttling).toEqual({ ...DEFAULT_STACK_PROPS.throttling, rateLimit: 7 });
});

test.each([
  ['function', {}, { resumed: 60, unresumed: 80 }],
  ['function', { resumed: 30 }, { resumed: 30, unresumed: 80 }],
  ['container', {}, { resumed: 840, unresumed: 840 }],
  ['container', { resumed: 30 }, { resumed: 30, unresumed: 840 }],
  ['container', { unresumed: 30 }, { resumed: 840, unresumed: 30 }],
])('the durations of watches over a %s that are set as %j are %j', (api, watchSeconds, expected) => {
  expect(parseStackProps({ api, watchSeconds }).watchSeconds).toEqual(expected);
});

test('by default, an abandoned watch of any kind costs less than $0.0006', () => {
  const { memoryMb, watchSeconds } = parseStackProps();
  const longestSeconds = Math.max(watchSeconds.resumed * 1.2, watchSeconds.unresumed);
  // While it waits, it reads half a unit of the log a second.
  const waiting = (memoryMb.api / 1024) * PRICES.lambdaGbSecond + PRICES.dynamoDbReadUnit / 2;
  expect(longestSeconds * waiting + PRICES.apiRequest + PRICES.lambdaRequest).toBeLessThan(0.0006);
});

test('a restore is the same one in whatever order its tables are named, and another one with another table', () => {
  const [objects, keys] = [{ name: 'back', streamArn: 'arn:1' }, { name: 'back-keys' }];
  const id = restoreIdOf({ restoredTables: { objects, keys } });
  expect(id).toBeDefined();
  expect(restoreIdOf({ restoredTables: { keys, objects } })).toBe(id);
  expect(restoreIdOf({ restoredTables: { objects } })).not.toBe(id);
  expect(restoreIdOf({ restoredTables: {} })).toBeUndefined();
});

test('restored tables are adopted by name, and the objects need the ARN of their stream', () => {
  const streamArn = 'arn:aws:dynamodb:eu-central-1:111122223333:table/back/stream/2026-11-22T01:02:03.456';
  const restoredTables = { objects: { name: 'back', streamArn }, keys: { name: 'back-keys' } };
  expect(parseStackProps({ restoredTables }).restoredTables).toEqual(restoredTables);
  const refused = (value: object) => () => parseStackProps({ restoredTables: value });
  expect(refused({ objects: { name: 'back' } })).toThrow('restoredTables.objects.streamArn: must be the ARN of');
  expect(refused({ keys: { name: 'back-keys' } })).toThrow('restoredTables: must name objects too');
  expect(refused({ keys: { name: 'k', streamArn } })).toThrow('restoredTables.keys: has no field "streamArn"');
});

test('a stack whose deletion would delete its tables is protected, so that this takes a deployment first', () => {
  expect(parseStackProps().terminationProtection).toBe(false);
  expect(parseStackProps({ removalPolicy: 'destroy' }).terminationProtection).toBe(true);
  expect(parseStackProps({ removalPolicy: 'destroy', terminationProtection: false }).terminationProtection).toBe(false);
  expect(parseStackProps({ terminationProtection: true }).terminationProtection).toBe(true);
});

test('backups are copied with the times that a user leaves out', () => {
  const { backupCopies } = parseStackProps({ encryptionKey: 'create', backupCopies: { vaultArn: VAULT, hour: 22 } });
  expect(backupCopies).toEqual({ vaultArn: VAULT, hour: 22, retentionDays: 35, localRetentionDays: 7 });
});

test('a firewall may have a limit alone', () => {
  const { firewall } = parseStackProps({ firewall: { requestsPerFiveMinutes: 10 } });
  expect(firewall).toEqual({ managedRules: false, requestsPerFiveMinutes: 10 });
});

test('tables that are deleted with the stack have no deletion protection', () => {
  expect(parseStackProps({ removalPolicy: 'destroy' }).deletionProtection).toBe(false);
  expect(parseStackProps({ removalPolicy: 'retain', deletionProtection: false }).deletionProtection).toBe(false);
});

const identity = (more: object) => ({ identities: [{ arn: ROLE, username: 'me', groups: [], ...more }] });

test.each<[string, unknown, string]>([
  ['a list instead of an object', [], 'stack property: must be an object, not []'],
  ['an unknown knob', { runtme: 1 }, 'stack property: has no field "runtme"; it has clusterId, identities, '],
  [
    'an invalid cluster id',
    { clusterId: 'a b' },
    'clusterId: must be a name of up to 100 letters, digits, - and _, not "a b"',
  ],
  ['an old runtime', { runtime: 'nodejs20.x' }, 'runtime: must be one of "nodejs24.x", "nodejs22.x", not "nodejs20.x"'],
  ['too little memory', { memoryMb: { api: 64 } }, 'memoryMb.api: must be an integer from 128 to 10240, not 64'],
  [
    'memory of an unknown function',
    { memoryMb: { apy: 128 } },
    'memoryMb: has no field "apy"; it has api, authorize, ',
  ],
  ['a number in quotes', { nodes: '3' }, 'nodes: must be an integer from 0 to 5000, not "3"'],
  ['a concurrency below 2', { syncMaxConcurrency: 1 }, 'syncMaxConcurrency: must be an integer from 2 to 1000, not 1'],
  [
    'less reserved concurrency than syncMaxConcurrency',
    { reservedConcurrency: { sync: 10 }, syncMaxConcurrency: 50 },
    'reservedConcurrency.sync: must be at least syncMaxConcurrency (50)',
  ],
  [
    'a cache of more than an hour',
    { authorizerCacheSeconds: 3601 },
    'authorizerCacheSeconds: must be an integer from 0 to 3600, not 3601',
  ],
  [
    'a retention that CloudWatch does not offer',
    { logRetentionDays: 31 },
    'logRetentionDays: must be one of 1, 3, 5, ',
  ],
  [
    'a table that is warmed for less than a new one bears',
    { warmThroughput: { objects: { writeUnitsPerSecond: 3_999 } } },
    'warmThroughput.objects.writeUnitsPerSecond: must be an integer from 4000 to 1000000, not 3999',
  ],
  [
    'warm throughput without units',
    { warmThroughput: { keys: {} } },
    'warmThroughput.keys: must set writeUnitsPerSecond, readUnitsPerSecond or both',
  ],
  [
    'warm throughput of a restored table',
    {
      restoredTables: {
        objects: { name: 'NEW', streamArn: 'arn:aws:dynamodb:eu-west-1:111122223333:table/NEW/stream/1' },
      },
      warmThroughput: { objects: { readUnitsPerSecond: 12_000 } },
    },
    'warmThroughput.objects: cannot be set for a restored table; use `aws dynamodb update-table`',
  ],
  [
    'more than 35 days of recovery',
    { pointInTimeRecoveryDays: 36 },
    'pointInTimeRecoveryDays: must be an integer from 0 to 35, not 36',
  ],
  [
    'watches longer than API Gateway holds an answer',
    { watchSeconds: { unresumed: 900 } },
    'watchSeconds.unresumed: must be an integer from 5 to 840, not 900',
  ],
  ['a word instead of a boolean', { keepWarm: 'yes' }, 'keepWarm: must be true or false, not "yes"'],
  [
    'a word that says how to trace',
    { tracing: 'yes' },
    'tracing: must be true, false or {"sampleRate": NUMBER}, not "yes"',
  ],
  [
    'more traces than writes',
    { tracing: { sampleRate: 1.5 } },
    'tracing.sampleRate: must be a number from 0 to 1, not 1.5',
  ],
  ['traces without a rate', { tracing: {} }, 'tracing.sampleRate: must be a number from 0 to 1, not undefined'],
  ['another field of traces', { tracing: { rate: 1 } }, 'tracing: has no field "rate"; it has sampleRate'],
  [
    'spans that a function in a network of its own could not send',
    { tracing: { sampleRate: 1 }, workerGroup: {} },
    'tracing: with a sampleRate needs api to be "container" here: in the network of the workerGroup a function does not reach X-Ray',
  ],
  [
    'deletion protection of tables that are deleted with the stack',
    { removalPolicy: 'destroy', deletionProtection: true },
    'deletionProtection: must be false if removalPolicy is "destroy"',
  ],
  [
    'the name of a topic instead of its ARN',
    { alarmTopicArn: 'ops' },
    'alarmTopicArn: must be the ARN of an SNS topic, not "ops"',
  ],
  ['an address that is none', { alarmEmail: 'ops' }, 'alarmEmail: must be an address of e-mail, not "ops"'],
  ['some of the alarms', { alarms: 'few' }, 'alarms: must be one of true, false, "all", not "few"'],
  [
    'a budget of which nobody is told',
    { monthlyBudget: 20 },
    'monthlyBudget: needs alarmEmail or alarmTopicArn: somebody has to be told',
  ],
  ['an endpoint at the edge', { endpoint: 'edge' }, 'endpoint: must be one of "regional", "private", not "edge"'],
  [
    'a private function without a network or an endpoint',
    { endpoint: 'private' },
    'endpoint: needs vpcEndpointId, or a network for a new one: nodeNetwork',
  ],
  [
    'an interface endpoint of a regional API',
    { vpcEndpointId: 'vpce-0123456789abcdef0' },
    'vpcEndpointId: needs endpoint to be "private"',
  ],
  [
    'subnets of an endpoint that exists',
    { endpoint: 'private', vpcEndpointId: 'vpce-0123456789abcdef0', endpointSubnetIds: ['subnet-01234567'] },
    'endpointSubnetIds: needs endpoint to be "private", a nodeNetwork, and no vpcEndpointId',
  ],
  ['no subnets', { endpointSubnetIds: [] }, 'endpointSubnetIds: must be a list of subnets'],
  [
    'a subnet of an endpoint that is not in the network',
    {
      endpoint: 'private',
      nodeNetwork: {
        vpcId: 'vpc-01234567',
        securityGroupId: 'sg-01234567',
        subnetIds: ['subnet-01234567', 'subnet-11234567'],
      },
      endpointSubnetIds: ['subnet-99999999'],
    },
    'endpointSubnetIds: must be among nodeNetwork.subnetIds, which has no subnet-99999999',
  ],
  [
    'the name of an interface endpoint',
    { endpoint: 'private', vpcEndpointId: 'mine' },
    'vpcEndpointId: must be the id of an interface endpoint, not "mine"',
  ],
  [
    'a private container with a public address',
    { endpoint: 'private', api: 'container', directAddress: 'public' },
    'directAddress: must be "internal" if endpoint is "private"',
  ],
  [
    'a domain of a private API',
    { endpoint: 'private', api: 'container', domain: DOMAIN },
    'domain: needs endpoint to be "regional"',
  ],
  [
    'a domain with a port',
    { domain: { ...DOMAIN, name: 'k8s.example.com:443' } },
    'domain.name: must be a name of DNS in lower case, such as k8s.example.com, not "k8s.example.com:443"',
  ],
  ['a domain without a certificate', { domain: { name: 'k8s.example.com' } }, 'domain.certificateArn: must be the ARN'],
  [
    'a hosted zone by its name',
    { domain: { ...DOMAIN, hostedZoneId: 'example.com' } },
    'domain.hostedZoneId: must be the id of a hosted zone of Route 53, not "example.com"',
  ],
  [
    'a truststore on the web',
    { domain: { ...DOMAIN, mutualTls: { truststoreUri: 'https://example.com/ca.pem', version: '1' } } },
    'domain.mutualTls.truststoreUri: must be s3://BUCKET/KEY, not "https://example.com/ca.pem"',
  ],
  [
    'a truststore without its version',
    { domain: { ...DOMAIN, mutualTls: { truststoreUri: 's3://example/ca.pem' } } },
    'domain.mutualTls.version: must be a version of the object in S3, not undefined',
  ],
  ['a firewall without rules', { firewall: {} }, 'firewall: must have managedRules, requestsPerFiveMinutes or both'],
  [
    'a limit that WAF does not count',
    { firewall: { requestsPerFiveMinutes: 9 } },
    'firewall.requestsPerFiveMinutes: must be an integer from 10 to 2000000000, not 9',
  ],
  [
    'an alias of a key',
    { encryptionKey: 'alias/mine' },
    'encryptionKey: must be "create" or the ARN of a key in KMS, not "alias/mine"',
  ],
  [
    'two keys for the tables',
    { encryptionKey: KEY, tableEncryption: 'awsManaged' },
    'tableEncryption: has no meaning with encryptionKey, which encrypts the tables, too',
  ],
  [
    'copies of backups that another account cannot read',
    { backupCopies: { vaultArn: VAULT } },
    'backupCopies: needs encryptionKey: no other account can use a key of AWS',
  ],
  [
    'the name of a vault',
    { encryptionKey: 'create', backupCopies: { vaultArn: 'copies' } },
    'backupCopies.vaultArn: must be the ARN of a vault of AWS Backup, not "copies"',
  ],
  [
    'backups at an hour that no day has',
    { encryptionKey: 'create', backupCopies: { vaultArn: VAULT, hour: 24 } },
    'backupCopies.hour: must be an integer from 0 to 23, not 24',
  ],
  ['identities that are not a list', { identities: {} }, 'identities: must be a list, not {}'],
  [
    'an identity with an unknown field',
    identity({ group: 'x' }),
    'identities[0]: has no field "group"; it has arn, username, groups',
  ],
  [
    'a role with its path, which STS does not report',
    identity({ arn: 'arn:aws:iam::111122223333:role/team/Deployer' }),
    'identities[0].arn: must be the ARN of an IAM role (without its path) or user',
  ],
  [
    'a session instead of a role',
    identity({ arn: 'arn:aws:sts::111122223333:assumed-role/Deployer/me' }),
    'identities[0].arn: must be the ARN of an IAM role',
  ],
  [
    'a wildcard for all roles',
    identity({ arn: 'arn:aws:iam::111122223333:role/*' }),
    'identities[0].arn: must be the ARN of an IAM role',
  ],
  [
    'a template that nobody replaces',
    identity({ groups: ['of:{{Account}}'] }),
    'identities[0].groups[0]: has no template {{Account}}; it has {{AccountID}}, {{SessionName}}, {{EC2PrivateDNSName}}',
  ],
  ['an empty user name', identity({ username: '' }), 'identities[0].username: must be a name without spaces, not ""'],
  ['groups in one string', identity({ groups: 'a,b' }), 'identities[0].groups: must be a list of names'],
  [
    'one ARN for two users',
    {
      identities: [
        { arn: ROLE, username: 'a' },
        { arn: ROLE.toLowerCase(), username: 'b' },
      ],
    },
    'identities: name arn:aws:iam::111122223333:role/deployer twice',
  ],
])('%s is refused with an error that names the accepted values', (_, value, message) => {
  expect(() => parseStackProps(value)).toThrow(StackPropsError);
  expect(() => parseStackProps(value)).toThrow(message);
});

test('identities that are too large for a function`s environment are refused', () => {
  const identities = Array.from({ length: 60 }, (_, at) => ({
    arn: `${ROLE}${at}`,
    username: `user-${at}`,
    groups: [],
  }));
  expect(() => parseStackProps({ identities })).toThrow(
    /identities: takes \d+ bytes of JSON; a function has room for 2500/,
  );
});

test('an invalid configuration of the control plane fails the synthesis, not a deployed function', () => {
  expect(() => parseStackProps({ config: { controllers: { pods: {} } } })).toThrow(ConfigError);
});

test('workers of a controller, which the cloud does not have, are refused', () => {
  expect(() => parseStackProps({ config: { controllers: { pod: { workers: 2 } } } })).toThrow(
    'stack property config.controllers.pod.workers: cannot be chosen in the cloud, where one queue serves all ' +
      'controllers; choose syncMaxConcurrency instead',
  );
  expect(() => parseStackProps({ config: { controllers: { pod: { enabled: false } } } })).not.toThrow();
});

test.each([
  ROLE,
  'arn:aws:iam::111122223333:user/ops/alice',
  'arn:aws-us-gov:iam::111122223333:root',
  'arn:aws:sts::111122223333:federated-user/bob',
])('%s is accepted as an identity and matches its caller', (arn) => {
  expect(parseStackProps(identity({ arn })).identities[0]?.arn).toBe(arn);
  const caller = arn === ROLE ? 'arn:aws:sts::111122223333:assumed-role/Deployer/session' : arn;
  expect(canonicalArn(caller)).toBe(arn);
});

test('any value is either accepted or refused with a one-line error of ours', () => {
  const names = constantFrom(...Object.keys(DEFAULT_STACK_PROPS), 'clusterId', 'alarmTopicArn');
  const written = dictionary(names, oneof(jsonValue(), constantFrom(...LOG_RETENTION_DAYS)));
  assert(
    property(written, (value) => {
      try {
        parseStackProps(value);
      } catch (error) {
        expect(error instanceof StackPropsError || error instanceof ConfigError, String(error)).toBe(true);
        expect((error as Error).message).not.toContain('\n');
      }
    }),
  );
});

describe('the context', () => {
  const read = (context: Readonly<Record<string, unknown>>) => readKnobs((name) => context[name]);

  it('is the object of cdk.json, overridden by the command line', () => {
    const knobs = read({
      driftless: { nodes: 5, tracing: true },
      'driftless:nodes': '7',
      'driftless:logLevel': 'DEBUG',
    });
    expect(knobs).toEqual({ stackName: 'driftless', nodes: 7, tracing: true, logLevel: 'DEBUG' });
  });

  it('names the stack', () => {
    expect(read({ 'driftless:stackName': 'staging' })).toEqual({ stackName: 'staging' });
    expect(() => read({ 'driftless:stackName': 'my stack' })).toThrow(
      'stack property stackName: must be letters, digits and -',
    );
  });

  it('is refused if it has an unknown knob', () => {
    expect(() => read({ driftless: { runtme: 'x' } })).toThrow('stack property: has no field "runtme"');
    expect(() => read({ driftless: 'x' })).toThrow('stack property: must be an object, not "x"');
  });
});
