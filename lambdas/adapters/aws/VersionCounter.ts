import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { FIRST_POSITION } from '../../ports/ChangeLog.ts';
import { sleep } from '../../ports/Clock.ts';
import { assertFormat } from './assertFormat.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import { versionsPerWrite } from './objects/objectLifetime.ts';

interface Waiter {
  readonly resolve: (version: number) => void;
  readonly reject: (error: unknown) => void;
}

/** The draws of one resource. */
interface Gathering {
  waiting: Waiter[];
  isRunning: boolean;
  /** When the last add began, by the steady clock. */
  addedAtMs: number;
  /** The time from one add to the next. */
  windowMs: number;
  /** The last add that was answered, as number of all processes' adds, all their draws, and when; absent before the first. */
  seen: { readonly adds: number; readonly draws: number; readonly atMs: number } | undefined;
  /** How many draws shared each of all processes' adds lately. */
  meanSize: number;
}

const SHORTEST_WINDOW_MS = 20;
const LONGEST_WINDOW_MS = 1_000;
/** How many adds of all processes a second the windows aim at. DynamoDB takes 1,000 of one item. */
const ADDS_PER_SECOND = 850;
/** By how much a window grows when DynamoDB throttles an add, and shrinks at most when there are too few. */
const GROWTH = 2;
const SHRINKAGE = 0.8;

/** The number of this layout of counters. */
const FORMAT = 1;
const FORMAT_NAME = { '#format': 'format' };
const FORMAT_VALUE = { ':format': { N: String(FORMAT) } };
/** A counter of a newer release may not be counted on by this one. */
const IS_READABLE = '(attribute_not_exists(#format) OR #format <= :format)';

/**
 * Draws versions by an atomic add to the resource's counter, which costs one write unit. A draw after a pause is served at once. The draws that follow share an add, at most one in each window of 20 ms or
 * more, so a burst costs few writes. A counter is one item, which takes a thousand writes a second. So the item also counts the adds: each process sees how many all of them make, and widens its window in proportion, up to
 * a second, before DynamoDB has to refuse any. So a counter serves 850 busy processes. A process that needs more versions at once than the others waits for less: what counts is how many versions an add draws. So
 * a ReplicaSet's sync, which creates hundreds of pods one after the other, is not slowed down by hundreds of processes with ten pods each.
 *
 * Each version is drawn after its request, so it is higher than every version acknowledged before. None is drawn in advance, because a version used long after its draw could not be put in order any more.
 */
export class VersionCounter {
  readonly #calls: DynamoDbCalls;
  readonly #tableName: string;
  readonly #gatherings = new Map<GroupResource, Gathering>();

  constructor(calls: DynamoDbCalls, tableName: string) {
    this.#calls = calls;
    this.#tableName = tableName;
  }

  /**
   * Draws a version, and those after it that belong to the same write (see `versionsPerWrite`), above `above`, a version that the resource's objects or their log have. Normally every draw is. After a restore the counter can be far behind the
   * objects; then it is raised by one conditional write.
   */
  async draw(resource: GroupResource, above = 0): Promise<number> {
    const version = await this.#next(resource);
    if (version > above) return version;
    await this.raise(resource, above);
    return await this.#next(resource);
  }

  /** Makes all later versions higher than this one. Costs one write unit, whether the counter is behind or not. */
  async raise(resource: GroupResource, version: number): Promise<void> {
    const raise = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: { resource: { S: resource } },
      UpdateExpression: 'SET version = :version, #format = :format',
      ConditionExpression: `(attribute_not_exists(version) OR version < :version) AND ${IS_READABLE}`,
      ExpressionAttributeNames: FORMAT_NAME,
      ExpressionAttributeValues: { ':version': { N: String(version) }, ...FORMAT_VALUE },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await this.#calls.send((client) => client.send(raise));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      assertFormat(error.Item ?? {}, FORMAT, nameOf(resource));
    }
  }

  #next(resource: GroupResource): Promise<number> {
    return new Promise((resolve, reject) => {
      const gathering = this.#gatheringOf(resource);
      gathering.waiting.push({ resolve, reject });
      if (!gathering.isRunning) void this.#run(resource, gathering);
    });
  }

  #gatheringOf(resource: GroupResource): Gathering {
    const found = this.#gatherings.get(resource);
    if (found) return found;
    const addedAtMs = Number.NEGATIVE_INFINITY;
    const gathering = {
      waiting: [],
      isRunning: false,
      addedAtMs,
      windowMs: SHORTEST_WINDOW_MS,
      seen: undefined,
      meanSize: 1,
    };
    this.#gatherings.set(resource, gathering);
    return gathering;
  }

  async #run(resource: GroupResource, gathering: Gathering): Promise<void> {
    gathering.isRunning = true;
    // Draws that begin at the same instant, such as those of a batch of pods, share the first add.
    await Promise.resolve();
    while (gathering.waiting.length > 0) {
      const waitMs = gathering.addedAtMs + ownWindowMs(gathering) - this.#calls.clock.steadyMs();
      if (waitMs > 0) await sleep(this.#calls.clock, waitMs);
      const batch = gathering.waiting;
      gathering.waiting = [];
      gathering.addedAtMs = this.#calls.clock.steadyMs();
      await this.#serve(resource, gathering, batch);
    }
    gathering.isRunning = false;
  }

  async #serve(resource: GroupResource, gathering: Gathering, batch: readonly Waiter[]): Promise<void> {
    let attempts = 0;
    let factor = SHRINKAGE;
    try {
      const stride = versionsPerWrite(resource);
      const { newest, adds } = await this.#add(resource, batch.length * stride, () => (attempts += 1));
      batch.forEach(({ resolve }, at) => resolve(newest - (batch.length - at) * stride + 1));
      factor = this.#load(gathering, adds, newest / stride);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    const windowMs = gathering.windowMs * Math.max(attempts > 1 ? GROWTH : SHRINKAGE, factor);
    gathering.windowMs = Math.min(Math.max(windowMs, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS);
  }

  /** Returns the adds of all processes since this one's last, in proportion to those aimed at. */
  #load(gathering: Gathering, adds: number, draws: number): number {
    const atMs = this.#calls.clock.steadyMs();
    const { seen } = gathering;
    gathering.seen = { adds, draws, atMs };
    if (!seen || atMs <= seen.atMs) return 0;
    gathering.meanSize = (draws - seen.draws) / Math.max(1, adds - seen.adds);
    return ((adds - seen.adds) * 1_000) / (atMs - seen.atMs) / ADDS_PER_SECOND;
  }

  /** An add whose answer was lost is carried out twice. That leaves only a gap in the versions. */
  async #add(resource: GroupResource, count: number, onAttempt: () => void) {
    const add = this.#addition(resource, count);
    try {
      const { Attributes } = await this.#calls.send((client) => {
        onAttempt();
        return client.send(add);
      });
      const newest = Number(Attributes?.['version']?.N);
      if (Number.isSafeInteger(newest)) return { newest, adds: Number(Attributes?.['adds']?.N) };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) assertFormat(error.Item ?? {}, FORMAT, nameOf(resource));
      throw error;
    }
    throw new Error(`the version counter of ${resource} is exhausted`);
  }

  #addition(resource: GroupResource, count: number): UpdateItemCommand {
    return new UpdateItemCommand({
      TableName: this.#tableName,
      Key: { resource: { S: resource } },
      UpdateExpression: 'SET version = if_not_exists(version, :first) + :count, #format = :format ADD adds :one',
      ConditionExpression: IS_READABLE,
      ExpressionAttributeNames: FORMAT_NAME,
      ExpressionAttributeValues: {
        ':first': { N: String(FIRST_POSITION) },
        ':count': { N: String(count) },
        ':one': { N: '1' },
        ...FORMAT_VALUE,
      },
      ReturnValues: 'UPDATED_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  }
}

/** The window for the draws that wait now: shorter if they are more than usual. */
function ownWindowMs({ windowMs, waiting, meanSize }: Gathering): number {
  return Math.max(SHORTEST_WINDOW_MS, windowMs * Math.min(1, meanSize / waiting.length));
}

function nameOf(resource: GroupResource): string {
  return `versions/${resource}`;
}
