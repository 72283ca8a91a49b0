import { beginAnew, type RecordDependencies, type RecordedItem } from './createRecordHandler.ts';

/**
 * What follows when records were given up after all their retries. The notice says where in the stream they were, and not what they said: so the log of
 * every resource begins anew, and every key is queued. Throws if that does not succeed everywhere; the notice is to be handed in again then.
 */
export function createGivenUpHandler(
  dependencies: Pick<RecordDependencies<RecordedItem>, 'appender' | 'resources' | 'queueEveryKey' | 'log'>,
) {
  return async (): Promise<void> => {
    for (const resource of dependencies.resources) await beginAnew(dependencies, resource, []);
  };
}
