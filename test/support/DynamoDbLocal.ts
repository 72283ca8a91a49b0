import type { ChildProcess } from 'node:child_process';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoDbJava, missingJava, startDynamoDbJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import type { TableDefinition } from '../../lambdas/adapters/aws/tables.ts';
import type { DynamoDbHost } from './DynamoDbHost.ts';
import { LocalStream } from './LocalStream.ts';

/**
 * The reason why DynamoDB Local cannot run here, or `undefined` if it can. Suites skip with this reason in their title, and it is printed. If `CI` is set they run and
 * fail, so that a skip is never overlooked.
 */
export const dynamoDbLocalMissing: string | undefined = process.env['CI'] ? undefined : whyMissing();

function whyMissing(): string | undefined {
  const reason = missingJava();
  // Reporters show how many tests were skipped, but not their titles.
  if (reason !== undefined) console.warn(`Tests of the DynamoDB adapters are skipped: ${reason}.`);
  return reason;
}

/** Amazon's emulator in memory, on a free port, as a child process. */
export class DynamoDbLocal implements DynamoDbHost {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly #process: ChildProcess;
  readonly #kill: () => void;
  #tableCount = 0;

  private constructor({ process: child, port }: DynamoDbJava) {
    this.#process = child;
    this.#kill = () => this.#process.kill('SIGKILL');
    process.once('exit', this.#kill);
    this.endpoint = `http://127.0.0.1:${port}`;
    this.client = this.newClient();
  }

  /** Resolves when the emulator answers. Throws if it does not within a minute. */
  static async start(): Promise<DynamoDbLocal> {
    return new DynamoDbLocal(await startDynamoDbJava());
  }

  newClient(): DynamoDBClient {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return new DynamoDBClient({ endpoint: this.endpoint, region: 'local', credentials });
  }

  /** Creates a table of that definition under a fresh name; returns the name, and the ARN of its stream if it has one. */
  async createTable(definition: TableDefinition): Promise<{ tableName: string; streamArn: string }> {
    this.#tableCount += 1;
    const tableName = `table-${this.#tableCount}`;
    const { TableDescription } = await this.client.send(
      new CreateTableCommand(createTableInput(tableName, definition)),
    );
    return { tableName, streamArn: TableDescription?.LatestStreamArn ?? '' };
  }

  openStream(streamArn: string): LocalStream {
    return new LocalStream(this.endpoint, streamArn);
  }

  async stop(): Promise<void> {
    process.removeListener('exit', this.#kill);
    this.client.destroy();
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#kill();
    await ended;
  }
}

function createTableInput(tableName: string, definition: TableDefinition): CreateTableCommandInput {
  const { partitionKey, sortKey, indexes = [], globalIndexes = [] } = definition;
  const keys = [
    partitionKey,
    ...(sortKey ? [sortKey] : []),
    ...indexes.map((index) => index.sortKey),
    ...globalIndexes.flatMap((index) => [index.partitionKey, index.sortKey]),
  ];
  const schema = (range: { readonly name: string } | undefined, hash: { readonly name: string } = partitionKey) => [
    { AttributeName: hash.name, KeyType: 'HASH' as const },
    ...(range ? [{ AttributeName: range.name, KeyType: 'RANGE' as const }] : []),
  ];
  const projection = (projected: readonly string[]) =>
    projected.length > 0
      ? { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...projected] }
      : { ProjectionType: 'KEYS_ONLY' as const };
  const localIndexes = indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: schema(index.sortKey),
    Projection: projection(index.projected),
  }));
  const otherIndexes = globalIndexes.map((index) => ({
    IndexName: index.name,
    KeySchema: schema(index.sortKey, index.partitionKey),
    Projection: projection([]),
  }));
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
    KeySchema: schema(sortKey),
    ...(localIndexes.length > 0 && { LocalSecondaryIndexes: localIndexes }),
    ...(otherIndexes.length > 0 && { GlobalSecondaryIndexes: otherIndexes }),
    ...(definition.streamed && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
    }),
  };
}
