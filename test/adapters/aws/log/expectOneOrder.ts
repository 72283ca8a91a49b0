import { describe, expect, test } from 'vitest';
import { ChangeLogAppender } from '../../../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbChangeLog } from '../../../../lambdas/adapters/aws/log/DynamoDbChangeLog.ts';
import { LOG_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VersionCounter } from '../../../../lambdas/adapters/aws/VersionCounter.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import {
  type Change,
  type LogCursor,
  type ReadVersion,
  subjectOf,
  type TracedChange,
} from '../../../../lambdas/ports/ChangeLog.ts';
import { sleep } from '../../../../lambdas/ports/Clock.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const MAPS = 'configmaps';
const TABLES = { log: 'log', versions: 'versions' };
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const SHARDS = 3;
const WRITES = 60;
const MINUTE_MS = 60_000;

interface Row {
  readonly version: number;
  /** Absent: removed. */
  readonly object?: KubernetesObject;
}

/**
 * A table of a few objects whose changes go through three shards to appenders, while lists and watches come and go. Shards lag, for seconds or for hours; batches come again, in other pieces and
 * to two appenders at once; appenders die at any request, and answers are lost; versions are drawn and never used. Half of the changes are also appended by their writers, some of which stand still before that.
 */
class Race {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly random: Random;
  readonly table = new Map<string, Row>();
  /** All writes, in the order of each shard. */
  readonly shards: TracedChange[][] = Array.from({ length: SHARDS }, () => []);
  /** For each object the highest version that a list has read. */
  readonly listed = new Map<string, number>();
  readonly log: DynamoDbChangeLog;
  readonly #model: DynamoModel;
  readonly #ids: SeededIds;
  readonly #counter: VersionCounter;
  isWritten = false;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.#ids = new SeededIds(seed);
    const physics = { ...UNLIMITED, staleReads: 0.3, staleMs: 40 };
    this.#model = new DynamoModel({ clock: this.clock, random: new Random(seed), physics });
    this.#model.createTable(TABLES.log, LOG_TABLE);
    this.#model.createTable(TABLES.versions, VERSIONS_TABLE);
    this.log = this.newLog();
    this.#counter = new VersionCounter(this.#calls(), TABLES.versions);
  }

  newLog(): DynamoDbChangeLog {
    return new DynamoDbChangeLog({ calls: this.#calls(), tables: TABLES });
  }

  /** Runs until the promise settles. Time passes only when nothing else happens. */
  async run<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const end = () => over.abort();
    work.then(end, end);
    while (!over.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve));
      const dueMs = this.clock.nextDueMs();
      if (dueMs !== undefined) this.clock.advanceTo(Math.max(dueMs, this.clock.now()));
    }
    return await work;
  }

  sleep(fromMs: number, toMs: number): Promise<void> {
    return sleep(this.clock, this.random.integer(fromMs, toMs));
  }

  async write(): Promise<void> {
    for (let n = 0; n < WRITES; n += 1) {
      const version = await this.#counter.draw(MAPS);
      await this.sleep(0, 400);
      if (this.random.chance(0.15)) continue;
      const name = NAMES[this.random.integer(0, NAMES.length - 1)] ?? '';
      const change = this.#commit(name, version);
      if (change && this.random.chance(0.5)) void this.#appendEarly(change);
    }
    this.isWritten = true;
  }

  /** Delivers a shard's changes as a stream does: in order, a batch again until its appender succeeds. */
  async deliver(shard: number): Promise<void> {
    let appender = this.#newAppender(0.02);
    const all = this.shards[shard] ?? [];
    for (let at = 0; !this.isWritten || at < all.length; ) {
      await this.sleep(10, 300);
      if (this.random.chance(0.04)) await this.sleep(5_000, 25_000);
      if (this.random.chance(0.004)) await this.sleep(15 * MINUTE_MS, 180 * MINUTE_MS);
      const batch = all.slice(at, at + this.random.integer(1, 9));
      if (batch.length === 0) continue;
      if (this.random.chance(0.2)) appender = this.#newAppender(0.02);
      const zombie = this.random.chance(0.3) ? this.#newAppender(0.1) : undefined;
      const earlier = all.slice(Math.max(0, at - 3), at + this.random.integer(1, 9));
      const zombieEnds = zombie?.append(MAPS, earlier).catch(() => {});
      const isDone = await appender.append(MAPS, batch).then(
        () => true,
        () => false,
      );
      if (isDone) at += batch.length;
      else appender = this.#newAppender(0.02);
      if (this.random.chance(0.5)) await zombieEnds;
    }
  }

  /** Returns an appender of its own that, with a probability for each request, dies before the request or after it. */
  #newAppender(deadly: number): ChangeLogAppender {
    return new ChangeLogAppender({ calls: this.#calls(deadly), tables: TABLES });
  }

  async #appendEarly(change: TracedChange): Promise<void> {
    const writer = this.#newAppender(0.1);
    if (this.random.chance(0.1)) await this.sleep(1_000, 60_000);
    await writer.appendEarly(MAPS, [change]).catch(() => {});
  }

  #commit(name: string, version: number): TracedChange | undefined {
    const row = this.table.get(name);
    if ((row?.version ?? 0) >= version) return undefined;
    const isRemoval = row?.object !== undefined && this.random.chance(0.25);
    const plain = sample(name, { text: `version ${version}` });
    const after = { ...plain, metadata: { ...plain.metadata, resourceVersion: String(version) } };
    this.table.set(name, { version, ...(!isRemoval && { object: after }) });
    const place = { resource: MAPS, version };
    const before = row?.object;
    const change: Change = !before
      ? { ...place, type: 'ADDED', after }
      : isRemoval
        ? { ...place, type: 'DELETED', before }
        : { ...place, type: 'MODIFIED', before, after };
    const replaces = row && !before ? { replaces: row.version } : {};
    const traced: TracedChange = { ...change, ...replaces };
    this.shards[name.charCodeAt(0) % SHARDS]?.push(traced);
    return traced;
  }

  #calls(deadly = 0): DynamoDbCalls {
    let isDead = false;
    const send = async (command: object) => {
      await this.sleep(1, 6);
      isDead ||= this.random.chance(deadly / 2);
      if (isDead) throw new Error('died');
      const answer = this.#model.execute(command);
      isDead = this.random.chance(deadly / 2);
      if (isDead) throw new Error('died');
      return answer;
    };
    return new DynamoDbCalls({ client: { send }, clock: this.clock, ids: this.#ids });
  }
}

/** What a client knows: the version and the object, or no object after a removal. Throws if it goes back. */
class Client {
  readonly world = new Map<string, Row>();
  readonly seen: number[] = [];
  position = 0;

  apply(change: Change): void {
    const { name } = subjectOf(change).metadata;
    const known = this.world.get(name)?.version ?? 0;
    if (change.version < known) throw new Error(`${name} went back from ${known} to ${change.version}`);
    this.seen.push(change.version);
    this.world.set(name, { version: change.version, ...(change.after && { object: change.after }) });
  }

  hasAll(table: ReadonlyMap<string, Row>): boolean {
    return [...table].every(([name, { version }]) => this.world.get(name)?.version === version);
  }
}

/** Lists, and watches from there until all is written, with interruptions from which it goes on at its position. */
async function listAndWatch(race: Race): Promise<Client> {
  const client = new Client();
  const log = race.newLog();
  const signal = new AbortController().signal;
  await race.sleep(0, 20_000);
  const head = await log.head(MAPS);
  const reads: ReadVersion[] = [];
  for (const [name, row] of race.table) {
    if (race.random.chance(0.3)) await race.sleep(0, 200);
    const now = race.table.get(name) ?? row;
    client.world.set(name, now);
    reads.push({ namespace: 'default', name, version: now.version });
    race.listed.set(name, Math.max(race.listed.get(name) ?? 0, now.version));
  }
  const caughtUp = await log.catchUp(MAPS, head, reads, signal);
  if (caughtUp === 'expired') throw new Error('the list expired');
  for (const change of caughtUp.changes) client.apply(change);
  client.position = caughtUp.position;
  await watch(race, client);
  return client;
}

async function watch(race: Race, client: Client): Promise<void> {
  while (!(race.isWritten && client.hasAll(race.table))) {
    const stop = new AbortController();
    const cancel = race.clock.setTimer(race.random.integer(500, 30_000), () => stop.abort());
    const opened = await race.newLog().open(MAPS, client.position, new AbortController().signal);
    if (opened.status !== 'open') throw new Error(`position ${client.position} is ${opened.status}`);
    await follow(race, client, opened.cursor, stop.signal);
    client.position = opened.cursor.position;
    cancel();
  }
}

async function follow(race: Race, client: Client, cursor: LogCursor, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(race.isWritten && client.hasAll(race.table))) {
    const changes = await cursor.next(signal);
    if (changes === 'expired') throw new Error(`position ${cursor.position} expired`);
    for (const change of changes) client.apply(change);
  }
}

/** Defines a test for each of these seeds. */
export function expectOneOrder(seeds: readonly number[]): void {
  describe('shards that lag and race, appenders that die, and lists in between', () => {
    test.each(seeds)('one order, nothing lost, nobody goes back (seed %i)', { timeout: 180_000 }, async (seed) => {
      const race = new Race(seed);
      const fromTheBeginning = new Client();
      const clients = [fromTheBeginning, ...Array.from({ length: 4 }, () => new Client())];
      await race.run(
        Promise.all([
          race.write(),
          ...race.shards.map((_, shard) => race.deliver(shard)),
          watch(race, fromTheBeginning),
          ...Array.from({ length: 4 }, async (_, n) => {
            clients[n + 1] = await listAndWatch(race);
          }),
        ]),
      );
      const { seen } = fromTheBeginning;
      expect(new Set(seen).size).toBe(seen.length);
      for (const { seen: others } of clients.slice(1)) {
        const first = seen.indexOf(others[0] ?? seen.at(-1) ?? 0);
        const common = others.filter((version) => seen.includes(version));
        expect(common).toEqual(seen.slice(first).filter((version) => others.includes(version)));
      }
      const missing = race.shards.flat().filter(({ version }) => !seen.includes(version));
      for (const change of missing) {
        expect(race.listed.get(subjectOf(change).metadata.name)).toBeGreaterThan(change.version);
      }
    });
  });
}
