import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { StreamRecord } from '../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import type { TableDefinition } from '../../lambdas/adapters/aws/tables.ts';

/** What stands in for DynamoDB in a test: Amazon's emulator, or the model. */
export interface DynamoDbHost {
  readonly client: DynamoDBClient;
  /** Creates a table of that definition under a fresh name; returns the name, and the ARN of its stream if it has one. */
  createTable(definition: TableDefinition): Promise<{ tableName: string; streamArn: string }>;
  /** Opens a stream from its first record on. `read` returns the next records, or none. */
  openStream(streamArn: string): { read(): Promise<readonly StreamRecord[]> };
}
