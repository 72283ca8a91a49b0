import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { FIRST_POSITION } from '../../ports/ChangeLog.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';

interface Waiter {
  readonly resolve: (version: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Draws versions by an atomic add to the resource's counter, which costs one write unit. The draws that are requested while an add is under way share the
 * next add, so a burst costs few writes. Each version is drawn after its request, so it is higher than every version acknowledged before. None is drawn in
 * advance, because a version used long after its draw could not be put in order any more.
 */
export class VersionCounter {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;
  readonly #waiting = new Map<GroupResource, Waiter[]>();

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  draw(resource: GroupResource): Promise<number> {
    return new Promise((resolve, reject) => {
      const gathering = this.#waiting.get(resource);
      if (gathering) gathering.push({ resolve, reject });
      else {
        this.#waiting.set(resource, [{ resolve, reject }]);
        void this.#run(resource);
      }
    });
  }

  async #run(resource: GroupResource): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(resource) ?? [];
      if (batch.length === 0) break;
      this.#waiting.set(resource, []);
      await this.#serve(resource, batch);
    }
    this.#waiting.delete(resource);
  }

  async #serve(resource: GroupResource, batch: readonly Waiter[]): Promise<void> {
    try {
      const newest = await this.#add(resource, batch.length);
      batch.forEach(({ resolve }, at) => resolve(newest - batch.length + 1 + at));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** An add whose answer was lost is carried out twice. That leaves only a gap in the versions. */
  async #add(resource: GroupResource, count: number): Promise<number> {
    const { Attributes } = await this.#calls.send((client) =>
      client.send(
        new UpdateItemCommand({
          TableName: this.#tableName,
          Key: { resource: { S: resource } },
          UpdateExpression: 'SET version = if_not_exists(version, :first) + :count',
          ExpressionAttributeValues: { ':first': { N: String(FIRST_POSITION) }, ':count': { N: String(count) } },
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
    );
    const newest = Number(Attributes?.['version']?.N);
    if (!Number.isSafeInteger(newest)) throw new Error(`the version counter of ${resource} is exhausted`);
    return newest;
  }
}
