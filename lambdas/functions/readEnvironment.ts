/** The environment variables by which the stack configures its functions; both sides take the names from here. Values are plain texts unless marked as JSON. */
export const VARIABLES = {
  /** The id of this control plane, for which tokens must be signed in `x-k8s-aws-id`. */
  clusterId: 'DRIFTLESS_CLUSTER_ID',
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  partition: 'DRIFTLESS_PARTITION',
  /** JSON of `IdentityMapping[]` (see authorize/mapCaller.ts). */
  identities: 'DRIFTLESS_IDENTITIES',
  /** JSON for `parseConfigText` (see parseConfig.ts). */
  config: 'DRIFTLESS_CONFIG',
  /** JSON of `WatchSeconds` (see api/composeApi.ts). */
  watchSeconds: 'DRIFTLESS_WATCH_SECONDS',
  /** How many watches `api` answers at the same time, or ANY_NUMBER. */
  maxWatches: 'DRIFTLESS_MAX_WATCHES',
  /** Where the container listens: a port, or the path of a Unix socket. */
  listen: 'DRIFTLESS_LISTEN',
  /** Where the container listens for clients that do not come through API Gateway: a port. */
  directListen: 'DRIFTLESS_DIRECT_LISTEN',
  /** The name by which those clients know it, or NO_NAME if there are none. */
  directName: 'DRIFTLESS_DIRECT_NAME',
  /** The log group of the audit log, or NO_AUDIT. */
  auditLogGroup: 'DRIFTLESS_AUDIT_LOG_GROUP',
  /** JSON of `AuditPolicy` (see ../rest/audit/AuditPolicy.ts), deflated, in base64; or NO_AUDIT. */
  auditPolicy: 'DRIFTLESS_AUDIT_POLICY',
  /** The share of writes of which a trace begins here, 0 to 1, or NO_TRACES. */
  traceSampleRate: 'DRIFTLESS_TRACE_SAMPLE_RATE',
  /** The stage of the API, the first part of its paths. */
  stage: 'DRIFTLESS_STAGE',
  /** The number of simulated nodes. */
  nodes: 'DRIFTLESS_NODES',
  /** Whether there are nodes with kubelets, see `Kubelets`. */
  kubelets: 'DRIFTLESS_KUBELETS',
  /** `true` if a smoke test ends each deployment, which needs a role of its own; or `false`. */
  smokeTest: 'DRIFTLESS_SMOKE_TEST',
  /** Identifies the restore that this stack's tables come from (see resync/parseResyncEvent.ts), or NO_RESTORE. */
  restoreId: 'DRIFTLESS_RESTORE_ID',
  objectsTable: 'DRIFTLESS_OBJECTS_TABLE',
  versionsTable: 'DRIFTLESS_VERSIONS_TABLE',
  namespacesTable: 'DRIFTLESS_NAMESPACES_TABLE',
  logTable: 'DRIFTLESS_LOG_TABLE',
  keysTable: 'DRIFTLESS_KEYS_TABLE',
  workQueueUrl: 'DRIFTLESS_WORK_QUEUE_URL',
  deadLetterQueueUrl: 'DRIFTLESS_DEAD_LETTER_QUEUE_URL',
  /** A message to this queue makes `resync` do what it asks for (see resync/parseResyncEvent.ts). */
  givenUpQueueUrl: 'DRIFTLESS_GIVEN_UP_QUEUE_URL',
} as const;

/** Set by the emulated cloud: its functions and all their clients are on one machine. */
export const EMULATED = 'DRIFTLESS_EMULATED';

/** The value of `maxWatches` that sets no limit. */
export const ANY_NUMBER = 'any';

/** `none`: every node is simulated. `join`: kubelets get their certificates from the cluster's authority. `reach`: that, and the API is in a network with them. */
export type Kubelets = 'none' | 'join' | 'reach';

/** The value of `directName` if only API Gateway may call the container. */
export const NO_NAME = 'none';

/** The value of `auditLogGroup` and `auditPolicy` in a stack without an audit log. */
export const NO_AUDIT = 'none';

/** The value of `traceSampleRate` in a stack without traces. */
export const NO_TRACES = 'none';

/** The value of `restoreId` in a stack without restored tables. */
export const NO_RESTORE = 'none';

export type Variable = keyof typeof VARIABLES;

const API_VARIABLES = [
  'stage',
  'config',
  'clusterId',
  'kubelets',
  'watchSeconds',
  'maxWatches',
  'auditLogGroup',
  'auditPolicy',
  'traceSampleRate',
  'keysTable',
  'objectsTable',
  'versionsTable',
  'namespacesTable',
  'logTable',
  'workQueueUrl',
] as const;

/** The variables that each function, and the container, is given and may read. */
export const FUNCTION_VARIABLES = {
  api: API_VARIABLES,
  container: [...API_VARIABLES, 'listen', 'partition', 'identities', 'directListen', 'directName'],
  authorize: ['clusterId', 'partition', 'identities', 'versionsTable'],
  record: ['logTable', 'versionsTable', 'givenUpQueueUrl'],
  enqueue: [
    'config',
    'kubelets',
    'objectsTable',
    'versionsTable',
    'namespacesTable',
    'keysTable',
    'workQueueUrl',
    'givenUpQueueUrl',
  ],
  sync: [
    'config',
    'kubelets',
    'objectsTable',
    'versionsTable',
    'namespacesTable',
    'logTable',
    'keysTable',
    'workQueueUrl',
    'deadLetterQueueUrl',
    'traceSampleRate',
  ],
  resync: [
    'config',
    'kubelets',
    'nodes',
    'smokeTest',
    'restoreId',
    'objectsTable',
    'versionsTable',
    'namespacesTable',
    'logTable',
    'keysTable',
    'workQueueUrl',
    'givenUpQueueUrl',
  ],
} as const satisfies Readonly<Record<string, readonly Variable[]>>;

/** The values of one function's variables, by their names in `VARIABLES`. */
export type EnvironmentOf<F extends keyof typeof FUNCTION_VARIABLES> = Readonly<
  Record<(typeof FUNCTION_VARIABLES)[F][number], string>
>;

/** What says `api` where the objects are, and who else is to be told of its writes. */
export type StoreEnvironment = Omit<
  EnvironmentOf<'api'>,
  'watchSeconds' | 'maxWatches' | 'auditLogGroup' | 'auditPolicy'
>;

/** Reads a function's variables from `environment`. Throws an error that names the missing ones, if the function was not deployed by this stack. */
export function readEnvironment<F extends keyof typeof FUNCTION_VARIABLES>(
  functionName: F,
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentOf<F> {
  const wanted: readonly Variable[] = FUNCTION_VARIABLES[functionName];
  const missing = wanted.map((variable) => VARIABLES[variable]).filter((name) => environment[name] === undefined);
  if (missing.length > 0) throw new Error(`${functionName}: the environment lacks ${missing.join(', ')}`);
  const values = wanted.map((variable) => [variable, environment[VARIABLES[variable]]]);
  return Object.fromEntries(values) as EnvironmentOf<F>;
}
