import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';

interface Waiter {
  readonly resolve: (version: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Draws versions: one atomic add to the resource's counter. What is asked for while an add is under way shares the next one, which adds as many, so a
 * burst costs few writes. Each version is drawn after it was asked for, so it is above every version that was acknowledged before; none is drawn in
 * advance, as a number used long after its draw could not be put in order any more.
 *
 * Consumes one write unit an add.
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

  /** An add that is carried out twice, as its first answer was lost, leaves a gap and nothing worse. */
  async #add(resource: GroupResource, count: number): Promise<number> {
    const { Attributes } = await this.#calls.send((client) =>
      client.send(
        new UpdateItemCommand({
          TableName: this.#tableName,
          Key: { resource: { S: resource } },
          UpdateExpression: 'ADD version :count',
          ExpressionAttributeValues: { ':count': { N: String(count) } },
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
    );
    const newest = Number(Attributes?.['version']?.N);
    if (!Number.isSafeInteger(newest)) throw new Error(`the counter of ${resource} has used up its versions`);
    return newest;
  }
}
