import { PutItemCommand, QueryCommand, type QueryCommandOutput, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { encodeVersions } from '../../../lambdas/adapters/aws/log/encodeVersions.ts';
import type { Service } from '../../model/cloud/modelClients.ts';
import type { CloudMutation } from './CloudMutation.ts';

/** Defects of how writers append to the change log, ahead of the stream. */
export const EARLY_MUTATIONS: readonly CloudMutation[] = [
  {
    name: 'early-without-predecessor',
    what: 'a writer takes every version up to the end of the log for logged, so it appends a change although the one before it is not logged',
    create: () => ({
      dynamoDb: (service, processName) => (processName.startsWith('sync-') ? withoutHoles(service) : service),
    }),
  },
  {
    name: 'early-over-tombstones',
    what: 'a writer does not see the tombstone that its object replaces, so it appends the new object although the removal of the old one is not logged',
    create: () => ({
      dynamoDb: (service) => ({
        execute: (command) => {
          const answer = service.execute(command);
          return command instanceof UpdateItemCommand && command.input.TableName === 'objects'
            ? withoutTombstone(answer)
            : answer;
        },
      }),
    }),
  },
];

/** The log as a process sees it to which all segments have each version between their positions. What it derives is not stored, so that no other process believes it. */
function withoutHoles(service: Service): Service {
  return {
    execute: (command) => {
      if (command instanceof PutItemCommand && command.input.TableName === 'log' && derives(command)) return {};
      const answer = service.execute(command);
      return command instanceof QueryCommand && command.input.TableName === 'log' ? filled(command, answer) : answer;
    },
  };
}

function derives({ input: { Item = {} } }: PutItemCommand): boolean {
  return Item['headSegment'] !== undefined || Item['bits'] !== undefined;
}

function filled({ input }: QueryCommand, answer: object): object {
  const { Items = [] } = answer as QueryCommandOutput;
  // A chunk without a bitmap has no holes.
  if (input.ExpressionAttributeValues?.[':resource']?.S?.endsWith('#versions')) return { ...answer, Items: [] };
  return {
    ...answer,
    Items: Items.map((item) => {
      const [first, last] = [Number(item['previousPosition']?.N) + 1, Number(item['position']?.N)];
      const versions = Array.from({ length: last - first + 1 }, (_, at) => first + at);
      return { ...item, versions: { B: encodeVersions(versions) } };
    }),
  };
}

function withoutTombstone(answer: object): object {
  const { Attributes } = answer as { readonly Attributes?: Readonly<Record<string, unknown>> };
  return Attributes && Attributes['uid'] === undefined ? { ...answer, Attributes: undefined } : answer;
}
