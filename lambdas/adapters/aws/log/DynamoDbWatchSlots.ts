import { ConditionalCheckFailedException, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../../ports/Clock.ts';
import type { Ids } from '../../../ports/Ids.ts';
import type { SlotClaim, WatchRequest, WatchSlots } from '../../../ports/WatchSlots.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { chooseSlot, lookEveryMs, type TakenSlots } from './chooseSlot.ts';
import { decodeWatchSlot, encodeWatchSlot, type StoredSlot } from './watchSlot.ts';

export interface DynamoDbWatchSlotsOptions {
  readonly calls: DynamoDbCalls;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The table of the versions' counters. `api` may update it already. */
  readonly tableName: string;
  /** How many watches may be open. */
  readonly count: number;
}

/** The key of the item. No resource has a space in its name, so no counter has this key. */
const ITEM_KEY = 'open watches';
/** How often another slot is tried after others were faster. */
const ATTEMPTS = 5;

type SlotItem = Readonly<Record<string, { readonly N?: string | undefined }>>;

/**
 * One item whose attributes `s0`, `s1`, … are the slots (see `watchSlot.ts`). A claim is one conditional write, mostly of a slot that is free; if it is not, the answer shows all slots. A watch looks after its own every few seconds,
 * not strongly. So a watch of a minute costs a few write units and about fifteen read units, a hundredth of what its function costs.
 */
export class DynamoDbWatchSlots implements WatchSlots {
  readonly #options: DynamoDbWatchSlotsOptions;
  #taken: TakenSlots = new Map();

  constructor(options: DynamoDbWatchSlotsOptions) {
    this.#options = options;
  }

  async claim(watch: WatchRequest): Promise<SlotClaim> {
    const { clock, ids, count } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const own = encodeWatchSlot(watch, clock.now(), ids.random());
      const choice = chooseSlot(this.#taken, count, watch, clock.now());
      // A slot that this process believes to be taken may have been released, so one is tried even if none is to be had. Its refusal shows the truth: no watch is pushed out by what is remembered.
      const pushed = attempt > 0 && choice.status === 'push' ? choice : undefined;
      const slot = pushed?.slot ?? this.#draw(choice.status === 'free' ? choice.slots : [...this.#taken.keys()]);
      const taken = await this.#take(slot, own, pushed?.stored);
      if (taken === 'done') return this.#claimed(slot, own, watch.onTaken);
      this.#taken = taken;
      const next = chooseSlot(taken, count, watch, clock.now());
      if (next.status === 'wait') return { status: 'full', retryAfterMs: next.retryAfterMs };
    }
    return { status: 'full', retryAfterMs: 0 };
  }

  #draw(slots: readonly number[]): number {
    return slots[Math.floor(this.#options.ids.random() * slots.length)] ?? 0;
  }

  /** Returns `done`, or the slots as they are if this one is taken by another watch than the one that is to go. */
  async #take(slot: number, own: StoredSlot, pushed: StoredSlot | undefined): Promise<'done' | TakenSlots> {
    const names = { '#slot': `s${slot}` };
    const values = {
      ':own': { N: own },
      ':now': { N: `${this.#options.clock.now()}` },
      ...(pushed !== undefined && { ':pushed': { N: pushed } }),
    };
    // The third condition recognises a claim whose answer was lost.
    const free = 'attribute_not_exists(#slot) OR #slot < :now OR #slot = :own';
    try {
      const condition = pushed === undefined ? free : `${free} OR #slot = :pushed`;
      await this.#update('SET #slot = :own', condition, { names, values });
      return 'done';
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return decodeItem(error.Item ?? {});
    }
  }

  #claimed(slot: number, own: StoredSlot, onTaken: () => void): SlotClaim {
    const { clock, count } = this.#options;
    const { untilMs } = decodeWatchSlot(own);
    let isOver = false;
    let cancel = () => {};
    const look = async () => {
      // Nobody has released it: its answer was never read.
      if (clock.now() > untilMs) return;
      // A failure to look is no reason to end: the next look may do.
      const isOwn = await this.#holds(slot, own).catch(() => true);
      if (isOver) return;
      if (isOwn) return lookLater();
      isOver = true;
      onTaken();
    };
    const lookLater = () => {
      cancel = clock.setTimer(lookEveryMs(count), () => void look());
    };
    lookLater();
    const release = async () => {
      isOver = true;
      cancel();
      await this.#release(slot, own);
    };
    return { status: 'claimed', release };
  }

  /** Frees the slot unless another watch has it. If the release fails, the slot is free again when its time is over. */
  async #release(slot: number, own: StoredSlot): Promise<void> {
    const parts = { names: { '#slot': `s${slot}` }, values: { ':own': { N: own } } };
    await this.#update('REMOVE #slot', '#slot = :own', parts).catch(() => {});
  }

  /** A read that is not strong may show what was there before, so a strong one has the last word. */
  async #holds(slot: number, own: StoredSlot): Promise<boolean> {
    return (await this.#read(slot, false)) === own || (await this.#read(slot, true)) === own;
  }

  async #read(slot: number, isStrong: boolean): Promise<StoredSlot | undefined> {
    const command = new GetItemCommand({
      TableName: this.#options.tableName,
      Key: { resource: { S: ITEM_KEY } },
      ConsistentRead: isStrong,
      ProjectionExpression: '#slot',
      ExpressionAttributeNames: { '#slot': `s${slot}` },
    });
    const { Item } = await this.#options.calls.send((client) => client.send(command));
    return Item?.[`s${slot}`]?.N;
  }

  async #update(
    update: string,
    condition: string,
    { names, values }: { readonly names: Record<string, string>; readonly values: Record<string, { N: string }> },
  ): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: this.#options.tableName,
      Key: { resource: { S: ITEM_KEY } },
      UpdateExpression: update,
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await this.#options.calls.send((client) => client.send(command));
  }
}

function decodeItem(item: SlotItem): TakenSlots {
  return new Map(
    Object.entries(item).flatMap(([name, { N }]) =>
      /^s\d+$/.test(name) && N !== undefined ? [[Number(name.slice(1)), N] as const] : [],
    ),
  );
}
