import type { BilledInvocation } from '../functions/EmulatedFunction.ts';

/** Receives everything that AWS bills. */
export interface Meter {
  /** A request of a function to DynamoDB, with its answer. Absent: consumed capacity is not asked for. */
  dynamoDb?(operation: string, body: string, answer: string): void;
  /** A request to the API, with the size of its answer. */
  request(answerBytes: number): void;
  invocation(invocation: BilledInvocation): void;
  /** A request to SQS, by a function or by one of Lambda's own pollers. */
  sqs(operation: string): void;
  logged(bytes: number): void;
}

/** Counts nothing. */
export const NO_METER: Meter = {
  request: () => {},
  invocation: () => {},
  sqs: () => {},
  logged: () => {},
};

/** The usage that AWS bills: quantities by item, such as `write units/ObjectsTable`. */
export type Usage = Readonly<Record<string, number>>;

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);
const KB = 1024;
const FREE_STREAMED_BYTES = 6 * KB * KB;
const BYTES_PER_API_REQUEST = 10 * KB * KB;

/** Counts the usage that AWS bills. */
export class CountingMeter implements Meter {
  readonly #usage = new Map<string, number>();

  usage(): Usage {
    return Object.fromEntries(this.#usage);
  }

  request(answerBytes: number): void {
    this.#add('api requests', Math.max(1, Math.ceil(answerBytes / BYTES_PER_API_REQUEST)));
    this.#add('bytes out', answerBytes);
  }

  invocation({ functionName, memoryMb, durationMs, streamedBytes }: BilledInvocation): void {
    this.#add(`invocations/${functionName}`, 1);
    // AWS bills each started millisecond.
    this.#add(`milliseconds/${functionName}`, Math.ceil(durationMs));
    this.#add(`GB-seconds/${functionName}`, (Math.ceil(durationMs) / 1000) * (memoryMb / KB));
    this.#add('streamed bytes', Math.max(0, streamedBytes - FREE_STREAMED_BYTES));
  }

  sqs(operation: string): void {
    this.#add(`sqs requests/${operation}`, 1);
  }

  logged(bytes: number): void {
    this.#add('log bytes', bytes);
  }

  dynamoDb(operation: string, body: string, answer: string): void {
    const kind = READS.has(operation) ? 'read' : 'write';
    for (const { table, units } of consumed(body, answer)) {
      this.#add(`${kind} units/${table}`, units);
      this.#add(`requests/${table}/${operation}`, 1);
      this.#add(`units of requests/${table}/${operation}`, units);
      this.#add(`units by subject/${table}/${operation}/${subjectOf(body)}`, units);
    }
  }

  #add(what: string, quantity: number): void {
    if (quantity > 0) this.#usage.set(what, (this.#usage.get(what) ?? 0) + quantity);
  }
}

interface Capacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

/** What a request is about: the resource or the controller of its key, and the index that it queries. */
function subjectOf(body: string): string {
  const key = /"(?:place|:place|key|resource|:resource)":\{"S":"([^#:"]*)/.exec(body)?.[1] ?? '';
  const index = /"IndexName":"([^"]*)"/.exec(body)?.[1];
  return index === undefined ? key : `${key} ${index}`;
}

/** The units that a request consumed of each table. A failed condition costs as much as the write would have; the answer shows the item's size. */
function consumed(body: string, answer: string): readonly { readonly table: string; readonly units: number }[] {
  const { ConsumedCapacity, __type } = JSON.parse(answer) as {
    readonly ConsumedCapacity?: Capacity | readonly Capacity[];
    readonly __type?: string;
  };
  if (__type?.endsWith('ConditionalCheckFailedException')) {
    const { TableName } = JSON.parse(body) as { readonly TableName: string };
    return [{ table: TableName, units: Math.ceil(answer.length / KB) }];
  }
  // The emulator reports no units for a query without results; DynamoDB charges for the smallest read.
  const least = /"ConsistentRead":true/.test(body) ? 1 : 0.5;
  return [ConsumedCapacity ?? []].flat().map(({ TableName, CapacityUnits }) => ({
    table: TableName,
    units: Math.max(CapacityUnits, least),
  }));
}
