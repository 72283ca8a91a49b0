import { DeleteItemCommand, DeleteTableCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ChangeLogAppender } from '../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { decodeStreamRecord, type StreamRecord } from '../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import { itemKey } from '../../lambdas/adapters/aws/objects/objectItem.ts';
import { type DynamoDbStore, openDynamoDbStore } from '../../lambdas/adapters/aws/openDynamoDbStore.ts';
import {
  LOG_TABLE,
  NAMESPACES_TABLE,
  OBJECTS_TABLE,
  type TableNames,
  VERSIONS_TABLE,
} from '../../lambdas/adapters/aws/tables.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { createRecordHandler } from '../../lambdas/functions/record/createRecordHandler.ts';
import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { Ids } from '../../lambdas/ports/Ids.ts';
import type { DynamoDbHost } from './DynamoDbHost.ts';

/** The emulator has one shard. The records of a stream are spread over this many lanes, each with a record function of its own, as shards have. */
const LANES = 3;
const BATCH = 10;
const POLL_MS = 5;

export interface CloudStoreBenchOptions {
  readonly clock?: Clock;
  readonly seed?: number;
  /**
   * The unit whose changes stay in order in the stream. `partition`, the default, is DynamoDB's promise for a table with local indexes. `object` is harsher, as
   * if each object could be in a shard of its own.
   */
  readonly ordered?: 'partition' | 'object';
}

/**
 * A store and its log on tables of their own, with Lambda's part between them: lanes that deliver stream records to `record` in batches, and sometimes
 * deliver recorded ones again, in whole or in part, or to two functions at once.
 */
export class CloudStoreBench {
  readonly objectStore: DynamoDbStore['objectStore'];
  readonly changeLog: DynamoDbStore['changeLog'];
  readonly tables: TableNames;
  readonly calls: DynamoDbCalls;
  /** The resources whose log began anew, so that every key which they concern was to be queued: once for each time. */
  readonly everyKeyAskedOf: string[] = [];
  readonly #local: DynamoDbHost;
  readonly #ids: Ids;
  readonly #ordered: 'partition' | 'object';
  readonly #stream: ReturnType<DynamoDbHost['openStream']>;
  readonly #lanes: (readonly StreamRecord[])[] = Array.from({ length: LANES }, () => []);
  readonly #store: DynamoDbStore;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;

  private constructor(local: DynamoDbHost, tables: TableNames, streamArn: string, options: CloudStoreBenchOptions) {
    this.#local = local;
    this.tables = tables;
    this.#ids = new SeededIds(options.seed ?? 1);
    this.#ordered = options.ordered ?? 'partition';
    const clock = options.clock ?? new SystemClock();
    // The emulator shares this machine with everything else, and answers a hundred concurrent writes when it can.
    const lifetimes = { attemptMs: 60_000, callMs: 60_000, writeMs: 60_000 };
    this.calls = new DynamoDbCalls({ client: local.client, clock, ids: this.#ids, lifetimes });
    const polling = { fastestMs: 5, livelyMs: 20, slowestMs: 50 };
    this.#store = openDynamoDbStore({ calls: this.calls, tables, polling });
    this.objectStore = this.#store.objectStore;
    this.changeLog = this.#store.changeLog;
    this.#stream = local.openStream(streamArn);
    this.#running = Promise.all([this.#feed(), ...this.#lanes.map((_, lane) => this.#record(lane))]);
  }

  static async open(local: DynamoDbHost, options: CloudStoreBenchOptions = {}): Promise<CloudStoreBench> {
    const [objects, versions, namespaces, log] = await Promise.all(
      [OBJECTS_TABLE, VERSIONS_TABLE, NAMESPACES_TABLE, LOG_TABLE].map((table) => local.createTable(table)),
    );
    if (!objects || !versions || !namespaces || !log) throw new Error('a table is missing');
    const tables = {
      objects: objects.tableName,
      versions: versions.tableName,
      namespaces: namespaces.tableName,
      log: log.tableName,
    };
    return new CloudStoreBench(local, tables, objects.streamArn, options);
  }

  /** Returns an appender that shares nothing with those of the lanes. `failAfterPuts`: it dies with the request after so many puts. */
  newAppender({ failAfterPuts }: { readonly failAfterPuts?: number } = {}): ChangeLogAppender {
    const client = failAfterPuts === undefined ? this.#local.client : dyingAfter(this.#local.client, failAfterPuts);
    const { clock, lifetimes } = this.calls;
    const calls = new DynamoDbCalls({ client, clock, ids: this.#ids, lifetimes });
    return new ChangeLogAppender({ calls, tables: this.tables, onAppend: this.#store.nudge });
  }

  /** Returns a record function of its own. */
  newHandler(): ReturnType<typeof createRecordHandler<StreamRecord>> {
    return createRecordHandler<StreamRecord>({
      decode: decodeStreamRecord,
      appender: this.newAppender(),
      resources: ['configmaps', 'secrets'],
      queueEveryKey: async (resource) => void this.everyKeyAskedOf.push(resource),
      log: () => {},
    });
  }

  /** Begins a new epoch of the log after all writes so far. */
  readonly loseHistory = async (resource: string): Promise<void> => {
    const { items } = await this.objectStore.list(resource);
    const newest = Math.max(0, ...items.map(({ metadata }) => Number(metadata.resourceVersion)));
    await this.changeLog.reached(resource, newest, AbortSignal.timeout(15_000));
    await this.newAppender().startEpoch(resource);
    await this.changeLog.head(resource);
  };

  /** Deletes an item without a tombstone, as an operator might by hand, and as DynamoDB does with expired tombstones, which the emulator does not. */
  async deleteByHand(key: ObjectKey): Promise<void> {
    await this.#local.client.send(new DeleteItemCommand({ TableName: this.tables.objects, Key: itemKey(key) }));
  }

  readonly close = async (): Promise<void> => {
    this.#stop.abort();
    await this.#running;
    for (const TableName of Object.values(this.tables) as string[]) {
      await this.#local.client.send(new DeleteTableCommand({ TableName }));
    }
  };

  async #feed(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const records = await this.#stream.read();
      for (const record of records) {
        const lane = laneOf(record, this.#ordered);
        this.#lanes[lane] = [...(this.#lanes[lane] ?? []), record];
      }
      if (records.length === 0) await pause(POLL_MS);
    }
  }

  async #record(lane: number): Promise<void> {
    const [handler, twin] = [this.newHandler(), this.newHandler()];
    while (!this.#stop.signal.aborted) {
      const batch = (this.#lanes[lane] ?? []).slice(0, BATCH);
      if (batch.length === 0) {
        await pause(POLL_MS);
        continue;
      }
      // A function that times out has done a part of its work, and one whose answer is lost has done all of it.
      const luck = this.#ids.random();
      if (luck < 0.2) await handler({ Records: batch.slice(0, Math.ceil(batch.length / 2)) });
      else if (luck < 0.3) await handler({ Records: batch });
      const [{ batchItemFailures }] = await Promise.all([
        handler({ Records: batch }),
        ...(luck > 0.5 ? [twin({ Records: batch })] : []),
      ]);
      const failed = batchItemFailures[0]?.itemIdentifier;
      const done = batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
      this.#lanes[lane] = (this.#lanes[lane] ?? []).slice(failed === undefined ? batch.length : done);
    }
  }
}

function dyingAfter(client: DynamoDBClient, puts: number): DynamoDBClient {
  let count = 0;
  const send = async (command: PutItemCommand) => {
    if (count >= puts && command instanceof PutItemCommand) throw new Error('died');
    if (command instanceof PutItemCommand) count += 1;
    return await client.send(command);
  };
  return { send } as unknown as DynamoDBClient;
}

function laneOf({ dynamodb }: StreamRecord, ordered: 'partition' | 'object'): number {
  const keys = (dynamodb?.Keys ?? {}) as { place?: object };
  const text = JSON.stringify(ordered === 'object' ? keys : keys.place);
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum % LANES;
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
