import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import type { TableDefinition } from '../../lambdas/adapters/aws/tables.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { Random } from '../simulation/Random.ts';
import { carryOutBatchGet, carryOutGet, carryOutQuery, carryOutScan } from './dynamo/carryOutReads.ts';
import { carryOutDelete, carryOutPut, carryOutUpdate } from './dynamo/carryOutWrites.ts';
import { DEFAULT_PHYSICS, type DynamoPhysics } from './dynamo/DynamoPhysics.ts';
import { DynamoStream } from './dynamo/DynamoStream.ts';
import { DynamoTable, type TableChange } from './dynamo/DynamoTable.ts';
import { DynamoUsage } from './dynamo/DynamoUsage.ts';
import { Partitions, partitionsOf } from './dynamo/Partitions.ts';
import { tableNotFound } from './dynamo/serviceErrors.ts';
import { TableWorld } from './dynamo/TableWorld.ts';

export interface DynamoModelOptions {
  /** The service's own time. */
  readonly clock: Clock;
  readonly random: Random;
  readonly physics?: Partial<DynamoPhysics>;
}

export interface TableOptions {
  /** A table that was warmed has more partitions than a new one, and so have its global indexes. */
  readonly warm?: WarmThroughput;
  /** Called with each change at the instant of its write. */
  readonly onChange?: (change: TableChange) => void;
}

/**
 * DynamoDB in memory. It answers commands of the SDK with the answers and errors of the service, at one instant: time passes only on the way there and back, which
 * is the part of the process that sends the commands. Items are kept as they came in and are shared with their readers, so no reader may change one.
 */
export class DynamoModel {
  readonly usage = new DynamoUsage();
  readonly clock: Clock;
  readonly #world: TableWorld;
  readonly #streams = new Map<string, DynamoStream>();
  readonly #tables = new Map<string, DynamoTable>();

  constructor({ clock, random, physics }: DynamoModelOptions) {
    this.clock = clock;
    this.#world = new TableWorld(clock, random, { ...DEFAULT_PHYSICS, ...physics }, this.usage);
  }

  /** Creates an empty table. */
  createTable(name: string, definition: TableDefinition, { warm = {}, onChange }: TableOptions = {}): void {
    const throughput = { ...this.#world.physics, partitions: partitionsOf(this.#world.physics, warm) };
    const nowMs = this.clock.now();
    if (!definition.streamed) {
      this.#tables.set(
        name,
        new DynamoTable(name, definition, this.#world, new Partitions(throughput, nowMs), onChange),
      );
      return;
    }
    const stream = new DynamoStream(this.#world);
    const all = new Partitions(throughput, nowMs, (parent, children) => stream.split(parent, children));
    stream.openShards(all.live);
    this.#streams.set(name, stream);
    const onStreamed = (change: TableChange) => {
      stream.append(change);
      onChange?.(change);
    };
    this.#tables.set(name, new DynamoTable(name, definition, this.#world, all, onStreamed));
  }

  /** Returns the stream of a table that has one. */
  stream(tableName: string): DynamoStream {
    const stream = this.#streams.get(tableName);
    if (!stream) throw new Error(`the table ${tableName} has no stream`);
    return stream;
  }

  table(name: string): DynamoTable {
    const table = this.#tables.get(name);
    if (!table) throw tableNotFound(name);
    return table;
  }

  /** Splits one of a table's partitions, as the service does when it grows or is busy. `luck`, from 0 to 1, says which. */
  splitPartition(tableName: string, luck: number): void {
    const { partitions } = this.table(tableName);
    const chosen = partitions.live[Math.floor(luck * partitions.live.length)];
    if (chosen) partitions.split(chosen, this.clock.now());
  }

  /** Carries out a command now, and returns its answer. Throws the service's errors. */
  execute(command: object): object {
    if (command instanceof UpdateItemCommand) return carryOutUpdate(this.#of(command.input), command.input);
    if (command instanceof GetItemCommand) return carryOutGet(this.#of(command.input), command.input);
    if (command instanceof QueryCommand) return carryOutQuery(this.#of(command.input), this.#world, command.input);
    if (command instanceof PutItemCommand) return carryOutPut(this.#of(command.input), command.input);
    if (command instanceof BatchGetItemCommand) return this.#batchGet(command.input);
    if (command instanceof DeleteItemCommand) return carryOutDelete(this.#of(command.input), command.input);
    if (command instanceof ScanCommand) return carryOutScan(this.#of(command.input), command.input);
    if (command instanceof DeleteTableCommand) return this.#deleteTable(command.input.TableName ?? '');
    throw new Error(`the model does not know ${command.constructor.name}`);
  }

  /** Returns a client whose requests take no time, and meet no busy partition. */
  get client(): DynamoDBClient {
    const send = async (command: object) => {
      this.#world.isLenient = true;
      try {
        return this.execute(command);
      } finally {
        this.#world.isLenient = false;
      }
    };
    return { send } as unknown as DynamoDBClient;
  }

  /** Changes what the service is like from now on. */
  change(physics: Partial<DynamoPhysics>): void {
    this.#world.physics = { ...this.#world.physics, ...physics };
  }

  #of({ TableName }: { readonly TableName: string | undefined }): DynamoTable {
    return this.table(TableName ?? '');
  }

  #deleteTable(name: string): object {
    this.#streams.delete(name);
    this.#tables.delete(name);
    return {};
  }

  #batchGet(input: BatchGetItemCommandInput): Omit<BatchGetItemCommandOutput, '$metadata'> {
    return carryOutBatchGet((name) => this.table(name), input);
  }
}
