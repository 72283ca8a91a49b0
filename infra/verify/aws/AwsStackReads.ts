import { createHash } from 'node:crypto';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  type AttributeValue,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { GetFunctionConcurrencyCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type AccountReads, ReadError, type TemplateResources, type Zone } from '../../preflight/AccountReads.ts';
import { read, readUnless } from '../../preflight/askAws.ts';
import type { AwsSettings } from '../../preflight/AwsSettings.ts';
import type { DeployedStack, StackReads, StoredItem, TableState } from '../StackAccount.ts';

interface Template {
  readonly Resources?: TemplateResources;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** Asks CloudFormation, DynamoDB and Lambda. What the preflight asks, too, `account` knows. */
export class AwsStackReads implements StackReads {
  readonly #account: AccountReads;
  readonly #cloudFormation: CloudFormationClient;
  readonly #dynamoDb: DynamoDBClient;
  readonly #lambda: LambdaClient;

  constructor(settings: AwsSettings, account: AccountReads) {
    this.#account = account;
    this.#cloudFormation = new CloudFormationClient(settings);
    this.#dynamoDb = new DynamoDBClient(settings);
    this.#lambda = new LambdaClient(settings);
  }

  knowsRuntime(runtime: string): Promise<boolean> {
    return this.#account.knowsRuntime(runtime);
  }

  subnets(ids: readonly string[]) {
    return this.#account.subnets(ids);
  }

  zones(): Promise<readonly Zone[]> {
    return this.#account.zones();
  }

  defaultSubnetZones(): Promise<readonly string[]> {
    return this.#account.defaultSubnetZones();
  }

  async stack(name: string): Promise<DeployedStack | undefined> {
    const describe = () => this.#cloudFormation.send(new DescribeStacksCommand({ StackName: name }));
    const [stack] = (await readUnless(['ValidationError'], 'cloudformation:DescribeStacks', describe))?.Stacks ?? [];
    if (!stack) return undefined;
    const { Resources: resources = {}, Metadata: metadata = {} } = await this.#template(name);
    const outputs = (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
    return {
      name,
      status: stack.StackStatus ?? '',
      outputs: Object.fromEntries(outputs) as Readonly<Record<string, string>>,
      resources,
      metadata,
      physicalIds: await this.#physicalIds(name),
    };
  }

  async #template(name: string): Promise<Template> {
    const action = 'cloudformation:GetTemplate';
    const { TemplateBody = '{}' } = await read(action, () =>
      this.#cloudFormation.send(new GetTemplateCommand({ StackName: name })),
    );
    try {
      return JSON.parse(TemplateBody) as Template;
    } catch (cause) {
      throw new ReadError(action, 'failed', { message: 'a template that is not JSON', cause });
    }
  }

  async #physicalIds(name: string): Promise<Readonly<Record<string, string>>> {
    return read('cloudformation:ListStackResources', async () => {
      const ids: Record<string, string> = {};
      const pages = paginateListStackResources({ client: this.#cloudFormation }, { StackName: name });
      for await (const { StackResourceSummaries = [] } of pages) {
        for (const { LogicalResourceId = '', PhysicalResourceId } of StackResourceSummaries) {
          if (PhysicalResourceId !== undefined) ids[LogicalResourceId] = PhysicalResourceId;
        }
      }
      return ids;
    });
  }

  async table(name: string): Promise<TableState | undefined> {
    const input = { TableName: name };
    const describe = () => this.#dynamoDb.send(new DescribeTableCommand(input));
    const table = (await readUnless(['ResourceNotFoundException'], 'dynamodb:DescribeTable', describe))?.Table;
    if (!table) return undefined;
    const { TimeToLiveDescription } = await read('dynamodb:DescribeTimeToLive', () =>
      this.#dynamoDb.send(new DescribeTimeToLiveCommand(input)),
    );
    const stream = table.StreamSpecification;
    return {
      status: table.TableStatus ?? '',
      isProtected: table.DeletionProtectionEnabled ?? false,
      streamView: stream?.StreamEnabled ? stream.StreamViewType : undefined,
      expiryAttribute: TimeToLiveDescription?.AttributeName,
      bytes: table.TableSizeBytes ?? 0,
      recovery: await this.#recovery(name),
    };
  }

  async #recovery(name: string): Promise<TableState['recovery']> {
    const { ContinuousBackupsDescription } = await read('dynamodb:DescribeContinuousBackups', () =>
      this.#dynamoDb.send(new DescribeContinuousBackupsCommand({ TableName: name })),
    );
    const found = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    if (found?.PointInTimeRecoveryStatus !== 'ENABLED') return undefined;
    return { days: found.RecoveryPeriodInDays ?? 0, latestMs: found.LatestRestorableDateTime?.getTime() ?? 0 };
  }

  async reservedConcurrency(functionName: string): Promise<number | undefined> {
    const { ReservedConcurrentExecutions } = await read('lambda:GetFunctionConcurrency', () =>
      this.#lambda.send(new GetFunctionConcurrencyCommand({ FunctionName: functionName })),
    );
    return ReservedConcurrentExecutions;
  }

  async *items(tableName: string): AsyncGenerator<StoredItem> {
    const pages = paginateScan({ client: this.#dynamoDb }, { TableName: tableName, ConsistentRead: true });
    for (;;) {
      const { done, value } = await read('dynamodb:Scan', () => pages.next());
      if (done) return;
      for (const item of value.Items ?? []) yield storedItem(item);
    }
  }
}

/** DynamoDB returns the attributes of an item in no order. Pure. */
export function storedItem(item: Readonly<Record<string, AttributeValue>>): StoredItem {
  const attributes = Object.keys(item)
    .sort()
    .map((name) => [name, item[name]]);
  return {
    key: `${item['place']?.S ?? ''}/${item['name']?.S ?? ''}`,
    version: Number(item['version']?.N ?? 0),
    digest: createHash('sha256').update(JSON.stringify(attributes)).digest('base64'),
  };
}
