import { beforeEach, describe, expect, test } from 'vitest';
import { ChangeLogAppender } from '../../../../lambdas/adapters/aws/log/ChangeLogAppender.ts';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbChangeLog } from '../../../../lambdas/adapters/aws/log/DynamoDbChangeLog.ts';
import { LOG_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VersionCounter } from '../../../../lambdas/adapters/aws/VersionCounter.ts';
import { SystemClock } from '../../../../lambdas/adapters/clocks/SystemClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { Change, LogCursor, TracedChange } from '../../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const MAPS = 'configmaps';
const TABLES = { log: 'log', versions: 'versions' };
const SIGNAL = new AbortController().signal;

let model: DynamoModel;
let calls: DynamoDbCalls;
/** The kinds of the segments that were put. */
let segments: string[];

beforeEach(async () => {
  const clock = new SystemClock();
  model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable(TABLES.log, LOG_TABLE);
  model.createTable(TABLES.versions, VERSIONS_TABLE);
  segments = [];
  const send = async (command: {
    readonly input: { readonly Item?: Readonly<Record<string, { readonly S?: string }>> };
  }) => {
    const kind = command.input.Item?.['kind']?.S;
    if (kind !== undefined) segments.push(kind);
    return await model.client.send(command as never);
  };
  calls = new DynamoDbCalls({ client: { send: send as never }, clock, ids: new SeededIds(1) });
  // What the changes of the tests have drawn.
  const counter = new VersionCounter(calls, TABLES.versions);
  for (let version = 0; version < 60; version += 1) await counter.draw(MAPS);
});

const newAppender = () => new ChangeLogAppender({ calls, tables: TABLES });

function at(version: number, name = 'a') {
  const object = sample(name, { text: `version ${version}` });
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

const added = (version: number, name = 'a', replaces?: number): TracedChange => ({
  type: 'ADDED',
  resource: MAPS,
  version,
  after: at(version, name),
  ...(replaces !== undefined && { replaces }),
});
const modified = (from: number, version: number, name = 'a'): Change => ({
  type: 'MODIFIED',
  resource: MAPS,
  version,
  before: at(from, name),
  after: at(version, name),
});
const removed = (from: number, version: number): Change => ({
  type: 'DELETED',
  resource: MAPS,
  version,
  before: at(from),
});

async function watch(): Promise<LogCursor> {
  const log = new DynamoDbChangeLog({ calls, tables: TABLES, polling: { fastestMs: 1, livelyMs: 20, slowestMs: 5 } });
  await log.head(MAPS);
  const opened = await log.open(MAPS, 0, SIGNAL);
  if (opened.status !== 'open') throw new Error(opened.status);
  return opened.cursor;
}

/** The versions that a watch from the beginning gets, up to a last one of another object. */
async function shown(): Promise<readonly string[]> {
  await newAppender().append(MAPS, [added(59, 'end')]);
  const cursor = await watch();
  const seen: Change[] = [];
  while (seen.at(-1)?.version !== 59) {
    const changes = await cursor.next(SIGNAL);
    if (changes === 'expired') throw new Error('expired');
    seen.push(...changes);
  }
  return seen.slice(0, -1).map(({ type, version, merged }) => `${type} ${version}${merged ? ' merged' : ''}`);
}

describe('a batch that was given up, and that a function still has before its notice comes', () => {
  test.each<[string, Change[], TracedChange, string[]]>([
    ['a change', [modified(2, 5)], modified(5, 9), ['ADDED 2', 'MODIFIED 9 merged']],
    ['several changes', [modified(2, 4), modified(4, 5)], modified(5, 9), ['ADDED 2', 'MODIFIED 9 merged']],
    ['a change before a removal', [modified(2, 5)], removed(5, 9), ['ADDED 2', 'DELETED 9 merged']],
    ['a removal before another object of its name', [removed(2, 5)], added(9, 'a', 5), ['ADDED 2', 'ADDED 9 merged']],
  ])('does not bring back %s behind a later one', async (_, givenUp, later, expected) => {
    const zombie = newAppender();
    await newAppender().append(MAPS, [added(2)]);
    await zombie.append(MAPS, [added(3, 'other')]);
    await newAppender().append(MAPS, [later]);
    await zombie.append(MAPS, givenUp);
    expect((await shown()).filter((line) => line !== 'ADDED 3')).toEqual(expected);
  });

  test('does not bring it back when the heads have moved and another process has it', async () => {
    await newAppender().append(MAPS, [added(2)]);
    await newAppender().append(MAPS, [modified(5, 9)]);
    await newAppender().settle(MAPS);
    await newAppender().append(MAPS, [modified(2, 5)]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 9 merged']);
  });

  test('does not bring it back for an object that a list has named already', async () => {
    const log = newAppender();
    await log.append(MAPS, [added(2)]);
    await log.appendBarrier(MAPS, [{ namespace: 'default', name: 'a', version: 9 }]);
    await newAppender().append(MAPS, [modified(5, 9)]);
    await newAppender().settle(MAPS);
    await newAppender().append(MAPS, [modified(2, 5)]);
    expect((await shown()).filter((line) => line.includes(' 5'))).toEqual([]);
  });

  test('is logged in order if it comes first', async () => {
    await newAppender().append(MAPS, [added(2)]);
    await newAppender().append(MAPS, [modified(2, 5)]);
    await newAppender().append(MAPS, [modified(5, 9)]);
    expect(await shown()).toEqual(['ADDED 2', 'MODIFIED 5', 'MODIFIED 9']);
  });
});

describe('changes that follow each other', () => {
  test('are logged without a barrier, whichever process logs them, and in whatever pieces', async () => {
    const appenders = [newAppender(), newAppender()] as const;
    await appenders[0].append(MAPS, [added(2), modified(2, 3), added(4, 'b')]);
    await appenders[1].append(MAPS, [modified(3, 5), removed(5, 6), added(7, 'a', 6)]);
    await appenders[0].append(MAPS, [modified(3, 5), removed(5, 6), added(7, 'a', 6), modified(7, 8)]);
    await newAppender().append(MAPS, [modified(8, 9), modified(4, 10, 'b')]);
    expect(segments).not.toContain('barrier');
    expect((await shown()).filter((line) => line.includes('merged'))).toEqual([]);
  });

  test('of which the log does not hold the first get no more than 100 barriers', async () => {
    for (let n = 0; n < 103; n += 1) await newAppender().append(MAPS, [modified(1_000 + n, 2_000 + n, `n${n}`)]);
    expect(segments.filter((kind) => kind === 'barrier')).toHaveLength(100);
  });
});
