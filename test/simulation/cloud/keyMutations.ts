import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { decodeKey } from '../../../lambdas/adapters/aws/queue/queueMessage.ts';
import { isPaced } from '../../../lambdas/functions/enqueue/KeyPacer.ts';
import { encodeCauses } from '../../../lambdas/ports/Causes.ts';
import { encodeWorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { CloudMutation } from './CloudMutation.ts';
import { causesOf, everyTenthDirect, type Entry, isDirect, sendingOnly } from './directMessages.ts';

/** Defects of how keys are sent after a change. */
export const KEY_MUTATIONS: readonly CloudMutation[] = [
  {
    name: 'left-out-after-due',
    what: '`enqueue` leaves out a message although the last one of its key was due at once, so a sync may have read the world before the change',
    create: () => ({
      sqs: (service, processName) =>
        processName.startsWith('enqueue-') ? sendingOnly(service, everySecondOfItsKey()) : service,
    }),
  },
  {
    name: 'keys-before-writes',
    what: 'the keys of a change are sent by its writer with those of the change before, and so before it is written, and not afterwards',
    create: () => {
      const early = new Set<string>();
      return {
        sqs: (service, processName) =>
          processName.startsWith('enqueue-') ? service : sendingOnly(service, (entry) => sentEarly(entry, early)),
      };
    },
  },
  {
    name: 'stream-keys-off',
    what: 'only writers send the keys of changes, and a tenth of these messages is lost',
    create: () => ({
      invoke: (name, invoke) => (name === 'enqueue' ? async () => NOTHING_FAILED : invoke),
      sqs: (service, processName) => sendingOnly(service, everyTenthDirect(processName)),
    }),
  },
  {
    name: 'seen-before-synced',
    what: 'a key has seen the changes of a message as soon as its lock is taken, whatever becomes of the sync',
    create: () => {
      const received = new Map<string, string>();
      return {
        invoke: (name, invoke) => async (event) => {
          if (name === 'sync') noteCauses(event, received);
          return await invoke(event);
        },
        dynamoDb: (service) => ({ execute: (command) => service.execute(seenWhenTaken(command, received)) }),
      };
    },
  },
  {
    name: 'follow-ups-not-repeated',
    what: 'what the sync of a follow-up sends is lost: its repetition, its later look, and the message for a worker that met its lock',
    create: () => ({
      followUpQueue: (workQueue) => ({
        send: async () => {},
        hide: (message, delayMs) => workQueue.hide(message, delayMs),
        bury: (message, why) => workQueue.bury(message, why),
      }),
    }),
  },
];

const NOTHING_FAILED = { status: 'returned', result: { batchItemFailures: [] } } as const;

/** Of the messages of each paced key that are due at once, the one after each that was sent is left out. */
function everySecondOfItsKey(): (entry: Entry) => Entry | undefined {
  const sent = new Set<string>();
  return (entry) => {
    const { MessageBody = '', DelaySeconds = 0 } = entry;
    const key = decodeKey(MessageBody);
    if (!key || DelaySeconds > 0 || !isPaced({ key })) return entry;
    if (sent.delete(MessageBody)) return undefined;
    sent.add(MessageBody);
    return entry;
  };
}

/** Names the next version, too, and leaves out the message that is sent when that is written. */
function sentEarly(entry: Entry, early: Set<string>): Entry | undefined {
  if (!isDirect(entry)) return entry;
  const { MessageBody = '' } = entry;
  const causes = [...causesOf(entry)];
  if (causes.every((cause) => early.has(`${MessageBody} ${cause}`))) return undefined;
  const next = causes.map(nextCause);
  for (const cause of next) early.add(`${MessageBody} ${cause}`);
  return withCauses(entry, new Set([...causes, ...next]));
}

function nextCause(cause: string): string {
  const [resource = '', version = ''] = cause.split(' ');
  return `${resource} ${Number(version) + 1}`;
}

function withCauses(entry: Entry, causes: ReadonlySet<string>): Entry {
  const StringValue = encodeCauses(causes);
  if (StringValue === undefined) return entry;
  return { ...entry, MessageAttributes: { ...entry.MessageAttributes, causes: { DataType: 'String', StringValue } } };
}

function noteCauses(event: unknown, received: Map<string, string>): void {
  for (const { body, messageAttributes } of (event as { readonly Records: readonly SQSRecord[] }).Records) {
    const [key, causes] = [decodeKey(body), messageAttributes['causes']?.stringValue];
    if (key && causes !== undefined) received.set(encodeWorkKey(key), causes);
  }
}

function seenWhenTaken(command: object, received: ReadonlyMap<string, string>): object {
  if (!(command instanceof UpdateItemCommand) || command.input.TableName !== 'keys') return command;
  const { Key, UpdateExpression = '', ConditionExpression = '', ExpressionAttributeValues } = command.input;
  const seen = received.get(Key?.['key']?.S ?? '');
  if (seen === undefined || !ConditionExpression.includes('attribute_not_exists(holder)')) return command;
  return new UpdateItemCommand({
    ...command.input,
    UpdateExpression: UpdateExpression.replace('SET ', 'SET seen = :seen, '),
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':seen': { S: seen } },
  });
}
