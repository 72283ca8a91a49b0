import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { currentRequest } from './RequestContext.ts';

interface Input {
  readonly TableName?: string;
  readonly QueueUrl?: string;
  readonly Key?: Readonly<Record<string, AttributeValue>>;
  readonly RequestItems?: object;
}

const OF_OBJECTS = new Set(['objects', 'events']);

/** Names a request: by what it is for, if that is known, and else by the table or queue and the key. */
export function describeRequest(command: object): string {
  const { TableName, QueueUrl, Key, RequestItems } = (command as { readonly input: Input }).input;
  const target = TableName ?? QueueUrl ?? Object.keys(RequestItems ?? {})[0] ?? '';
  const request = currentRequest.getStore();
  if (request && OF_OBJECTS.has(target)) return request.what;
  const key = Object.values(Key ?? {}).map(({ S, N }) => S ?? N);
  return [command.constructor.name.replace(/Command$/, ''), target, ...key].join(' ');
}
