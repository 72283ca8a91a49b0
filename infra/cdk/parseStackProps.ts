import type { WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import type { IdentityMapping } from '../../lambdas/functions/authorize/mapCaller.ts';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { LONGEST_WATCH_SECONDS } from '../../lambdas/functions/limits.ts';
import { FUNCTIONS } from '../topology.ts';
import { TABLES, type TableName } from './createTables.ts';
import { DEFAULT_STACK_PROPS, type DriftlessStackProps, LOG_RETENTION_DAYS } from './DriftlessStackProps.ts';
import { LEAST_SYNC_CONCURRENCY } from './planConcurrency.ts';
import { boolean, integer, oneOf, type Parse, parseFields, record, StackPropsError, text } from './parseProperty.ts';

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
  runtime: oneOf(['nodejs22.x', 'nodejs24.x']),
  memoryMb: record(FUNCTION_NAMES, integer(128, 10_240), DEFAULT_STACK_PROPS.memoryMb),
  accountConcurrency: integer(10, 1_000_000),
  // All slots are in one item of DynamoDB.
  maxWatches: integer(1, 1000),
  reservedConcurrency: record(FUNCTION_NAMES, integer(1, 100_000)),
  syncMaxConcurrency: integer(LEAST_SYNC_CONCURRENCY, 1000),
  // Below five seconds, clients would do little else than resume.
  watchSeconds: record(['resumed', 'unresumed'], integer(5, LONGEST_WATCH_SECONDS)),
  authorizerCacheSeconds: integer(0, 3600),
  throttling: record(['rateLimit', 'burstLimit'], integer(1, 100_000), DEFAULT_STACK_PROPS.throttling),
  logRetentionDays: oneOf(LOG_RETENTION_DAYS),
  logLevel: oneOf(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  accessLogs: boolean,
  apiGatewayAccount: boolean,
  tracing: boolean,
  removalPolicy: oneOf(['retain', 'destroy']),
  deletionProtection: boolean,
  pointInTimeRecoveryDays: integer(0, 35),
  restoredTables: parseRestoredTables,
  warmThroughput: parseWarmThroughput,
  tableEncryption: oneOf(['awsOwned', 'awsManaged']),
  alarms: boolean,
  alarmTopicArn: text(/^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, 'the ARN of an SNS topic'),
  dashboard: boolean,
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
    ...written,
    watchSeconds: { ...WATCH_SECONDS[written.api ?? DEFAULT_STACK_PROPS.api], ...written.watchSeconds },
  };
  checkTogether(props);
  return props;
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

function parseIdentity(value: unknown, path: string): IdentityMapping {
  const { arn, username, groups } = parseFields(value, path, ['arn', 'username', 'groups']);
  const parseArn = text(IDENTITY_ARN, 'the ARN of an IAM role (without its path) or user');
  const parseName = text(/^[^\s]{1,256}$/, 'a name without spaces');
  if (!Array.isArray(groups ?? [])) throw new StackPropsError(`${path}.groups`, 'must be a list of names');
  return {
    arn: parseArn(arn, `${path}.arn`),
    username: parseName(username, `${path}.username`),
    groups: ((groups ?? []) as unknown[]).map((group, at) => parseName(group, `${path}.groups[${at}]`)),
  };
}
