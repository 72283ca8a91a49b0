import { CloudWatchClient, SetAlarmStateCommand, type StateValue } from '@aws-sdk/client-cloudwatch';
import { DeleteTableCommand, DynamoDBClient, RestoreTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
import { DeleteFunctionConcurrencyCommand, LambdaClient, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { read } from '../../preflight/askAws.ts';
import type { AwsSettings } from '../../preflight/AwsSettings.ts';
import { type AccountChanges, assertIsCopy } from '../StackAccount.ts';

/** The only file of `verify` with commands that write: a test looks at their names. */
export class AwsChanges implements AccountChanges {
  readonly #cloudWatch: CloudWatchClient;
  readonly #dynamoDb: DynamoDBClient;
  readonly #lambda: LambdaClient;

  constructor(settings: AwsSettings) {
    this.#cloudWatch = new CloudWatchClient(settings);
    this.#dynamoDb = new DynamoDBClient(settings);
    this.#lambda = new LambdaClient(settings);
  }

  async restoreTable(source: string, copy: string, atMs: number): Promise<void> {
    assertIsCopy(copy);
    const input = { SourceTableName: source, TargetTableName: copy, RestoreDateTime: new Date(atMs) };
    await read('dynamodb:RestoreTableToPointInTime', () =>
      this.#dynamoDb.send(new RestoreTableToPointInTimeCommand(input)),
    );
  }

  async deleteCopy(copy: string): Promise<void> {
    assertIsCopy(copy);
    await read('dynamodb:DeleteTable', () => this.#dynamoDb.send(new DeleteTableCommand({ TableName: copy })));
  }

  async setAlarmState(name: string, state: string, reason: string): Promise<void> {
    const input = { AlarmName: name, StateValue: state as StateValue, StateReason: reason };
    await read('cloudwatch:SetAlarmState', () => this.#cloudWatch.send(new SetAlarmStateCommand(input)));
  }

  async reserveConcurrency(functionName: string, executions: number | undefined): Promise<void> {
    const input = { FunctionName: functionName };
    if (executions === undefined) {
      const remove = () => this.#lambda.send(new DeleteFunctionConcurrencyCommand(input));
      await read('lambda:DeleteFunctionConcurrency', remove);
      return;
    }
    const put = new PutFunctionConcurrencyCommand({ ...input, ReservedConcurrentExecutions: executions });
    await read('lambda:PutFunctionConcurrency', () => this.#lambda.send(put));
  }
}
