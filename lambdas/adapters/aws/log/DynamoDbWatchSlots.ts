import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../../ports/Clock.ts';
import type { Ids } from '../../../ports/Ids.ts';
import type { SlotClaim, WatchSlots } from '../../../ports/WatchSlots.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';

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
/** A watch may end a moment late. */
const MARGIN_MS = 5_000;

/** When each slot that is known to be taken is free again, in milliseconds since the epoch. */
type TakenUntil = ReadonlyMap<number, number>;

/**
 * One item whose attributes `s0`, `s1`, … are the slots: each holds the time until which it is taken. A claim is one conditional write, mostly of a slot that is free; if it
 * is not, the answer shows all slots. So a watch costs two or three write units, about a hundredth of what a minute of its function costs.
 */
export class DynamoDbWatchSlots implements WatchSlots {
  readonly #options: DynamoDbWatchSlotsOptions;
  #taken: TakenUntil = new Map();

  constructor(options: DynamoDbWatchSlotsOptions) {
    this.#options = options;
  }

  async claim(lifetimeMs: number): Promise<SlotClaim> {
    const { clock } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // The random part distinguishes this claim from another one of the same millisecond.
      const until = clock.now() + lifetimeMs + MARGIN_MS + this.#options.ids.random();
      // A slot that this process believes to be taken may have been released, so one is tried even if all seem taken. Its refusal shows the truth.
      const slot = this.#draw(this.#free()) ?? this.#draw([...this.#taken.keys()]) ?? 0;
      const taken = await this.#take(slot, until);
      if (taken === 'done') return { status: 'claimed', release: () => this.#release(slot, until) };
      this.#taken = taken;
      if (this.#free().length === 0) return { status: 'full', retryAfterMs: this.#earliestMs() };
    }
    return { status: 'full', retryAfterMs: 0 };
  }

  #free(): number[] {
    const nowMs = this.#options.clock.now();
    const all = Array.from({ length: this.#options.count }, (_, slot) => slot);
    return all.filter((slot) => (this.#taken.get(slot) ?? 0) < nowMs);
  }

  #draw(slots: readonly number[]): number | undefined {
    return slots[Math.floor(this.#options.ids.random() * slots.length)];
  }

  #earliestMs(): number {
    const { clock, count } = this.#options;
    const ends = [...this.#taken].filter(([slot]) => slot < count).map(([, until]) => until);
    return Math.max(0, Math.min(...ends) - clock.now());
  }

  /** Returns `done`, or the slots as they are if this one is taken. */
  async #take(slot: number, until: number): Promise<'done' | TakenUntil> {
    const names = { '#slot': `s${slot}` };
    const values = { ':until': { N: `${until}` }, ':now': { N: `${this.#options.clock.now()}` } };
    try {
      // The last condition recognises a claim whose answer was lost.
      await this.#update('SET #slot = :until', 'attribute_not_exists(#slot) OR #slot < :now OR #slot = :until', {
        names,
        values,
      });
      return 'done';
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return decodeSlots(error.Item ?? {});
    }
  }

  /** Frees the slot unless its time was over and another watch has it. If the release fails, the slot is free again when its time is over. */
  async #release(slot: number, until: number): Promise<void> {
    const parts = { names: { '#slot': `s${slot}` }, values: { ':until': { N: `${until}` } } };
    await this.#update('REMOVE #slot', '#slot = :until', parts).catch(() => {});
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

function decodeSlots(item: Readonly<Record<string, { readonly N?: string | undefined }>>): TakenUntil {
  return new Map(
    Object.entries(item).flatMap(([name, { N }]) =>
      /^s\d+$/.test(name) && N !== undefined ? [[Number(name.slice(1)), Number(N)] as const] : [],
    ),
  );
}
