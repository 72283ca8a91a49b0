import { type AttributeValue, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { assertFormat } from '../assertFormat.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import type { TableNames } from '../tables.ts';

/** The item in the table of the namespaces. No resource has a `#` at the beginning of its name. */
const KEY = { resource: { S: '#used' }, namespace: { S: '-' } };
/** The number of this layout. */
const FORMAT = 1;
/** The attribute of a resource that has or had objects. No other attribute begins like that. */
const PREFIX = 'used:';
/** For how long a process goes without asking after it has found that nothing is known. */
const UNKNOWN_MS = 60_000;

/** Which resources were looked at, and which of them have or had objects. */
interface Known {
  readonly surveyed: ReadonlySet<GroupResource>;
  readonly used: ReadonlySet<GroupResource>;
}

/**
 * The resources that ever had an object. The garbage collector and the namespace controller ask for the objects of some forty kinds, of which most clusters use ten. One item says which: what asks for all kinds at
 * once reads that item once, and not an empty range for each kind.
 *
 * A resource is noted before its first object is written, and never taken out again. What a release from before this item wrote is noted by a survey, which `resync` makes with each deployment and daily. Before the first one,
 * and of resources that it did not look at, such as custom ones, nothing is known, and they count as used.
 */
export class UsedResources {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;
  /** The tables that a survey holds for. After one of them was restored, nothing is known until the next survey. */
  readonly #tables: string;
  /** What this process has found in use stays so. */
  readonly #used = new Set<GroupResource>();
  #unknownUntilMs = Number.NEGATIVE_INFINITY;
  /** The read that all questions of one turn share. */
  #reading: Promise<Known | undefined> | undefined;

  constructor(calls: DynamoDbCalls, tables: Pick<TableNames, 'objects' | 'namespaces'>) {
    this.#calls = calls;
    this.#tableName = tables.namespaces;
    this.#tables = `${tables.objects} ${tables.namespaces}`;
  }

  /** False if the resource has no object, and had none. Costs nothing if it is known to have any, and else one read unit, for all questions of the same turn of the event loop together. */
  async has(resource: GroupResource): Promise<boolean> {
    if (this.#used.has(resource) || this.#calls.clock.steadyMs() < this.#unknownUntilMs) return true;
    const known = await this.#read();
    if (!known) this.#unknownUntilMs = this.#calls.clock.steadyMs() + UNKNOWN_MS;
    for (const used of known?.used ?? []) this.#used.add(used);
    return !known?.surveyed.has(resource) || known.used.has(resource);
  }

  /** Must be called before the first object of the resource is written. Costs one write unit. */
  async add(resource: GroupResource): Promise<void> {
    await this.#note([resource], {});
    this.#used.add(resource);
  }

  /** Notes what a survey of these resources found. It begins with none, so that what is added meanwhile is kept. Costs one write unit for each call. */
  async survey(surveyed: readonly GroupResource[], find: () => Promise<readonly GroupResource[]>): Promise<void> {
    await this.#note([], {});
    await this.#note(await find(), { surveyed: { S: JSON.stringify(surveyed) }, tables: { S: this.#tables } });
  }

  #read(): Promise<Known | undefined> {
    if (this.#reading) return this.#reading;
    queueMicrotask(() => {
      this.#reading = undefined;
    });
    this.#reading = this.#readNow();
    return this.#reading;
  }

  async #readNow(): Promise<Known | undefined> {
    const read = new GetItemCommand({ TableName: this.#tableName, Key: KEY, ConsistentRead: true });
    const { Item } = await this.#calls.send((client) => client.send(read));
    if (!Item?.['surveyed']?.S || Item['tables']?.S !== this.#tables) return undefined;
    assertFormat(Item, FORMAT, `namespaces/${KEY.resource.S}`);
    const used = Object.keys(Item).filter((name) => name.startsWith(PREFIX));
    return {
      surveyed: new Set(JSON.parse(Item['surveyed'].S) as GroupResource[]),
      used: new Set(used.map((name) => name.slice(PREFIX.length))),
    };
  }

  async #note(used: readonly GroupResource[], others: Readonly<Record<string, AttributeValue>>): Promise<void> {
    const values = {
      format: { N: `${FORMAT}` },
      ...others,
      ...Object.fromEntries(used.map((one) => [PREFIX + one, { BOOL: true }])),
    };
    const entries = Object.entries(values);
    const write = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: KEY,
      UpdateExpression: `SET ${entries.map((_, at) => `#n${at} = :v${at}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], at) => [`#n${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], at) => [`:v${at}`, value])),
    });
    await this.#calls.send((client) => client.send(write));
  }
}
