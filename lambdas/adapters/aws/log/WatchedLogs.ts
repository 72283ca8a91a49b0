import { type AttributeValue, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';

/** The key of the item. No resource has a `#` in its name. */
const KEY = { resource: { S: '#watched' }, segment: { N: '0' } } as const;
/** How long a mark lasts. */
const MARK_MS = 150_000;
/** How often a process that watches looks after its mark. */
export const RENEW_MS = 60_000;
/** How long a process remembers what it has read. After so long at most the writers know of the first watcher. */
const REMEMBER_MS = 3_000;
/** A mark that has ended so long ago is removed with the next one. */
const OBSOLETE_MS = 3_600_000;

/** Until when each log counts as watched, in milliseconds since the epoch. */
type WatchedUntil = ReadonlyMap<GroupResource, number>;

/**
 * Which logs somebody watches: one item of the log's table, whose attributes are the resources with the time until which each counts as watched. Who watches renews the mark once a minute, for a write unit and half a read unit.
 * Who writes reads the item at most every three seconds, for half a read unit. Nothing but the speed of watches depends on it, so nobody waits for a mark, and reads need not be strong.
 */
export class WatchedLogs {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;
  readonly #lookedAtMs = new Map<GroupResource, number>();
  #read: { readonly atMs: number; readonly marks: Promise<WatchedUntil> } | undefined;

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls.givingWay();
    this.#tableName = tableName;
  }

  /** Whether somebody watches, as far as is known: false if that cannot be read. */
  async isWatched(resource: GroupResource): Promise<boolean> {
    const { clock } = this.#calls;
    const nowMs = clock.steadyMs();
    if (!this.#read || nowMs - this.#read.atMs >= REMEMBER_MS)
      this.#read = { atMs: nowMs, marks: this.#readMarks().catch(() => new Map()) };
    const marks = await this.#read.marks;
    return (marks.get(resource) ?? 0) > clock.now();
  }

  /** Must be called now and then while somebody watches. Costs nothing but once a minute. */
  note(resource: GroupResource): void {
    const nowMs = this.#calls.clock.steadyMs();
    if (nowMs - (this.#lookedAtMs.get(resource) ?? Number.NEGATIVE_INFINITY) < RENEW_MS) return;
    this.#lookedAtMs.set(resource, nowMs);
    // A mark that cannot be written makes this watch slower, and no more.
    this.#renew(resource).catch(() => {});
  }

  /** Another process may have renewed the mark a moment ago. */
  async #renew(resource: GroupResource): Promise<void> {
    const marks = await this.#readMarks();
    const nowMs = this.#calls.clock.now();
    if ((marks.get(resource) ?? 0) - nowMs > MARK_MS - RENEW_MS) return;
    const obsolete = [...marks].filter(([one, untilMs]) => one !== resource && untilMs < nowMs - OBSOLETE_MS);
    const names = Object.fromEntries(obsolete.map(([one], at) => [`#o${at}`, one]));
    const remove = obsolete.length > 0 ? ` REMOVE ${Object.keys(names).join(', ')}` : '';
    const command = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: KEY,
      UpdateExpression: `SET #watched = :until${remove}`,
      ExpressionAttributeNames: { '#watched': resource, ...names },
      ExpressionAttributeValues: { ':until': { N: String(nowMs + MARK_MS) } },
    });
    await this.#calls.send((client) => client.send(command));
  }

  async #readMarks(): Promise<WatchedUntil> {
    const command = new GetItemCommand({ TableName: this.#tableName, Key: KEY });
    const { Item = {} } = await this.#calls.send((client) => client.send(command));
    return new Map(Object.entries(Item).flatMap(markOf));
  }
}

function markOf([name, value]: readonly [string, AttributeValue]): readonly (readonly [GroupResource, number])[] {
  return name in KEY || value.N === undefined ? [] : [[name, Number(value.N)]];
}
