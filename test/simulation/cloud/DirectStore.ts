import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { writeHeartbeat } from '../../../lambdas/adapters/aws/log/writeHeartbeat.ts';
import { DynamoDbObjectStore } from '../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { LONGEST_UNREAD_MS } from '../../../lambdas/functions/limits.ts';
import type { KubernetesObject, NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import type { Ids } from '../../../lambdas/ports/Ids.ts';
import type { ListOptions, ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import type { Writer, WriterStore } from '../AuditedStore.ts';
import { currentTrail } from '../SyncTrail.ts';
import { currentWriter } from './RequestContext.ts';

/** The tables as those write them who stand outside: kubelets, rivals and the bootstrap. Each call is over at the instant at which it begins. */
export class DirectStore implements Omit<WriterStore, 'reopen' | 'nextOrder'> {
  readonly #open: () => ObjectStore;
  /** Writes a heartbeat, as the run of `resync` does that the stack's creation triggers. */
  readonly beat: () => Promise<void>;

  /** `client` answers without delay. */
  constructor(client: DynamoDBClient, scheduler: Clock, ids: Ids) {
    const clock = withoutTurns(scheduler);
    const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
    // A store of its own for each call: what one process remembers or gathers must not make another wait.
    const newCalls = () => new DynamoDbCalls({ client, clock, ids });
    this.#open = () => new DynamoDbObjectStore({ calls: newCalls(), tables });
    this.beat = () =>
      writeHeartbeat({
        calls: newCalls(),
        objectsTable: tables.objects,
        longestSilenceMs: LONGEST_UNREAD_MS,
        onSilence: async () => {},
      });
  }

  get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
    return this.#open().get<T>(key);
  }

  list<T extends KubernetesObject>(resource: GroupResource, options?: ListOptions) {
    return this.#open().list<T>(resource, options);
  }

  create<T extends KubernetesObject>(writer: Writer, resource: GroupResource, object: NewObject) {
    return writeAs(writer, () => this.#open().create<T>(resource, object));
  }

  replace<T extends KubernetesObject>(writer: Writer, resource: GroupResource, object: T) {
    return writeAs(writer, () => this.#open().replace<T>(resource, object));
  }

  remove<T extends KubernetesObject>(
    writer: Writer,
    key: ObjectKey,
    preconditions?: Parameters<ObjectStore['remove']>[1],
  ) {
    return writeAs(writer, () => this.#open().remove<T>(key, preconditions));
  }

  burn<T extends KubernetesObject>(key: ObjectKey, uid: string) {
    return this.#open().burn<T>(key, uid);
  }
}

/** What only waits for its turn goes on at once. */
function withoutTurns(clock: Clock): Clock {
  const now = () => clock.now();
  const setTimer = (delayMs: number, wake: () => void) => {
    if (delayMs > 0) return clock.setTimer(delayMs, wake);
    queueMicrotask(wake);
    return () => {};
  };
  return { now, steadyMs: now, setTimer };
}

function writeAs<T>(writer: Writer, write: () => Promise<T>): Promise<T> {
  return currentTrail.exit(() => currentWriter.run(writer, write));
}
