import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { open as openDatabase } from 'lmdb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { opened, readUntil } from './changeLogReading.ts';

const MAPS = 'configmaps';
const CRASH_WRITER = fileURLToPath(new URL('./objectStoreCrashWriter.ts', import.meta.url));
const JOURNAL = fileURLToPath(new URL('../../lambdas/adapters/embedded/LmdbJournal.ts', import.meta.url));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'driftless-durability-'));
});
afterEach(() => rm(directory, { recursive: true }));

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

async function thrownByOpening(): Promise<Error> {
  let journal: LmdbJournal | undefined;
  const error = thrownBy(() => {
    journal = LmdbJournal.open(directory);
    openEmbeddedStore({ journal, clock: new VirtualClock(0) });
  });
  await journal?.close();
  return error as Error;
}

/** Kills the crash writer while it writes, and returns the last acknowledged write of each name. */
async function writeUntilKilled(acknowledgements: number): Promise<readonly string[][]> {
  const writer = spawn(process.execPath, ['--import', 'tsx', CRASH_WRITER, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(writer, 'exit');
  const lines: string[][] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    lines.push(line.split(' '));
    if (lines.length === acknowledgements) writer.kill('SIGKILL');
  }
  expect((await ended)[1]).toBe('SIGKILL');
  return lines;
}

describe('a process that is killed', () => {
  test('loses no write that it had acknowledged', async () => {
    const acknowledged = await writeUntilKilled(1_000);
    const store = openEmbeddedStore({ journal: LmdbJournal.open(directory), clock: new VirtualClock(Date.now()) });
    const signal = AbortSignal.timeout(10_000);
    const head = await store.changeLog.head(MAPS);
    const changes = await readUntil(
      await opened(store.changeLog, MAPS, 0, signal),
      ({ version }) => version === head,
      signal,
    );
    const logged = new Map(changes.map((change) => [change.version, change]));
    const standing = new Map(
      (await store.objectStore.list(MAPS)).items.map((object) => [object.metadata.name, object]),
    );
    for (const [what = '', name = '', version] of acknowledged) {
      const change = logged.get(Number(version));
      expect((change?.after ?? change?.before)?.metadata.name).toBe(name);
      expect(change?.type === 'DELETED').toBe(what === 'removed');
      if (what === 'removed') expect(standing.has(name)).toBe(false);
      else expect(standing.has(name) || changes.some((later) => later.before?.metadata.name === name)).toBe(true);
    }
    const last = [...new Map(changes.map((change) => [(change.after ?? change.before).metadata.name, change.after]))];
    const expected = last.filter(([, object]) => object !== undefined);
    expect(new Map(expected as [string, object][])).toEqual(standing);
    await store.close();
  });
});

describe('a data directory', () => {
  test('is refused to a second process, with the id of the process that uses it', async () => {
    const journal = LmdbJournal.open(directory);
    const script = `import { LmdbJournal } from ${JSON.stringify(JOURNAL)};
      try { LmdbJournal.open(process.argv[1]); } catch (error) { console.log(error.name + ': ' + error.message); }`;
    const flags = ['--import', 'tsx', '--input-type=module', '--eval', script, directory];
    const { stdout } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
    expect(stdout).toBe(`DataDirectoryError: data directory ${directory} is in use by process ${process.pid}\n`);
    await journal.close();
  });

  test('is refused to a second store of the same process until the first is closed', async () => {
    const journal = LmdbJournal.open(directory);
    expect(thrownBy(() => LmdbJournal.open(directory))).toMatchObject({
      name: 'DataDirectoryError',
      message: `data directory ${directory} is in use by this process`,
    });
    await journal.close();
    await LmdbJournal.open(directory).close();
  });

  test.each(['journal', 'lock'])('with a damaged %s is refused with a one-line error', async (part) => {
    await mkdir(join(directory, part));
    for (const garbage of ['x', 'garbage '.repeat(5_000)]) {
      await writeFile(join(directory, part, 'data.mdb'), garbage);
      const error = thrownBy(() => LmdbJournal.open(directory));
      expect(error).toBeInstanceOf(DataDirectoryError);
      expect(error).toMatchObject({
        message: `data directory ${directory} cannot be used: ${directory}/${part}/data.mdb is not an LMDB database of format 2`,
        cause: expect.any(Error),
      });
    }
  });

  test('that is a file is refused with a one-line error', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below')]) {
      const error = thrownBy(() => LmdbJournal.open(path)) as Error;
      expect(error).toBeInstanceOf(DataDirectoryError);
      expect(error.message).toMatch(/^data directory .* cannot be used: (EEXIST|ENOTDIR)[^\n]*$/);
    }
  });

  test.each([
    ['an entry that is not JSON', 1, 'not json', /Unexpected token/],
    ['an entry that is not ours', 1, '{"type": "PUT", "object": {}}', /entry 1 of its journal is damaged/],
    ['an unknown format', 'format', '9', /its journal has the format 9, and this release knows only 1/],
  ])('with %s is refused, and stays unlocked', async (_, key, value, why) => {
    const records = openDatabase<string, string | number>({ path: join(directory, 'journal'), encoding: 'string' });
    await records.put(key, value);
    await records.close();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const error = await thrownByOpening();
      expect(error).toBeInstanceOf(DataDirectoryError);
      expect(error.message).toMatch(why);
      expect(error.message).not.toContain('\n');
    }
  });
});
