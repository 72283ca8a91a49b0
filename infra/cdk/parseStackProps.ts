import type { WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import { type IdentityMapping, TEMPLATES } from '../../lambdas/functions/authorize/mapCaller.ts';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { LONGEST_WATCH_SECONDS } from '../../lambdas/functions/limits.ts';
import { FUNCTIONS } from '../topology.ts';
import { TABLES } from './createTables.ts';
import type { TableName } from './TableName.ts';
import {
  DEFAULT_STACK_PROPS,
  DEFAULT_WORKER_GROUP,
  type DriftlessStackProps,
  LOG_RETENTION_DAYS,
  TRAFFIC,
  type WorkerGroup,
} from './DriftlessStackProps.ts';
import { RUNTIMES } from './nodeRuntime.ts';
import { parseNodeNetwork } from './parseNodeNetwork.ts';
import { checkFrontDoor, parseDomain, parseEndpointSubnetIds, parseFirewall } from './frontDoor/parseFrontDoor.ts';
import { checkStorage, parseBackupCopies, parseEncryptionKey } from './storage/parseStorage.ts';
import { LEAST_SYNC_CONCURRENCY } from './planConcurrency.ts';
import {
  boolean,
  ec2Id,
  integer,
  oneOf,
  type Parse,
  parseFields,
  record,
  StackPropsError,
  text,
} from './parseProperty.ts';

/** Lambda limits a function's environment to 4 KB. Names of tables and queues need less than the rest. */
const MAX_JSON_BYTES = 2500;

/** How long watches last unless the user says otherwise. */
const WATCH_SECONDS = {
  function: DEFAULT_STACK_PROPS.watchSeconds,
  container: { resumed: LONGEST_WATCH_SECONDS, unresumed: LONGEST_WATCH_SECONDS },
} as const;

const FUNCTION_NAMES = Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[];

/** The bounds are those of the AWS services, unless a comment says otherwise. */
const KNOBS: { readonly [K in keyof DriftlessStackProps]-?: Parse<NonNullable<DriftlessStackProps[K]>> } = {
  // The cluster names that `aws eks get-token` accepts.
  clusterId: text(/^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/, 'a name of up to 100 letters, digits, - and _'),
  identities: parseIdentities,
  config: parseControlPlaneConfig,
  api: oneOf(['function', 'container']),
  // Each node is an object with a lease. More than this was never tested.
  nodes: integer(0, 5000),
  nodesJoin: boolean,
  nodeNetwork: parseNodeNetwork,
  workerGroup: parseWorkerGroup,
  directAddress: oneOf(['internal', 'public']),
  zoneIds: parseZoneIds,
  runtime: oneOf(RUNTIMES),
  memoryMb: record(FUNCTION_NAMES, integer(128, 10_240), DEFAULT_STACK_PROPS.memoryMb),
  accountConcurrency: integer(10, 1_000_000),
  // All slots are in one item of DynamoDB.
  maxWatches: integer(1, 1000),
  reservedConcurrency: record(FUNCTION_NAMES, integer(1, 100_000)),
  syncMaxConcurrency: integer(LEAST_SYNC_CONCURRENCY, 1000),
  // Below five seconds, clients would do little else than resume.
  watchSeconds: record(['resumed', 'unresumed'], integer(5, LONGEST_WATCH_SECONDS)),
  authorizerCacheSeconds: integer(0, 3600),
  keepWarm: boolean,
  endpoint: oneOf(['regional', 'private']),
  vpcEndpointId: ec2Id('vpce'),
  endpointSubnetIds: parseEndpointSubnetIds,
  domain: parseDomain,
  firewall: parseFirewall,
  throttling: record(['rateLimit', 'burstLimit'], integer(1, 100_000), DEFAULT_STACK_PROPS.throttling),
  logRetentionDays: oneOf(LOG_RETENTION_DAYS),
  audit: parseAudit,
  auditLogRetentionDays: oneOf(LOG_RETENTION_DAYS),
  logLevel: oneOf(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  accessLogs: boolean,
  apiGatewayAccount: oneOf(['ifNone', true, false]),
  tracing: parseTracing,
  removalPolicy: oneOf(['retain', 'destroy']),
  terminationProtection: boolean,
  deletionProtection: boolean,
  pointInTimeRecoveryDays: integer(0, 35),
  restoredTables: parseRestoredTables,
  warmThroughput: parseWarmThroughput,
  tableEncryption: oneOf(['awsOwned', 'awsManaged']),
  encryptionKey: parseEncryptionKey,
  backupCopies: parseBackupCopies,
  alarms: oneOf([true, false, 'all']),
  alarmEmail: text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an address of e-mail'),
  alarmTopicArn: text(/^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, 'the ARN of an SNS topic'),
  monthlyBudget: integer(1, 1_000_000),
  dashboard: boolean,
  smokeTest: boolean,
  traffic: oneOf(TRAFFIC),
};

/**
 * Validates the knobs that the user wrote and adds the defaults. Throws a StackPropsError (or, inside `config`, a ConfigError) whose message is one line that
 * names the knob and the values that it accepts.
 */
export function parseStackProps(value: unknown = {}): DriftlessStackProps {
  const fields = parseFields(value, '', Object.keys(KNOBS));
  const parsed = Object.entries(KNOBS)
    .filter(([name]) => fields[name] !== undefined)
    .map(([name, parse]) => [name, parse(fields[name], name)]);
  const written = Object.fromEntries(parsed) as Partial<DriftlessStackProps>;
  const props = {
    ...DEFAULT_STACK_PROPS,
    deletionProtection: written.removalPolicy !== 'destroy',
    terminationProtection: written.removalPolicy === 'destroy',
    nodesJoin: needsAuthority(written),
    ...written,
    watchSeconds: { ...WATCH_SECONDS[written.api ?? DEFAULT_STACK_PROPS.api], ...written.watchSeconds },
  };
  checkTogether(props);
  checkFrontDoor(props);
  checkStorage(props);
  return props;
}

/** Certificates are signed for kubelets, and for a server of HTTPS. */
function needsAuthority({ nodeNetwork, workerGroup, directAddress }: Partial<DriftlessStackProps>): boolean {
  return nodeNetwork !== undefined || workerGroup !== undefined || directAddress !== undefined;
}

const ASCII = /^[\x21-\x7e]+$/;

function checkTogether({
  removalPolicy,
  deletionProtection,
  reservedConcurrency,
  ...props
}: DriftlessStackProps): void {
  const foreign = props.identities
    .flatMap(({ username, groups }) => [username, ...groups])
    .find((name) => !ASCII.test(name));
  if (props.api === 'container' && foreign !== undefined) {
    throw new StackPropsError(
      'identities',
      `name ${JSON.stringify(foreign)}, which a header cannot carry to the container`,
    );
  }
  if (removalPolicy === 'destroy' && deletionProtection) {
    throw new StackPropsError('deletionProtection', 'must be false if removalPolicy is "destroy"');
  }
  if (props.traffic !== 'allAtOnce' && props.alarms === false) {
    throw new StackPropsError('traffic', 'needs alarms: without any, nothing would stop a release that fails');
  }
  if (props.monthlyBudget !== undefined && props.alarmEmail === undefined && props.alarmTopicArn === undefined) {
    throw new StackPropsError('monthlyBudget', 'needs alarmEmail or alarmTopicArn: somebody has to be told');
  }
  if (needsAuthority(props) && !props.nodesJoin) {
    throw new StackPropsError('nodesJoin', 'must be true with nodeNetwork, workerGroup or directAddress');
  }
  if (props.zoneIds && (props.nodeNetwork || (props.api === 'function' && !props.workerGroup))) {
    throw new StackPropsError('zoneIds', 'is about the network that the stack creates, and it creates none');
  }
  if (props.directAddress && props.api !== 'container') {
    throw new StackPropsError('directAddress', 'needs api to be "container": a function has no address');
  }
  if (props.audit !== false && props.api === 'function' && props.workerGroup && !props.nodeNetwork) {
    throw new StackPropsError(
      'audit',
      'needs api to be "container" here: in the network of the workerGroup a function does not reach CloudWatch Logs',
    );
  }
  if (typeof props.tracing === 'object' && props.api === 'function' && props.workerGroup && !props.nodeNetwork) {
    throw new StackPropsError(
      'tracing',
      'with a sampleRate needs api to be "container" here: in the network of the workerGroup a function does not reach X-Ray',
    );
  }
  // CloudFormation changes nothing of a restored table.
  const adopted = Object.keys(props.warmThroughput).find((table) => props.restoredTables[table as TableName]);
  if (adopted !== undefined) {
    throw new StackPropsError(
      `warmThroughput.${adopted}`,
      'cannot be set for a restored table; use `aws dynamodb update-table`',
    );
  }
  const reserved = reservedConcurrency.sync;
  const { syncMaxConcurrency = LEAST_SYNC_CONCURRENCY } = props;
  if (reserved !== undefined && reserved < syncMaxConcurrency) {
    // Lambda would receive more batches and throttle them. Each throttled receive counts, until the messages are dead letters.
    throw new StackPropsError(
      'reservedConcurrency.sync',
      `must be at least syncMaxConcurrency (${syncMaxConcurrency})`,
    );
  }
}

/** The file is read when the stack is made. */
function parseTracing(value: unknown, path: string): DriftlessStackProps['tracing'] {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object')
    throw new StackPropsError(path, `must be true, false or {"sampleRate": NUMBER}, not ${JSON.stringify(value)}`);
  const { sampleRate } = parseFields(value, path, ['sampleRate']);
  if (typeof sampleRate === 'number' && sampleRate >= 0 && sampleRate <= 1) return { sampleRate };
  throw new StackPropsError(`${path}.sampleRate`, `must be a number from 0 to 1, not ${JSON.stringify(sampleRate)}`);
}

function parseAudit(value: unknown, path: string): DriftlessStackProps['audit'] {
  if (value === false || (typeof value === 'string' && value !== '')) return value;
  throw new StackPropsError(
    path,
    `must be false, "metadata" or the path of a policy file, not ${JSON.stringify(value)}`,
  );
}

const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Without its objects a restored control plane has nothing to fit the other tables to. */
function parseRestoredTables(value: unknown, path: string): DriftlessStackProps['restoredTables'] {
  const fields = parseFields(value, path, TABLE_NAMES);
  const parsed = Object.entries(fields).map(([name, table]) => {
    const isStreamed = name === 'objects';
    const { name: tableName, streamArn } = parseFields(
      table,
      `${path}.${name}`,
      isStreamed ? ['name', 'streamArn'] : ['name'],
    );
    return [
      name,
      {
        name: text(/^[\w.-]{3,255}$/, 'the name of a table')(tableName, `${path}.${name}.name`),
        ...(isStreamed && {
          streamArn: text(STREAM_ARN, 'the ARN of the table`s stream')(streamArn, `${path}.${name}.streamArn`),
        }),
      },
    ];
  });
  if (parsed.length > 0 && fields['objects'] === undefined) throw new StackPropsError(path, 'must name objects too');
  return Object.fromEntries(parsed) as DriftlessStackProps['restoredTables'];
}

const parseZoneId = text(/^[a-z]+\d-az\d+$/, 'the id of a zone, such as use1-az1');

function parseZoneIds(value: unknown, path: string): NonNullable<DriftlessStackProps['zoneIds']> {
  if (value === 'byName') return value;
  if (!Array.isArray(value) || value.length !== 2 || value[0] === value[1]) {
    throw new StackPropsError(path, 'must be a list of the ids of two zones, or byName');
  }
  const [first, second] = value as readonly unknown[];
  return [parseZoneId(first, `${path}[0]`), parseZoneId(second, `${path}[1]`)];
}

const WORKER_GROUP: { readonly [K in keyof WorkerGroup]: Parse<WorkerGroup[K]> } = {
  kubernetesVersion: text(/^1\.(?:3[1-9]|[4-9]\d)$/, 'a minor version of Kubernetes from 1.31 on, such as 1.34'),
  instanceType: text(/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/, 'an instance type, such as t4g.small'),
  minSize: integer(0, 5000),
  maxSize: integer(1, 5000),
  diskGb: integer(8, 16_384),
  sessionManager: boolean,
};

function parseWorkerGroup(value: unknown, path: string): WorkerGroup {
  const fields = parseFields(value, path, Object.keys(WORKER_GROUP));
  const parsed = Object.entries(WORKER_GROUP)
    .filter(([name]) => fields[name] !== undefined)
    .map(([name, parse]) => [name, parse(fields[name], `${path}.${name}`)]);
  const group: WorkerGroup = { ...DEFAULT_WORKER_GROUP, ...Object.fromEntries(parsed) };
  if (group.maxSize >= group.minSize) return group;
  throw new StackPropsError(`${path}.maxSize`, `must be at least minSize (${group.minSize})`);
}

/** What a new table has is the least. The most is the account's quota for one table, 40,000 of each unless AWS has raised it. */
const WARM_UNITS: { readonly [K in keyof WarmThroughput]-?: Parse<number> } = {
  writeUnitsPerSecond: integer(4_000, 1_000_000),
  readUnitsPerSecond: integer(12_000, 1_000_000),
};

function parseWarmThroughput(value: unknown, path: string): DriftlessStackProps['warmThroughput'] {
  const tables = Object.entries(parseFields(value, path, TABLE_NAMES)).map(([table, units]) => {
    const fields = parseFields(units, `${path}.${table}`, Object.keys(WARM_UNITS));
    const parsed = Object.entries(WARM_UNITS)
      .filter(([name]) => fields[name] !== undefined)
      .map(([name, parse]) => [name, parse(fields[name], `${path}.${table}.${name}`)]);
    if (parsed.length === 0)
      throw new StackPropsError(`${path}.${table}`, 'must set writeUnitsPerSecond, readUnitsPerSecond or both');
    return [table, Object.fromEntries(parsed)];
  });
  return Object.fromEntries(tables) as DriftlessStackProps['warmThroughput'];
}

const STREAM_ARN = /^arn:[a-z-]+:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\dT:.-]+$/;

function parseIdentities(value: unknown, path: string): readonly IdentityMapping[] {
  if (!Array.isArray(value)) throw new StackPropsError(path, `must be a list, not ${JSON.stringify(value)}`);
  const identities = value.map((identity, at) => parseIdentity(identity, `${path}[${at}]`));
  const arns = identities.map(({ arn }) => arn.toLowerCase());
  const twice = arns.find((arn, at) => arns.indexOf(arn) !== at);
  if (twice !== undefined) throw new StackPropsError(path, `name ${twice} twice`);
  checkRoom(identities, path);
  return identities;
}

/** Validates the configuration, and returns it unparsed: each function parses it for itself. */
function parseControlPlaneConfig(value: unknown, path: string): Readonly<Record<string, unknown>> {
  parseConfig(value);
  refuseWorkers(value as { readonly controllers?: Readonly<Record<string, object>> }, path);
  checkRoom(value, path);
  return value as Readonly<Record<string, unknown>>;
}

/** In the cloud one queue serves all controllers, so a controller has no workers of its own. */
function refuseWorkers({ controllers }: { readonly controllers?: Readonly<Record<string, object>> }, path: string) {
  const named = Object.entries(controllers ?? {}).find(([, controller]) => 'workers' in Object(controller));
  if (named === undefined) return;
  throw new StackPropsError(
    `${path}.controllers.${named[0]}.workers`,
    'cannot be chosen in the cloud, where one queue serves all controllers; choose syncMaxConcurrency instead',
  );
}

function checkRoom(value: unknown, path: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= MAX_JSON_BYTES) return;
  throw new StackPropsError(path, `takes ${bytes} bytes of JSON; a function has room for ${MAX_JSON_BYTES}`);
}

/** The ARN of a role or user as the IAM console shows it, but without a role's path: STS does not report that path for the role's sessions. */
const IDENTITY_ARN =
  /^arn:[a-z-]+:(?:iam::\d{12}:(?:role\/[\w+=,.@-]+|user\/(?:[\x21-\x7e]+\/)?[\w+=,.@-]+|root)|sts::\d{12}:federated-user\/[\w+=,.@-]+)$/;

/** A template that nobody replaces would be part of the name. */
const parseName: Parse<string> = (value, path) => {
  const name = text(/^[^\s]{1,256}$/, 'a name without spaces')(value, path);
  const unknown = name.match(/\{\{.*?\}\}/g)?.find((template) => !(TEMPLATES as readonly string[]).includes(template));
  if (unknown === undefined) return name;
  throw new StackPropsError(path, `has no template ${unknown}; it has ${TEMPLATES.join(', ')}`);
};

function parseIdentity(value: unknown, path: string): IdentityMapping {
  const { arn, username, groups } = parseFields(value, path, ['arn', 'username', 'groups']);
  const parseArn = text(IDENTITY_ARN, 'the ARN of an IAM role (without its path) or user');
  if (!Array.isArray(groups ?? [])) throw new StackPropsError(`${path}.groups`, 'must be a list of names');
  return {
    arn: parseArn(arn, `${path}.arn`),
    username: parseName(username, `${path}.username`),
    groups: ((groups ?? []) as unknown[]).map((group, at) => parseName(group, `${path}.groups[${at}]`)),
  };
}
