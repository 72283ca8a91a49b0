import { type CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { DriftlessStackProps, RestoredTable } from './DriftlessStackProps.ts';
import {
  KEY_ITEMS_TABLE,
  LOG_TABLE,
  NAMESPACES_TABLE,
  OBJECTS_TABLE,
  type TableDefinition,
  type TableKey,
  VERSIONS_TABLE,
} from '../../lambdas/adapters/aws/tables.ts';
import type { TableName } from './TableName.ts';

export type Tables = Readonly<Record<TableName, ITable>>;

/** These must never change: CloudFormation would create a new, empty table for a new logical id. */
const LOGICAL_IDS: Readonly<Record<TableName, string>> = {
  objects: 'ObjectsTable',
  versions: 'VersionsTable',
  namespaces: 'NamespacesTable',
  log: 'LogTable',
  keys: 'KeysTable',
};

/** Creates the tables of `TABLES`, billed on demand, or refers to those that were restored. `protectTables` protects them. */
export function createTables(scope: Construct, props: DriftlessStackProps, encryptionKey: IKey | undefined): Tables {
  const tables = Object.entries(TABLES).map(([name, definition]) => {
    const logicalId = LOGICAL_IDS[name as TableName];
    const restored = props.restoredTables[name as TableName];
    const warm = props.warmThroughput[name as TableName];
    return [
      name,
      restored
        ? adopt(scope, logicalId, restored)
        : createTable(scope, logicalId, definition, { warm, props, encryptionKey }),
    ];
  });
  return Object.fromEntries(tables) as Record<TableName, ITable>;
}

/** A table that is not part of the stack: CloudFormation changes nothing of it and never deletes it. */
function adopt(scope: Construct, logicalId: string, { name, streamArn }: RestoredTable): ITable {
  return Table.fromTableAttributes(scope, `Restored${logicalId}`, {
    tableName: name,
    ...(streamArn !== undefined && { tableStreamArn: streamArn }),
  });
}

interface TableOptions {
  readonly warm: WarmThroughput | undefined;
  readonly props: DriftlessStackProps;
  readonly encryptionKey: IKey | undefined;
}

function createTable(
  scope: Construct,
  logicalId: string,
  definition: TableDefinition,
  { warm, props, encryptionKey }: TableOptions,
): Table {
  // A restore needs the objects alone: the other tables are made to fit them, and may as well be empty.
  const recoveryDays = definition.streamed ? props.pointInTimeRecoveryDays : 0;
  const table = new Table(scope, logicalId, {
    partitionKey: attribute(definition.partitionKey),
    ...(definition.sortKey && { sortKey: attribute(definition.sortKey) }),
    ...(definition.streamed && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
    ...(definition.timeToLive !== undefined && { timeToLiveAttribute: definition.timeToLive }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...(warm && { warmThroughput: warm }),
    ...encryptionOf(props, encryptionKey),
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: recoveryDays > 0,
      ...(recoveryDays > 0 && { recoveryPeriodInDays: recoveryDays }),
    },
    removalPolicy: removalPolicyOf(props),
  });
  addIndexes(table, definition, warm);
  (table.node.defaultChild as CfnResource).overrideLogicalId(logicalId);
  return table;
}

/** DynamoDB can change the key of a table at any time, so no table is replaced for it. */
function encryptionOf({ tableEncryption }: DriftlessStackProps, encryptionKey: IKey | undefined) {
  if (encryptionKey) return { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey };
  return { encryption: tableEncryption === 'awsManaged' ? TableEncryption.AWS_MANAGED : TableEncryption.DEFAULT };
}

/** What has been created stays when the stack is deleted, unless the user wants otherwise. What a first deployment creates goes with it if it fails. */
export function removalPolicyOf({ removalPolicy }: DriftlessStackProps): RemovalPolicy {
  return removalPolicy === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** A global index is warmed like its table: if it takes less, the table's writes are throttled too. */
function addIndexes(
  table: Table,
  { indexes = [], globalIndexes = [] }: TableDefinition,
  warm: WarmThroughput | undefined,
): void {
  for (const { name, sortKey, projected } of indexes) {
    table.addLocalSecondaryIndex({
      indexName: name,
      sortKey: attribute(sortKey),
      ...(projected.length > 0
        ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projected] }
        : { projectionType: ProjectionType.KEYS_ONLY }),
    });
  }
  for (const { name, partitionKey, sortKey } of globalIndexes) {
    table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: attribute(partitionKey),
      sortKey: attribute(sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
      ...(warm && { warmThroughput: warm }),
    });
  }
}

function attribute({ name, type }: TableKey) {
  return { name, type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER };
}

/** The stack's tables, as the adapters define them. */
export const TABLES: Readonly<Record<TableName, TableDefinition>> = {
  objects: OBJECTS_TABLE,
  versions: VERSIONS_TABLE,
  namespaces: NAMESPACES_TABLE,
  log: LOG_TABLE,
  keys: KEY_ITEMS_TABLE,
};
