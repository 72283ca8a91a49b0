import { describe, expect, test } from 'vitest';
import { ChangeLogAppender } from '../../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbChangeLog } from '../../../lambdas/adapters/aws/log/DynamoDbChangeLog.ts';
import { LOG_TABLE, VERSIONS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { VersionCounter } from '../../../lambdas/adapters/aws/VersionCounter.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Change, ChangeLog, ReadVersion } from '../../../lambdas/ports/ChangeLog.ts';
import type { ListOptions, ObjectList } from '../../../lambdas/ports/ObjectStore.ts';
import { LaterPages } from '../../../lambdas/rest/list/LaterPages.ts';
import { type ListPage, type ListQuery, readAt, readLatest } from '../../../lambdas/rest/list/readConsistently.ts';
import type { ApiDependencies } from '../../../lambdas/rest/request/ResourceRequest.ts';
import { sample } from '../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { Random } from '../../simulation/Random.ts';

const MAPS = 'configmaps';
const TABLES = { log: 'log', versions: 'versions' };
const QUERY: ListQuery = { resource: MAPS, namespace: undefined, matches: () => true, limit: 2, after: undefined };

/** A table whose writes are logged when a test says so. */
class LaggingTable {
  readonly changeLog: DynamoDbChangeLog;
  /** How often the table was listed. */
  lists = 0;
  readonly #clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly #counter: VersionCounter;
  readonly #appender: ChangeLogAppender;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #removed = new Map<string, ReadVersion>();
  readonly #laterPages = new LaterPages(this.#clock);
  readonly #isKeeping: boolean;

  /** `isKeeping`: one process answers all pages, so it has what the first one read. */
  constructor(isKeeping: boolean) {
    this.#isKeeping = isKeeping;
    const model = new DynamoModel({ clock: this.#clock, random: new Random(1), physics: UNLIMITED });
    model.createTable(TABLES.log, LOG_TABLE);
    model.createTable(TABLES.versions, VERSIONS_TABLE);
    const client = { send: async (command: object) => model.execute(command) };
    const calls = new DynamoDbCalls({ client, clock: this.#clock, ids: new SeededIds(1) });
    this.changeLog = new DynamoDbChangeLog({ calls, tables: TABLES });
    this.#counter = new VersionCounter(calls, TABLES.versions);
    this.#appender = new ChangeLogAppender({ calls, tables: TABLES });
  }

  /** Lets time pass until the promise settles. */
  async run<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const end = () => over.abort();
    work.then(end, end);
    while (!over.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve));
      const dueMs = this.#clock.nextDueMs();
      if (dueMs !== undefined) this.#clock.advanceTo(Math.max(dueMs, this.#clock.now()));
    }
    return await work;
  }

  async pass(ms: number): Promise<void> {
    this.#clock.advanceBy(ms);
    await this.run(Promise.resolve());
  }

  async write(name: string): Promise<Change> {
    const version = await this.run(this.#counter.draw(MAPS));
    const before = this.#objects.get(name);
    const plain = sample(name);
    const metadata = { ...plain.metadata, namespace: 'default', resourceVersion: String(version) };
    const after = { ...plain, metadata };
    this.#objects.set(name, after);
    const place = { resource: MAPS, version };
    return before ? { ...place, type: 'MODIFIED', before, after } : { ...place, type: 'ADDED', after };
  }

  async remove(name: string): Promise<Change> {
    const version = await this.run(this.#counter.draw(MAPS));
    const before = this.#objects.get(name);
    if (!before) throw new Error(`there is no ${name}`);
    this.#objects.delete(name);
    this.#removed.set(name, { namespace: 'default', name, version });
    return { resource: MAPS, version, type: 'DELETED', before };
  }

  log(...changes: readonly Change[]): Promise<void> {
    return this.run(this.#appender.append(MAPS, changes));
  }

  firstPage(limit = 2, answers = this.answers): Promise<ListPage> {
    return this.#page(readLatest(answers, { ...QUERY, limit }, new AbortController().signal));
  }

  pageAfter({ last, position }: ListPage): Promise<ListPage | 'expired'> {
    return this.run(readAt(this.answers, { ...QUERY, after: last }, position, new AbortController().signal));
  }

  /** Returns what a watch from that position brings at once: names, versions, and whether earlier states were left out. */
  async watchFrom(position: number): Promise<readonly string[]> {
    const stop = new AbortController();
    const opened = await this.run(this.changeLog.open(MAPS, position, stop.signal));
    if (opened.status !== 'open') throw new Error(`position ${position} is ${opened.status}`);
    stop.abort();
    const changes = await this.run(opened.cursor.next(stop.signal));
    if (changes === 'expired') throw new Error(`position ${position} expired`);
    return changes.map(({ type, version, merged }) => `${type} ${version}${merged ? ' merged' : ''}`);
  }

  get answers(): ApiDependencies {
    const list = async (_: string, options: ListOptions) => this.#list(options);
    const laterPages = this.#isKeeping ? this.#laterPages : undefined;
    return { registry: { list }, changeLog: this.changeLog, laterPages } as unknown as ApiDependencies;
  }

  #list({ limit, after }: ListOptions): ObjectList<KubernetesObject> {
    this.lists += 1;
    const isLater = (name: string) => !after || name > after.name;
    const left = [...this.#objects.values()]
      .filter(({ metadata }) => isLater(metadata.name))
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const items = left.slice(0, limit);
    const more = items.length < left.length;
    const end = more ? items.at(-1)?.metadata.name : undefined;
    const removed = [...this.#removed.values()].filter(({ name }) => isLater(name) && (!end || name <= end));
    return { items, more, removed };
  }

  async #page(reading: Promise<ListPage | 'expired'>): Promise<ListPage> {
    const page = await this.run(reading);
    if (page === 'expired') throw new Error('the first page expired');
    return page;
  }
}

/** Objects a to e, all logged. */
async function fiveObjects(isKeeping = false): Promise<LaggingTable> {
  const table = new LaggingTable(isKeeping);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await table.log(await table.write(name));
  return table;
}

function shown(page: ListPage | 'expired'): readonly string[] | 'expired' {
  if (page === 'expired') return page;
  return page.items.map((item) => `${item.load().metadata.name}@${item.load().metadata.resourceVersion}`);
}

describe.each([
  ['that another process reads', false],
  ['that the same process has kept', true],
])(
  'later pages %s show what was written before the list began, although it is logged after the first page',
  (__, isKeeping) => {
    const writes: readonly [string, (table: LaggingTable) => Promise<readonly Change[]>, readonly string[]][] = [
      ['a new object', async (table) => [await table.write('bb')], ['bb@7', 'c@4']],
      ['a change', async (table) => [await table.write('c')], ['c@7', 'd@5']],
      ['two changes', async (table) => [await table.write('c'), await table.write('c')], ['c@8', 'd@5']],
      ['a removal', async (table) => [await table.remove('c')], ['d@5', 'e@6']],
    ];

    test.each(writes)('%s, when it is logged between the pages', async (_, write, expected) => {
      const table = await fiveObjects(isKeeping);
      const late = await write(table);
      const first = await table.firstPage();
      await table.log(...late);
      expect(shown(first)).toEqual(['a@2', 'b@3']);
      expect(shown(await table.pageAfter(first))).toEqual(expected);
    });

    test.each(writes)('%s, when it is still not logged then', async (_, write, expected) => {
      const table = await fiveObjects(isKeeping);
      await write(table);
      expect(shown(await table.pageAfter(await table.firstPage()))).toEqual(expected);
    });

    test.each(writes)('%s, when a higher version was logged before', async (_, write, expected) => {
      const table = await fiveObjects(isKeeping);
      const late = await write(table);
      await table.log(await table.write('a'));
      const first = await table.firstPage();
      await table.log(...late);
      expect(shown(await table.pageAfter(first))).toEqual(expected);
    });

    test.each(writes)('%s: a watch from there does not go back', async (_, write) => {
      const table = await fiveObjects(isKeeping);
      const late = await write(table);
      const { position } = await table.firstPage();
      await table.log(...late);
      const { type, version } = late.at(-1) as Change;
      expect(await table.watchFrom(position)).toEqual([`${type} ${version} merged`]);
    });
  },
);

describe('later pages show nothing that was written after the first page', () => {
  test('changes that are logged are undone, also after one that the list has shown', async () => {
    const table = await fiveObjects();
    const late = await table.write('c');
    const first = await table.firstPage();
    await table.log(late, await table.write('c'), await table.remove('d'));
    expect(shown(await table.pageAfter(first))).toEqual([`c@${late.version}`, 'd@5', 'e@6']);
  });

  test('a page expires if another list has shown a later state, logged or not', async () => {
    const table = await fiveObjects();
    const first = await table.firstPage();
    const later = [await table.write('c'), await table.write('c')];
    await table.firstPage(0);
    expect(await table.pageAfter(first)).toBe('expired');
    await table.log(...later);
    expect(await table.pageAfter(first)).toBe('expired');
  });
});

describe('later pages that the process has kept', () => {
  test('cost no read, stop at the limit, and end where the list ends', async () => {
    const table = await fiveObjects(true);
    const first = await table.firstPage();
    const { lists } = table;
    const second = await table.pageAfter(first);
    expect(shown(second)).toEqual(['c@4', 'd@5']);
    const third = second === 'expired' ? second : await table.pageAfter(second);
    expect(shown(third)).toEqual(['e@6']);
    expect(third).not.toHaveProperty('last');
    expect(table.lists).toBe(lists);
  });

  test('show nothing that was written after the first page', async () => {
    const table = await fiveObjects(true);
    const late = await table.write('c');
    const first = await table.firstPage();
    await table.log(late, await table.write('c'), await table.remove('d'));
    expect(shown(await table.pageAfter(first))).toEqual([`c@${late.version}`, 'd@5']);
  });

  test('do not expire when another list shows a later state', async () => {
    const table = await fiveObjects(true);
    const first = await table.firstPage();
    await table.write('c');
    await table.firstPage(0);
    expect(shown(await table.pageAfter(first))).toEqual(['c@4', 'd@5']);
  });

  test('are read again after a minute', async () => {
    const table = await fiveObjects(true);
    const first = await table.firstPage();
    const { lists } = table;
    await table.pass(60_001);
    expect(shown(await table.pageAfter(first))).toEqual(['c@4', 'd@5']);
    expect(table.lists).toBe(lists + 1);
  });
});

test('the table is read beyond the page only if there are later pages, and the log may be behind', async () => {
  const table = await fiveObjects();
  await table.firstPage(5);
  expect(table.lists).toBe(1);
  await table.firstPage(2);
  expect(table.lists).toBe(3);
  const changeLog = {
    isNeverBehind: true,
    head: async () => 6,
    catchUp: async () => ({ position: 6, changes: [] }),
  } as unknown as ChangeLog;
  await table.firstPage(2, { ...table.answers, changeLog });
  expect(table.lists).toBe(4);
});
