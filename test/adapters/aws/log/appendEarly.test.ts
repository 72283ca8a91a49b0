import { beforeEach, describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { ChangeLogAppender } from '../../../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbChangeLog } from '../../../../lambdas/adapters/aws/log/DynamoDbChangeLog.ts';
import { LOG_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VersionCounter } from '../../../../lambdas/adapters/aws/VersionCounter.ts';
import { SystemClock } from '../../../../lambdas/adapters/clocks/SystemClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { Change, TracedChange } from '../../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const MAPS = 'configmaps';
const TABLES = { log: 'log', versions: 'versions' };
const SIGNAL = new AbortController().signal;
/** More than any version of these tests. */
const DRAWN = 60;

let model: DynamoModel;
let writer: ChangeLogAppender;
let record: ChangeLogAppender;
let processes = 0;

beforeEach(async () => {
  model = new DynamoModel({ clock: new SystemClock(), random: new Random(1), physics: UNLIMITED });
  model.createTable(TABLES.log, LOG_TABLE);
  model.createTable(TABLES.versions, VERSIONS_TABLE);
  await new VersionCounter(newCalls(), TABLES.versions).raise(MAPS, DRAWN);
  [writer, record] = [newAppender(), newAppender()];
});

/** `beforePut` is called before each put of a segment. */
function newCalls(beforePut?: () => Promise<void>): DynamoDbCalls {
  const send = async (command: { readonly input: { readonly Item?: Readonly<Record<string, unknown>> } }) => {
    if (command.input.Item?.['kind'] !== undefined) await beforePut?.();
    return await model.client.send(command as never);
  };
  processes += 1;
  return new DynamoDbCalls({
    client: { send: send as never },
    clock: new SystemClock(),
    ids: new SeededIds(processes),
  });
}

function newAppender(beforePut?: () => Promise<void>): ChangeLogAppender {
  return new ChangeLogAppender({ calls: newCalls(beforePut), tables: TABLES });
}

function at(version: number, name = 'a') {
  const object = sample(name, { text: `version ${version}` });
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

const place = (version: number) => ({ resource: MAPS, version });
const added = (version: number, name = 'a', replaces?: number): TracedChange => ({
  ...place(version),
  type: 'ADDED',
  after: at(version, name),
  ...(replaces !== undefined && { replaces }),
});
const modified = (from: number, version: number): Change => ({
  ...place(version),
  type: 'MODIFIED',
  before: at(from),
  after: at(version),
});
const removed = (from: number, version: number): Change => ({
  ...place(version),
  type: 'DELETED',
  before: at(from),
});
const named = (version: number) => ({ namespace: 'default', name: 'a', version });

/** What a watch gets from a position on. */
async function shown(from = 0): Promise<readonly string[]> {
  await newAppender().append(MAPS, [added(59, 'end')]);
  const log = new DynamoDbChangeLog({
    calls: newCalls(),
    tables: TABLES,
    polling: { fastestMs: 1, livelyMs: 20, slowestMs: 5 },
  });
  await log.head(MAPS);
  const opened = await log.open(MAPS, from, SIGNAL);
  if (opened.status !== 'open') throw new Error(opened.status);
  const seen: Change[] = [];
  while (seen.at(-1)?.version !== 59) {
    const changes = await opened.cursor.next(SIGNAL);
    if (changes === 'expired') throw new Error('expired');
    seen.push(...changes);
  }
  return seen.slice(0, -1).map(({ type, version, merged }) => `${type} ${version}${merged ? ' merged' : ''}`);
}

describe('what a writer logs ahead of the stream', () => {
  test('is logged once, whatever the stream brings later and in whatever pieces', async () => {
    await writer.appendEarly(MAPS, [added(2), modified(2, 3)]);
    await record.append(MAPS, [added(2)]);
    await writer.appendEarly(MAPS, [modified(3, 5)]);
    await record.append(MAPS, [modified(2, 3), modified(3, 5), removed(5, 6)]);
    await writer.appendEarly(MAPS, [removed(5, 6), added(9, 'a', 6)]);
    await record.append(MAPS, [added(9, 'a', 6)]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 3', 'MODIFIED 5', 'DELETED 6', 'ADDED 9']);
  });

  test('may be newer than what lags, of other objects', async () => {
    await record.append(MAPS, [added(2)]);
    await writer.appendEarly(MAPS, [modified(2, 9)]);
    await record.append(MAPS, [added(4, 'b')]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 9', 'ADDED 4']);
  });

  test('is left to the stream while the change before is not logged', async () => {
    await record.append(MAPS, [added(2)]);
    await writer.appendEarly(MAPS, [modified(4, 9)]);
    await record.append(MAPS, [modified(2, 4), modified(4, 9)]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 4', 'MODIFIED 9']);
  });

  test('is left to the stream while the removal is not logged of the object that had its name', async () => {
    await record.append(MAPS, [added(2)]);
    await writer.appendEarly(MAPS, [added(9, 'a', 4)]);
    await record.append(MAPS, [removed(2, 4), added(9, 'a', 4)]);
    expect(await shown()).toEqual(['ADDED 2', 'DELETED 4', 'ADDED 9']);
  });

  test('is no reason to call what follows an orphan, although its appender has not read on', async () => {
    await record.append(MAPS, [added(2)]);
    await writer.appendEarly(MAPS, [modified(2, 4)]);
    await record.append(MAPS, [modified(4, 9)]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 4', 'MODIFIED 9']);
  });

  test('follows the barrier of a list, and leaves out what the list is beyond', async () => {
    await record.append(MAPS, [added(2)]);
    await record.appendBarrier(MAPS, [named(9)]);
    await writer.appendEarly(MAPS, [modified(2, 4), modified(4, 9)]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 9 merged']);
  });
});

describe('a writer that stands still with changes to log', () => {
  /** Appends, and lets others do so right before its segment is put. */
  async function appendWhile(changes: readonly TracedChange[], others: () => Promise<void>): Promise<void> {
    let isFirst = true;
    const stalled = newAppender(async () => {
      if (!isFirst) return;
      isFirst = false;
      await others();
    });
    await stalled.appendEarly(MAPS, changes);
  }

  test('logs nothing that the stream has brought meanwhile, nor behind a newer change', async () => {
    await record.append(MAPS, [added(2)]);
    await appendWhile([modified(2, 4)], () => record.append(MAPS, [modified(2, 4), modified(4, 9)]));
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 4', 'MODIFIED 9']);
  });

  test('logs nothing that an epoch has passed over meanwhile', async () => {
    await record.append(MAPS, [added(2)]);
    await appendWhile([modified(2, 4)], () => record.startEpoch(MAPS, [named(4)]));
    expect(await shown(DRAWN + 1)).toEqual([]);
  });

  test('logs nothing that was written before an epoch that does not know what was lost', async () => {
    await record.append(MAPS, [added(2)]);
    await appendWhile([modified(2, 4)], () => record.startEpoch(MAPS));
    expect(await shown(DRAWN + 1)).toEqual([]);
  });

  test('logs nothing behind a newer change whose predecessor was given up', async () => {
    await record.append(MAPS, [added(2)]);
    await appendWhile([modified(2, 4)], () => record.append(MAPS, [modified(4, 9)]));
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 9 merged']);
  });

  test('leaves out what a list has gone beyond meanwhile', async () => {
    await record.append(MAPS, [added(2)]);
    await appendWhile([modified(2, 4)], async () => void (await record.appendBarrier(MAPS, [named(9)])));
    await record.append(MAPS, [modified(2, 4), modified(4, 9)]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 9 merged']);
  });

  test('gives up when others are faster twice', async () => {
    let version = 20;
    const slow = newAppender(async () => {
      version += 1;
      await record.append(MAPS, [added(version, `other-${version}`)]);
    });
    expect(await slow.appendEarly(MAPS, [added(2)])).toBe(false);
    expect(version).toBe(22);
    expect(await shown()).toEqual(['ADDED 21', 'ADDED 22']);
  });
});

test('an appender that is not alone reads the log on, and puts nothing that would fail', async () => {
  const puts: number[] = [];
  const counting = newAppender(async () => void puts.push(1));
  await counting.append(MAPS, [added(2)]);
  await writer.appendEarly(MAPS, [added(3, 'b')]);
  await counting.append(MAPS, [added(3, 'b')]);
  const afterLostRace = puts.length;
  await writer.appendEarly(MAPS, [added(4, 'c')]);
  await counting.append(MAPS, [added(4, 'c')]);
  await writer.appendEarly(MAPS, [added(5, 'd')]);
  await counting.append(MAPS, [added(5, 'd'), added(6, 'e')]);
  expect(puts.length - afterLostRace).toBe(1);
});
