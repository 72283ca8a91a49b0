import type { AccountReads, TemplateResource, TemplateResources } from '../preflight/AccountReads.ts';

/**
 * The account in which the stack is, as the steps see it. Each method throws a ReadError if AWS denies a call or does not answer it, and returns `undefined`, or leaves out, what does not exist. Times are in milliseconds since 1970.
 */
export interface StackAccount {
  readonly region: string;
  readonly reads: StackReads;
  readonly observations: Observations;
  readonly changes: AccountChanges;
}

/** What the stack is made of. */
export interface StackReads extends Pick<AccountReads, 'knowsRuntime' | 'subnets' | 'zones' | 'defaultSubnetZones'> {
  stack(stackName: string): Promise<DeployedStack | undefined>;
  table(name: string): Promise<TableState | undefined>;
  /** The executions that are reserved for a function. */
  reservedConcurrency(functionName: string): Promise<number | undefined>;
  /** The items of a table, strongly consistent, in no order. Each page costs read units by its size. */
  items(tableName: string): AsyncIterable<StoredItem>;
}

export interface DeployedStack {
  readonly name: string;
  /** CloudFormation's, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly resources: TemplateResources;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The names that AWS knows the resources by, by logical id. */
  readonly physicalIds: Readonly<Record<string, string>>;
}

/** The resources of a type whose logical id begins so, with the names that AWS knows them by. Pure. */
export function deployedOfType(
  { resources, physicalIds }: DeployedStack,
  type: string,
  prefix = '',
): readonly (TemplateResource & { readonly logicalId: string; readonly physicalId: string })[] {
  return Object.entries(resources).flatMap(([logicalId, resource]) => {
    const physicalId = physicalIds[logicalId];
    const isOne = resource.Type === type && logicalId.startsWith(prefix) && physicalId !== undefined;
    return isOne ? [{ ...resource, logicalId, physicalId }] : [];
  });
}

export interface TableState {
  /** DynamoDB's, such as `ACTIVE`. */
  readonly status: string;
  readonly isProtected: boolean;
  /** Absent if the table has no stream. */
  readonly streamView: string | undefined;
  /** The attribute by which items expire; absent if none do. */
  readonly expiryAttribute: string | undefined;
  readonly bytes: number;
  /** Absent if the table cannot be restored to a point in time. */
  readonly recovery: { readonly days: number; readonly latestMs: number } | undefined;
}

/** An item of the table of objects, as it must come back from a backup. */
export interface StoredItem {
  /** Partition and sort key. */
  readonly key: string;
  /** The version of its last write; 0 for an item that has none. */
  readonly version: number;
  /** A digest of all its attributes. */
  readonly digest: string;
}

/** What the stack has noted of itself. */
export interface Observations {
  /** The rows of a query of Logs Insights, each by its columns. */
  queryLogs(query: LogsQuery): Promise<readonly Readonly<Record<string, string>>[]>;
  /** The values of a metric, one for each minute in which there was one. */
  metric(metric: MetricQuery): Promise<readonly number[]>;
  /** By name. */
  alarms(names: readonly string[]): Promise<Readonly<Record<string, AlarmState>>>;
  /** How the actions of an alarm have ended since then. */
  alarmActions(name: string, sinceMs: number): Promise<readonly ('succeeded' | 'failed')[]>;
  budget(name: string): Promise<BudgetState | undefined>;
  /** What the resources with the stack's tag have cost on each day, by service, in dollars; a day without costs has no services. Is billed. */
  dailyCosts(stackName: string, period: Period): Promise<readonly DailyCost[]>;
}

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface LogsQuery extends Period {
  readonly logGroup: string;
  readonly query: string;
}

export interface MetricQuery extends Period {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Average' | 'Maximum' | 'Sum';
}

export interface AlarmState {
  /** `OK`, `ALARM` or `INSUFFICIENT_DATA`. */
  readonly state: string;
  /** Whether another alarm keeps it from telling anybody. */
  readonly isSuppressed: boolean;
  /** Whether it tells anybody at all. */
  readonly hasActions: boolean;
}

export interface BudgetState {
  readonly limitDollars: number;
  readonly spentDollars: number;
}

export interface DailyCost {
  /** `2026-11-27`. */
  readonly day: string;
  readonly dollarsByService: Readonly<Record<string, number>>;
}

/** All that `verify` changes in an account. Nothing else in it sends a command that writes. */
export interface AccountChanges {
  /** Restores a table to a new one, as it was at that second. Returns before the copy can be read. */
  restoreTable(source: string, copy: string, atMs: number): Promise<void>;
  /** Throws, without asking AWS, for a table whose name is not that of a copy. */
  deleteCopy(copy: string): Promise<void>;
  setAlarmState(name: string, state: string, reason: string): Promise<void>;
  /** Reserves executions for a function, or none in particular if `executions` is undefined. */
  reserveConcurrency(functionName: string, executions: number | undefined): Promise<void>;
}

/** The beginning of the names of all copies. The policy that `verify` prints allows the deletion of such tables alone. */
const COPY_PREFIX = 'driftless-verify-';

/** The name of a run's copy of a table. Pure. */
export function copyName(runId: string): string {
  return `${COPY_PREFIX}${runId}`;
}

/** Throws for any table that `verify` has not made itself. Pure. */
export function assertIsCopy(name: string): void {
  if (name.startsWith(COPY_PREFIX)) return;
  throw new Error(`${name} is not a copy that verify has made`);
}
