import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Service } from '../../model/cloud/modelClients.ts';

export interface OrphanParts {
  /** Whether the stream has lost a record so far. */
  readonly hasLost: () => boolean;
  readonly onFailure: (failure: string) => void;
}

/** Fails the run if the log takes a change for an orphan though the stream has lost nothing: it lacks a change that it was given. A watcher cannot see that, since a change after a barrier may follow states that were left out. */
export function watchOrphans(service: Service, { hasLost, onFailure }: OrphanParts): Service {
  return {
    execute: (command) => {
      const item = command instanceof PutItemCommand ? command.input.Item : undefined;
      if (item?.['lasting'] !== undefined && !hasLost())
        onFailure(`the log of ${item['log']?.S ?? item['resource']?.S} lacks a change though the stream has lost none`);
      return service.execute(command);
    },
  };
}
