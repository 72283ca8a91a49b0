import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  type ReceiveMessageResult,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { VersionSet } from '../../../lambdas/adapters/aws/log/VersionSet.ts';
import type { Service } from '../../model/cloud/modelClients.ts';
import type { CloudMutation, Invoke } from './CloudMutation.ts';
import { EARLY_MUTATIONS } from './earlyMutations.ts';
import { KEY_MUTATIONS } from './keyMutations.ts';

/** The deliberate defects of what runs on AWS, each of which the simulation must find. */
export const CLOUD_MUTATIONS: readonly CloudMutation[] = [
  ...KEY_MUTATIONS,
  ...EARLY_MUTATIONS,
  {
    name: 'eventual-reads',
    what: 'objects are read without a strong read, so a sync may decide on what the table said a second ago',
    create: () => ({ dynamoDb: (service) => changed(service, (command) => eventual(command, 'objects')) }),
  },
  {
    name: 'eventual-log-reads',
    what: 'the log is read without a strong read, so that segments of the last second may be missing among later ones',
    create: () => ({ dynamoDb: (service) => changed(service, (command) => eventual(command, 'log')) }),
  },
  {
    name: 'repeated-without-condition',
    what: 'a write whose answer was lost is repeated without its condition, and so takes effect twice',
    create: () => {
      const sent = new WeakSet<object>();
      return {
        dynamoDb: (service) =>
          changed(service, (command) => {
            const isRepeated = sent.has(command);
            sent.add(command);
            return isRepeated && tableOf(command) === 'objects' ? unconditional(command) : command;
          }),
      };
    },
  },
  {
    name: 'blind-writes',
    what: 'an object is replaced whatever its version is by then',
    create: () => ({
      dynamoDb: (service) =>
        changed(service, (command) =>
          conditionOf(command).includes('version = :read') ? unconditional(command) : command,
        ),
    }),
  },
  {
    name: 'blind-removals',
    what: 'an object is removed whatever its version is by then',
    create: () => ({
      dynamoDb: (service) =>
        changed(service, (command) => {
          const isRemoval = conditionOf(command).includes('version = :read') && removesBody(command);
          return isRemoval ? unconditional(command) : command;
        }),
    }),
  },
  {
    name: 'locks-taken-twice',
    what: 'a lock is taken though somebody holds it',
    create: () => ({
      dynamoDb: (service) =>
        changed(service, (command) => {
          const isTaking = tableOf(command) === 'keys' && conditionOf(command).includes('attribute_not_exists(holder)');
          return isTaking ? unconditional(command) : command;
        }),
    }),
  },
  {
    name: 'segments-overwritten',
    what: 'a segment of the log is put though another appender has taken its number',
    create: () => ({
      dynamoDb: (service) =>
        changed(service, (command) => {
          const isSegment = tableOf(command) === 'log' && conditionOf(command) === 'attribute_not_exists(#segment)';
          return isSegment ? new PutItemCommand(withoutCondition(inputOf(command)) as never) : command;
        }),
    }),
  },
  {
    name: 'orphans-forgotten',
    what: 'the log does not name the objects that lack a change of a batch that was given up',
    create: () => ({
      dynamoDb: (service) =>
        changed(service, (command) => {
          if (!(command instanceof PutItemCommand)) return command;
          const { lasting, parts: _, body: __, ...Item } = command.input.Item ?? {};
          return lasting === undefined ? command : new PutItemCommand({ ...command.input, Item });
        }),
    }),
  },
  {
    name: 'batches-logged-twice',
    what: '`record` finds the stored bitmaps of logged versions empty, so what comes again is logged again',
    create: () => ({
      dynamoDb: (service, processName) => ({
        execute: (command) => {
          const answer = service.execute(command);
          return processName.startsWith('record-') && isReadOfBitmaps(command) ? withoutBits(answer) : answer;
        },
      }),
    }),
  },
  {
    name: 'holes-forgotten',
    what: 'bitmaps of logged versions are stored without their holes, so that a version which lags counts as logged',
    create: () => ({ dynamoDb: (service) => changed(service, withoutHoles) }),
  },
  {
    name: 'pages-cut',
    what: 'pages are of one object, and a list ends after its first page',
    create: () => ({
      dynamoDb: (service) => ({
        execute: (command) => {
          const isList = command instanceof QueryCommand && tableOf(command) === 'objects';
          if (!isList) return service.execute(command);
          const page = service.execute(new QueryCommand({ ...command.input, Limit: 1 }));
          return { ...page, LastEvaluatedKey: undefined };
        },
      }),
    }),
  },
  {
    name: 'records-cut',
    what: 'of a batch of the stream only the first half is looked at, and all of it counts as done',
    create: () => ({
      invoke: (name, invoke) => (name === 'enqueue' || name === 'record' ? (event) => invoke(halved(event)) : invoke),
    }),
  },
  {
    name: 'expiries-not-logged',
    what: '`record` passes over the deletions by which the time to live ends events, so watches never hear of them',
    create: () => ({
      invoke: (name, invoke) => (name === 'record' ? (event) => invoke(withoutExpiries(event)) : invoke),
    }),
  },
  {
    name: 'losses-passed-over',
    what: '`resync` is never told that a trigger read nothing for so long that the stream has dropped records',
    create: () => ({
      invoke: (name, invoke) => async (event) =>
        name === 'resync' && tellsOfLosses(event) ? NOTHING_FAILED : await invoke(event),
    }),
  },
  {
    name: 'dead-batches-passed-over',
    what: 'a batch of the stream counts as done when its function has died',
    create: () => ({
      invoke: (name, invoke) => (name === 'enqueue' || name === 'record' ? undying(invoke) : invoke),
    }),
  },
  {
    name: 'dead-messages-deleted',
    what: 'messages are deleted when their function has died',
    create: () => ({ invoke: (name, invoke) => (name === 'sync' ? undying(invoke) : invoke) }),
  },
  {
    name: 'kept-messages-deleted',
    what: 'messages that the function wants to keep are deleted',
    create: () => ({
      invoke: (name, invoke) => async (event) => {
        const outcome = await invoke(event);
        return name === 'sync' && outcome.status === 'returned' ? NOTHING_FAILED : outcome;
      },
    }),
  },
  {
    name: 'received-messages-deleted',
    what: 'messages that `sync` receives itself are deleted before their keys are synced',
    create: () => ({
      sqs: (service, processName) => ({
        execute: (command) => {
          const answer = service.execute(command);
          if (processName.startsWith('sync-') && command instanceof ReceiveMessageCommand)
            deleteReceived(service, command, answer);
          return answer;
        },
      }),
    }),
  },
  {
    name: 'refused-messages-forgotten',
    what: 'messages that SQS has refused while it accepted others are not sent again',
    create: () => ({
      sqs: (service) => ({
        execute: (command) => {
          const answer = service.execute(command);
          return command instanceof SendMessageBatchCommand ? { ...answer, Failed: [] } : answer;
        },
      }),
    }),
  },
  {
    name: 'lost-wake-ups',
    what: 'delayed messages are lost, and nobody looks for overdue keys',
    create: () => ({
      dynamoDb: (service) => ({
        execute: (command) =>
          command instanceof QueryCommand && tableOf(command) === 'keys' ? { Items: [] } : service.execute(command),
      }),
      sqs: (service, processName) => ({
        execute: (command) =>
          processName.startsWith('sync-') && command instanceof SendMessageBatchCommand
            ? sendUndelayed(service, command)
            : service.execute(command),
      }),
    }),
  },
];

const NOTHING_FAILED = { status: 'returned', result: { batchItemFailures: [] } } as const;

interface Input {
  readonly TableName?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

function inputOf(command: object): Input {
  return (command as { readonly input: Input }).input;
}

function tableOf(command: object): string {
  return inputOf(command).TableName ?? '';
}

function conditionOf(command: object): string {
  return inputOf(command).ConditionExpression ?? '';
}

function changed(service: Service, change: (command: object) => object): Service {
  return { execute: (command) => service.execute(change(command)) };
}

/** Only a removal leaves its UID among the dead ones of the name. */
function removesBody(command: object): boolean {
  return command instanceof UpdateItemCommand && command.input.ExpressionAttributeValues?.[':set_dead'] !== undefined;
}

function eventual(command: object, table: string): object {
  if (tableOf(command) !== table) return command;
  if (command instanceof GetItemCommand) return new GetItemCommand({ ...command.input, ConsistentRead: false });
  return command instanceof QueryCommand ? new QueryCommand({ ...command.input, ConsistentRead: false }) : command;
}

/** DynamoDB refuses values that no expression uses. */
function withoutCondition(input: Input): Input {
  const { ConditionExpression: _, ...rest } = input;
  const expressions = Object.values(rest)
    .filter((value) => typeof value === 'string')
    .join(' ');
  const isUsed = ([name]: readonly [string, unknown]) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(expressions);
  const pruned = (values: Readonly<Record<string, unknown>> | undefined) => {
    const used = Object.entries(values ?? {}).filter(isUsed);
    return used.length > 0 ? Object.fromEntries(used) : undefined;
  };
  const names = (rest as { readonly ExpressionAttributeNames?: Readonly<Record<string, unknown>> })
    .ExpressionAttributeNames;
  return {
    ...rest,
    ExpressionAttributeValues: pruned(rest.ExpressionAttributeValues),
    ExpressionAttributeNames: pruned(names),
  } as Input;
}

function unconditional(command: object): object {
  return command instanceof UpdateItemCommand
    ? new UpdateItemCommand(withoutCondition(command.input) as UpdateItemCommand['input'])
    : command;
}

function isReadOfBitmaps(command: object): boolean {
  return (
    command instanceof QueryCommand &&
    tableOf(command) === 'log' &&
    command.input.ExpressionAttributeValues?.[':resource']?.S?.endsWith('#versions') === true
  );
}

function withoutBits(answer: object): object {
  const { Items = [] } = answer as QueryCommandOutput;
  return { ...answer, Items: Items.map((item) => ({ ...item, bits: { B: deflateRawSync(new Uint8Array(8192)) } })) };
}

/** Of a write of a bitmap: all versions up to the highest that is logged count as logged. */
function withoutHoles(command: object): object {
  const isOfBitmap = command instanceof PutItemCommand && command.input.Item?.['resource']?.S?.endsWith('#versions');
  if (!isOfBitmap) return command;
  const { Item } = command.input;
  const bits = inflateRawSync(Item?.['bits']?.B ?? new Uint8Array());
  const filled = new VersionSet();
  const last = bits.findLastIndex((byte) => byte !== 0);
  filled.fill(0, last * 8 + 31 - Math.clz32(bits[last] ?? 0));
  return new PutItemCommand({ ...command.input, Item: { ...Item, bits: { B: deflateRawSync(filled.bitsOf(0)) } } });
}

function halved(event: unknown): unknown {
  const { Records } = event as { readonly Records: readonly unknown[] };
  return { Records: Records.slice(0, Math.ceil(Records.length / 2)) };
}

/** DynamoDB itself is named in the records of what the time to live deletes. */
function withoutExpiries(event: unknown): unknown {
  const { Records } = event as { readonly Records: readonly { readonly userIdentity?: object }[] };
  return { Records: Records.filter(({ userIdentity }) => userIdentity === undefined) };
}

function tellsOfLosses(event: unknown): boolean {
  const { Records = [] } = event as { readonly Records?: readonly { readonly body: string }[] };
  return Records.some(({ body }) => body.includes('givenUp') || body.includes('DDBStreamBatchInfo'));
}

function undying(invoke: Invoke): Invoke {
  return async (event) => {
    const outcome = await invoke(event);
    return outcome.status === 'failed' ? NOTHING_FAILED : outcome;
  };
}

function deleteReceived(
  service: Service,
  { input }: ReceiveMessageCommand,
  { Messages = [] }: ReceiveMessageResult,
): void {
  const Entries = Messages.map(({ ReceiptHandle }, at) => ({ Id: `${at}`, ReceiptHandle }));
  if (Entries.length > 0) service.execute(new DeleteMessageBatchCommand({ QueueUrl: input.QueueUrl, Entries }));
}

function sendUndelayed(service: Service, { input }: SendMessageBatchCommand): object {
  const Entries = (input.Entries ?? []).filter(({ DelaySeconds = 0 }) => DelaySeconds === 0);
  return Entries.length > 0 ? service.execute(new SendMessageBatchCommand({ ...input, Entries })) : {};
}
