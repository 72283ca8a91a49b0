/**
 * What the stack tells its functions, by environment variables: the one place where both sides find the names. Values are texts; what is more than
 * a name is JSON.
 */
export const VARIABLES = {
  /** This control plane's own id: what tokens must have been signed for in `x-k8s-aws-id`. */
  clusterId: 'DRIFTLESS_CLUSTER_ID',
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  partition: 'DRIFTLESS_PARTITION',
  /** JSON of `IdentityMapping[]` (see authorize/mapCaller.ts). */
  identities: 'DRIFTLESS_IDENTITIES',
  /** JSON of what `parseConfig` takes (see parseConfig.ts). */
  config: 'DRIFTLESS_CONFIG',
  /** How many simulated nodes there are; a decimal number. */
  nodes: 'DRIFTLESS_NODES',
  objectsTable: 'DRIFTLESS_OBJECTS_TABLE',
  versionsTable: 'DRIFTLESS_VERSIONS_TABLE',
  namespacesTable: 'DRIFTLESS_NAMESPACES_TABLE',
  logTable: 'DRIFTLESS_LOG_TABLE',
  keysTable: 'DRIFTLESS_KEYS_TABLE',
  workQueueUrl: 'DRIFTLESS_WORK_QUEUE_URL',
  deadLetterQueueUrl: 'DRIFTLESS_DEAD_LETTER_QUEUE_URL',
  /** Whatever is sent there has `resync` begin a new epoch of the log and look at every key. */
  givenUpQueueUrl: 'DRIFTLESS_GIVEN_UP_QUEUE_URL',
} as const;

export type Variable = keyof typeof VARIABLES;

/** Which variables each function is given, and may read. */
export const FUNCTION_VARIABLES = {
  api: ['config', 'clusterId', 'objectsTable', 'versionsTable', 'namespacesTable', 'logTable'],
  authorize: ['clusterId', 'partition', 'identities'],
  record: ['logTable', 'versionsTable', 'givenUpQueueUrl'],
  enqueue: ['config', 'objectsTable', 'versionsTable', 'namespacesTable', 'workQueueUrl'],
  sync: [
    'config',
    'objectsTable',
    'versionsTable',
    'namespacesTable',
    'keysTable',
    'workQueueUrl',
    'deadLetterQueueUrl',
  ],
  resync: [
    'config',
    'nodes',
    'objectsTable',
    'versionsTable',
    'namespacesTable',
    'logTable',
    'keysTable',
    'workQueueUrl',
  ],
} as const satisfies Readonly<Record<string, readonly Variable[]>>;

/** The variables of one function, by our own names. */
export type EnvironmentOf<F extends keyof typeof FUNCTION_VARIABLES> = Readonly<
  Record<(typeof FUNCTION_VARIABLES)[F][number], string>
>;

/** Reads a function's variables out of `environment`. Throws, naming them, if some are missing: the function was not deployed by this stack. */
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
