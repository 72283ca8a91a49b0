import { ACCOUNT, REGION } from '../template/Template.ts';

/** An action and a resource in IAM's terms. */
export interface RequestedAction {
  readonly action: string;
  readonly resource: string;
}

/** The action that each part of a transaction needs. */
const TRANSACTION_PARTS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

interface TableRequest {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly StreamArn?: string;
  /** Begins with the ARN of its stream, and a bar. */
  readonly ShardIterator?: string;
}

/** Returns the actions that a request to DynamoDB or its streams needs: one, or one for each part of a transaction or table of a batch. Pure. */
export function dynamoDbActions(operation: string, body: string): readonly RequestedAction[] {
  const { TableName, IndexName, TransactItems, RequestItems, ...request } = JSON.parse(body) as TableRequest;
  const streamArn = request.StreamArn ?? request.ShardIterator?.split('|')[0];
  if (streamArn !== undefined) return [{ action: `dynamodb:${operation}`, resource: streamArn }];
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([part, { TableName: table }]) => tableAction(TRANSACTION_PARTS[part] ?? part, table)),
    );
  }
  if (RequestItems) return Object.keys(RequestItems).map((table) => tableAction(operation, table));
  return [tableAction(operation, IndexName === undefined ? `${TableName}` : `${TableName}/index/${IndexName}`)];
}

function tableAction(operation: string, place: string): RequestedAction {
  return { action: `dynamodb:${operation}`, resource: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${place}` };
}

/** Returns the action that a request to SQS needs. A batch needs the action of a single message. Pure. */
export function sqsActions(operation: string, body: string): readonly RequestedAction[] {
  const { QueueUrl = '' } = JSON.parse(body) as { readonly QueueUrl?: string };
  const resource = `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueUrl.split('/').at(-1)}`;
  return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resource }];
}
