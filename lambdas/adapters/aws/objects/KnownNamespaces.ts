import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { assertFormat } from '../assertFormat.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import type { TableNames } from '../tables.ts';
import { UsedResources } from './UsedResources.ts';

/** How long a process may rely on having seen a namespace registered. */
const TRUSTED_MS = 60 * 60 * 1000;
/** How long a namespace must have been empty before it is unregistered: far longer than any process relies on its registration, even if clocks differ. */
const EMPTY_MS = 24 * 60 * 60 * 1000;

/** The number of this layout of registrations. */
const FORMAT = 1;

export interface KnownNamespace {
  readonly namespace: string;
  /** When a list first found it empty; absent if a list did not, or a create has registered it again. */
  readonly emptySinceMs?: number;
}

/**
 * The namespaces that may hold objects of a resource. A namespace is registered before its first object is written. When a list finds it empty, it is
 * marked, and a day later unregistered, unless a create has removed the mark.
 */
export class KnownNamespaces {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;
  readonly #used: UsedResources;
  /** For each registration, the time until which this process relies on it. */
  readonly #trustedUntilMs = new Map<string, number>();
  /** The registrations that are under way. Concurrent creates share them. */
  readonly #registering = new Map<string, Promise<void>>();

  constructor(calls: DynamoDbCalls, tables: Pick<TableNames, 'objects' | 'namespaces'>) {
    this.#calls = calls;
    this.#tableName = tables.namespaces;
    this.#used = new UsedResources(calls, tables);
  }

  /** Must be called before a create. Costs nothing while this process relies on an earlier call; otherwise one read unit, and two write units if the namespace is new. */
  async register(resource: GroupResource, namespace: string): Promise<void> {
    const nowMs = this.#calls.clock.now();
    const place = `${resource}#${namespace}`;
    if ((this.#trustedUntilMs.get(place) ?? 0) > nowMs) return;
    const underWay = this.#registering.get(place) ?? this.#registerNow(resource, namespace);
    this.#registering.set(place, underWay);
    await underWay.finally(() => this.#registering.delete(place));
    this.#trustedUntilMs.set(place, nowMs + TRUSTED_MS);
  }

  async #registerNow(resource: GroupResource, namespace: string): Promise<void> {
    if (await this.#isRegistered(resource, namespace)) return;
    await this.#used.add(resource);
    await this.#put(resource, namespace);
  }

  /** False if no object of the resource is or was anywhere: see `UsedResources`. */
  async isUsed(resource: GroupResource): Promise<boolean> {
    return await this.#used.has(resource);
  }

  /** Looks for the resources in use among these. Costs a read unit for each, and two write units. */
  async surveyUse(resources: readonly GroupResource[]): Promise<void> {
    await this.#used.survey(resources, async () => {
      const used: GroupResource[] = [];
      for (const resource of resources) if ((await this.list(resource)).length > 0) used.push(resource);
      return used;
    });
  }

  /** Whether the namespace is registered. Costs nothing while this process relies on an earlier answer, otherwise one read unit. */
  async has(resource: GroupResource, namespace: string): Promise<boolean> {
    const nowMs = this.#calls.clock.now();
    const place = `${resource}#${namespace}`;
    if ((this.#trustedUntilMs.get(place) ?? 0) > nowMs) return true;
    const isRegistered = await this.#isRegistered(resource, namespace);
    if (isRegistered) this.#trustedUntilMs.set(place, nowMs + TRUSTED_MS);
    return isRegistered;
  }

  /** Returns the namespaces in the order of lists. Costs one read unit for about 60 namespaces. */
  async list(resource: GroupResource): Promise<readonly KnownNamespace[]> {
    const known: KnownNamespace[] = [];
    let after: Record<string, AttributeValue> | undefined;
    do {
      const page = await this.#calls.send((client) =>
        client.send(
          new QueryCommand({
            TableName: this.#tableName,
            ConsistentRead: true,
            KeyConditionExpression: '#resource = :resource',
            ExpressionAttributeNames: { '#resource': 'resource' },
            ExpressionAttributeValues: { ':resource': { S: resource } },
            ...(after && { ExclusiveStartKey: after }),
          }),
        ),
      );
      for (const item of page.Items ?? []) known.push(decode(item));
      after = page.LastEvaluatedKey;
    } while (after);
    return known.sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /** Notes that a strong read found nothing there, not even a tombstone. Costs one write unit for the mark and one for the unregistration. */
  async noteEmpty(resource: GroupResource, { namespace, emptySinceMs }: KnownNamespace): Promise<void> {
    const nowMs = this.#calls.clock.now();
    if (emptySinceMs === undefined) await this.#unlessChanged(() => this.#markEmpty(resource, namespace, nowMs));
    else if (emptySinceMs + EMPTY_MS <= nowMs) {
      await this.#unlessChanged(() => this.#unregister(resource, namespace, emptySinceMs));
    }
  }

  async #isRegistered(resource: GroupResource, namespace: string): Promise<boolean> {
    const { Item } = await this.#calls.send((client) =>
      client.send(
        new GetItemCommand({
          TableName: this.#tableName,
          Key: keyOf(resource, namespace),
          ConsistentRead: true,
        }),
      ),
    );
    return Item !== undefined && decode(Item).emptySinceMs === undefined;
  }

  async #put(resource: GroupResource, namespace: string): Promise<void> {
    await this.#calls.send((client) =>
      client.send(
        new UpdateItemCommand({
          TableName: this.#tableName,
          Key: keyOf(resource, namespace),
          UpdateExpression: 'SET #format = :format REMOVE emptySinceMs',
          ExpressionAttributeNames: { '#format': 'format' },
          ExpressionAttributeValues: { ':format': { N: String(FORMAT) } },
        }),
      ),
    );
  }

  async #markEmpty(resource: GroupResource, namespace: string, nowMs: number): Promise<void> {
    await this.#calls.send((client) =>
      client.send(
        new UpdateItemCommand({
          TableName: this.#tableName,
          Key: keyOf(resource, namespace),
          UpdateExpression: 'SET emptySinceMs = :now',
          ConditionExpression: 'attribute_exists(#resource) AND attribute_not_exists(emptySinceMs)',
          ExpressionAttributeNames: { '#resource': 'resource' },
          ExpressionAttributeValues: { ':now': { N: String(nowMs) } },
        }),
      ),
    );
  }

  async #unregister(resource: GroupResource, namespace: string, emptySinceMs: number): Promise<void> {
    await this.#calls.send((client) =>
      client.send(
        new DeleteItemCommand({
          TableName: this.#tableName,
          Key: keyOf(resource, namespace),
          ConditionExpression: 'emptySinceMs = :since',
          ExpressionAttributeValues: { ':since': { N: String(emptySinceMs) } },
        }),
      ),
    );
  }

  /** Ignores a failed condition: a create has removed the mark, or another process was faster. */
  async #unlessChanged(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}

/** Key attributes cannot be empty, and cluster-scoped objects live in the empty namespace. */
const NO_NAMESPACE = '-';

function keyOf(resource: GroupResource, namespace: string): Record<string, AttributeValue> {
  return { resource: { S: resource }, namespace: { S: namespace || NO_NAMESPACE } };
}

/** Throws if a newer release wrote the item. */
function decode(item: Record<string, AttributeValue>): KnownNamespace {
  const namespace = item['namespace']?.S ?? '';
  assertFormat(item, FORMAT, `namespaces/${item['resource']?.S}/${namespace}`);
  const emptySinceMs = item['emptySinceMs']?.N;
  return {
    namespace: namespace === NO_NAMESPACE ? '' : namespace,
    ...(emptySinceMs !== undefined && { emptySinceMs: Number(emptySinceMs) }),
  };
}
