import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { StreamRecord } from '../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import type { TableDefinition } from '../../lambdas/adapters/aws/tables.ts';
import { sleep } from '../../lambdas/ports/Clock.ts';
import type { Random } from '../simulation/Random.ts';
import type { DynamoDbHost } from '../support/DynamoDbHost.ts';
import type { DynamoModel } from './DynamoModel.ts';
import { streamSource } from './dynamo/streamSource.ts';

/** How long a request takes. Without any time, a test's writes would all be over before anybody could read between them. */
const LATENCY_MS = [1, 4] as const;

/** The model in the place of the emulator. The ARN of a stream is its table's name. */
export class ModelHost implements DynamoDbHost {
  readonly client: DynamoDBClient;
  readonly #model: DynamoModel;
  #tableCount = 0;

  constructor(model: DynamoModel, random: Random) {
    const send = async (command: object) => {
      await sleep(model.clock, random.integer(...LATENCY_MS));
      return model.execute(command);
    };
    this.client = { send } as unknown as DynamoDBClient;
    this.#model = model;
  }

  async createTable(definition: TableDefinition): Promise<{ tableName: string; streamArn: string }> {
    this.#tableCount += 1;
    const tableName = `table-${this.#tableCount}`;
    this.#model.createTable(tableName, definition);
    return { tableName, streamArn: tableName };
  }

  /** The records of one shard are in order, and a shard's come after those of its parent. */
  openStream(streamArn: string): { read(): Promise<readonly StreamRecord[]> } {
    const { clock } = this.#model;
    const after = (delayMs: number, act: () => void) => void clock.setTimer(delayMs, act);
    const source = streamSource({ stream: this.#model.stream(streamArn), clock, after, binary: 'base64' });
    const last = new Map<string, string>();
    const read = async () => {
      const records: StreamRecord[] = [];
      for (const shard of source.shards()) {
        const next = shard.read(last.get(shard.id), Number.POSITIVE_INFINITY) as readonly StreamRecord[];
        const sequence = next.at(-1)?.dynamodb?.SequenceNumber;
        if (sequence !== undefined) last.set(shard.id, sequence);
        records.push(...next);
      }
      return records;
    };
    return { read };
  }
}
