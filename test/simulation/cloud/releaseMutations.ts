import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Service } from '../../model/cloud/modelClients.ts';
import type { CloudMutation } from './CloudMutation.ts';

/** Defects of a release that runs beside the one before it. With one release alone they change nothing. */
export const RELEASE_MUTATIONS: readonly CloudMutation[] = [
  {
    name: 'locks-unread-before',
    what: 'this release writes the holder of a lock in a form that the release before takes for none',
    create: (runsThis) => {
      const ofThis = new Set<string>();
      return {
        dynamoDb: (service, processName) => (runsThis(processName) ? noting(service, ofThis) : blind(service, ofThis)),
      };
    },
  },
];

/** Notes whose locks this release has taken last. */
function noting(service: Service, ofThis: Set<string>): Service {
  return {
    execute: (command) => {
      const answer = service.execute(command);
      if (takesLock(command)) ofThis.add(keyOf(command));
      return answer;
    },
  };
}

/** Takes a lock that this release holds as if nobody held it. */
function blind(service: Service, ofThis: Set<string>): Service {
  return {
    execute: (command) => {
      if (!takesLock(command)) return service.execute(command);
      const isUnread = ofThis.has(keyOf(command));
      const answer = service.execute(isUnread ? new UpdateItemCommand(withoutHolder(command.input)) : command);
      ofThis.delete(keyOf(command));
      return answer;
    },
  };
}

function takesLock(command: object): command is UpdateItemCommand {
  if (!(command instanceof UpdateItemCommand) || command.input.TableName !== 'keys') return false;
  return command.input.ConditionExpression?.includes('attribute_not_exists(holder)') ?? false;
}

function keyOf({ input }: UpdateItemCommand): string {
  return input.Key?.['key']?.S ?? '';
}

/** The first part of the condition always holds then. */
function withoutHolder(input: UpdateItemCommand['input']): UpdateItemCommand['input'] {
  const ConditionExpression = input.ConditionExpression?.replace(
    'attribute_not_exists(holder)',
    'heldUntil > :now OR $&',
  );
  return { ...input, ConditionExpression };
}
