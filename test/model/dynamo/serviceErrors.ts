import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  ResourceNotFoundException,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './attributeValues.ts';

/** A request that DynamoDB refuses as it is. */
export function validationError(message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}

export function conditionFailed(item: Item | undefined): ConditionalCheckFailedException {
  const message = 'The conditional request failed';
  return new ConditionalCheckFailedException({ message, $metadata: {}, ...(item && { Item: item }) });
}

export function tableNotFound(tableName: string): ResourceNotFoundException {
  const message = `Requested resource not found: Table: ${tableName} not found`;
  return new ResourceNotFoundException({ message, $metadata: {} });
}

/** What limit was met: `TableWriteKeyRangeThroughputExceeded` of one partition, `TableReadAccountLimitExceeded` of a whole table, and so on. */
export interface ThrottlingReason {
  readonly on: 'Table' | 'Index';
  readonly operation: 'Read' | 'Write';
  readonly limit: 'KeyRangeThroughputExceeded' | 'AccountLimitExceeded';
}

/** The error of a table billed on demand. */
export function throttled({ on, operation, limit }: ThrottlingReason, resource: string): ThrottlingException {
  const reason = `${on}${operation}${limit}`;
  const message = `Throughput exceeds the current capacity of ${resource} (${reason})`;
  return new ThrottlingException({ message, $metadata: {}, throttlingReasons: [{ reason, resource }] });
}

export function isThrottled(error: unknown): error is ThrottlingException {
  return error instanceof ThrottlingException;
}
