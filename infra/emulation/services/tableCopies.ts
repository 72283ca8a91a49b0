import type { RestoredTable } from '../../cdk/DriftlessStackProps.ts';
import type { TableName } from '../../cdk/TableName.ts';
import type { DynamoDbLocal } from './DynamoDbLocal.ts';

/** A table as a backup holds it. */
export interface TableCopy {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly items: readonly object[];
}

/** The copies of a stack's tables, by the tables' names. */
export type TableCopies = Readonly<Record<string, TableCopy>>;

interface Described {
  readonly Table: Readonly<Record<string, unknown>> & { readonly LatestStreamArn?: string };
}

interface Index {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

/** Takes a copy of every table. The tables are read one after the other, so the copies have slightly different ages, as those of point-in-time recovery may. */
export async function copyTables(dynamoDb: DynamoDbLocal): Promise<TableCopies> {
  const { TableNames } = await dynamoDb.call<{ readonly TableNames: readonly string[] }>(
    'DynamoDB_20120810.ListTables',
    {},
  );
  const copies: [string, TableCopy][] = [];
  for (const TableName of TableNames) {
    const { Table } = await dynamoDb.call<Described>('DynamoDB_20120810.DescribeTable', { TableName });
    copies.push([TableName, { schema: schemaOf(Table), items: await scan(dynamoDb, TableName) }]);
  }
  return Object.fromEntries(copies);
}

/** Restores tables from their copies, under new names. Resolves to the stack's knob that adopts them. */
export async function restoreTables(
  dynamoDb: DynamoDbLocal,
  copies: Readonly<Partial<Record<TableName, TableCopy>>>,
): Promise<Readonly<Partial<Record<TableName, RestoredTable>>>> {
  const restored: [string, RestoredTable][] = [];
  for (const [table, copy] of Object.entries(copies)) {
    const name = `restored-${table}`;
    const streamArn = await restoreTable(dynamoDb, name, copy, table === 'objects');
    restored.push([table, { name, ...(streamArn !== undefined && { streamArn }) }]);
  }
  return Object.fromEntries(restored);
}

/** A restored table has no stream until it is enabled. Resolves to the stream's ARN. */
async function restoreTable(
  dynamoDb: DynamoDbLocal,
  TableName: string,
  { schema, items }: TableCopy,
  isStreamed: boolean,
): Promise<string | undefined> {
  await dynamoDb.call('DynamoDB_20120810.CreateTable', { TableName, ...schema, BillingMode: 'PAY_PER_REQUEST' });
  for (const Item of items) await dynamoDb.call('DynamoDB_20120810.PutItem', { TableName, Item });
  if (!isStreamed) return undefined;
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
  await dynamoDb.call('DynamoDB_20120810.UpdateTable', { TableName, StreamSpecification });
  const { Table } = await dynamoDb.call<Described>('DynamoDB_20120810.DescribeTable', { TableName });
  return Table.LatestStreamArn;
}

function schemaOf({ AttributeDefinitions, KeySchema, ...table }: Described['Table']): TableCopy['schema'] {
  const indexesOf = (name: string) => {
    const indexes = ((table[name] ?? []) as readonly Index[]).map(({ IndexName, KeySchema: keys, Projection }) => ({
      IndexName,
      KeySchema: keys,
      Projection,
    }));
    return indexes.length > 0 ? { [name]: indexes } : {};
  };
  return {
    AttributeDefinitions,
    KeySchema,
    ...indexesOf('LocalSecondaryIndexes'),
    ...indexesOf('GlobalSecondaryIndexes'),
  };
}

async function scan(dynamoDb: DynamoDbLocal, TableName: string): Promise<readonly object[]> {
  const items: object[] = [];
  let from: object | undefined;
  do {
    const page = await dynamoDb.call<{ readonly Items: readonly object[]; readonly LastEvaluatedKey?: object }>(
      'DynamoDB_20120810.Scan',
      { TableName, ConsistentRead: true, ...(from && { ExclusiveStartKey: from }) },
    );
    items.push(...page.Items);
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}
