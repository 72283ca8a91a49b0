import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startCluster } from '../../../../infra/testCluster/startCluster.ts';
import { startControlPlane } from '../../../../infra/local/startControlPlane.ts';
import { parseManifests } from '../../../../infra/host/readManifests.ts';
import { LmdbJournal } from '../../../../lambdas/adapters/embedded/LmdbJournal.ts';
import { register } from '../../../../lambdas/adapters/embedded/lockDirectory.ts';
import {
  fillJournal,
  flipByte,
  journalFile,
  newDirectory,
  removeDirectories,
} from '../../../adapters/embedded/journalFiles.ts';

afterEach(removeDirectories);

function driftless(...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['infra/bin/startFromSource.js', ...args], {
    encoding: 'utf8',
    // A server that starts instead of refusing would run for ever.
    timeout: 15_000,
  });
  return { stdout, stderr, status };
}

/** A data directory with ten config maps, one of which has a damaged record. */
async function damagedDirectory(): Promise<string> {
  const directory = await newDirectory();
  await fillJournal(directory, 10, 1);
  flipByte(journalFile(directory), readFileSync(journalFile(directory)).lastIndexOf('uid-of-map-3'), 1);
  return directory;
}

describe('driftless export', () => {
  test('writes all objects as a List that can be applied', async () => {
    const directory = await newDirectory();
    await fillJournal(directory, 10);
    const { stdout, stderr, status } = driftless('export', '--data-dir', directory);
    expect({ stderr, status }).toEqual({ stderr: 'driftless: exported 10 objects\n', status: 0 });
    const manifests = await parseManifests(stdout, 'the export');
    expect(manifests.map(({ metadata }) => metadata.name)).toContain('map-7');
    expect(manifests).toHaveLength(10);
    expect(stdout).not.toMatch(/resourceVersion|uid|creationTimestamp|ownerReferences/);
  });

  test('refuses a damaged journal, and with --salvage writes the rest to a private file and counts what is lost', async () => {
    const directory = await damagedDirectory();
    const refused = driftless('export', '--data-dir', directory);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^driftless: data directory .* is damaged: .*; --salvage exports the 9 objects.*\n$/,
    );
    const output = join(directory, 'saved.json');
    const saved = driftless('export', '--salvage', '--data-dir', directory, '--output', output);
    expect(saved).toMatchObject({ status: 0, stdout: '' });
    expect(saved.stderr).toMatch(/^driftless: exported 9 objects; 1 records could not be read: entry \d+ .*\n$/);
    expect(await parseManifests(readFileSync(output, 'utf8'), output)).toHaveLength(9);
    expect(statSync(output).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a directory without a journal', async () => newDirectory(), /has no journal$/],
    ['an emptied journal', async () => emptied(await damagedDirectory()), /holds no object that can be read/],
  ])('says in one line that there is nothing to export in %s', async (_, prepare, why) => {
    const { stdout, stderr, status } = driftless('export', '--salvage', '--data-dir', await prepare());
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr.trimEnd()).toMatch(why);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('refuses a directory that a server uses', async () => {
    const directory = await newDirectory();
    const journal = LmdbJournal.open(directory);
    const { stderr, status } = driftless('export', '--salvage', '--data-dir', directory);
    expect({ stderr, status }).toEqual({
      stderr: `driftless: data directory ${directory} is in use by process ${process.pid}\n`,
      status: 2,
    });
    await journal.close();
  });
});

function emptied(directory: string): string {
  writeFileSync(journalFile(directory), '');
  return directory;
}

describe('a server', () => {
  test.each([
    [
      'a truncated journal',
      (file: string) => truncateSync(file, 3 * 4096),
      /journal\/data\.mdb is (truncated|damaged): /,
    ],
    [
      'an emptied journal',
      (file: string) => truncateSync(file, 0),
      /is empty, but it has been written before; no object can be read$/,
    ],
    ['a damaged record', () => {}, /is damaged: its checksum is wrong; 9 objects can still be read: driftless export/],
  ])('ends with exit code 2 and one line on %s', async (_, damage, why) => {
    const directory = await damagedDirectory();
    damage(journalFile(directory));
    const { stdout, stderr, status } = driftless('--port', '0', '--data-dir', directory);
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr.trimEnd()).toMatch(/^driftless: data directory .* cannot be used: /);
    expect(stderr.trimEnd()).toMatch(why);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});

test('a control plane that cannot read its journal leaves the data directory unlocked', async () => {
  const directory = await damagedDirectory();
  const journal = LmdbJournal.open(directory);
  await expect(startControlPlane({ journal })).rejects.toThrow('its checksum is wrong');
  await LmdbJournal.open(directory).close();
});

test.each(['journal', 'keys'])(
  'a cluster whose %s are damaged leaves the data directory unlocked',
  async (database) => {
    const dataDir = await newDirectory();
    await (await startCluster({ dataDir })).stop();
    writeFileSync(join(dataDir, database, 'data.mdb'), 'x'.repeat(8192));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(startCluster({ dataDir })).rejects.toThrow(/cannot be used: .*data\.mdb is not an LMDB database/);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a server whose journal cannot grow ends, and writes nothing but log lines that say why',
  async () => {
    const directory = await newDirectory();
    const limited = `trap '' XFSZ; ulimit -f 500; exec "$0" infra/bin/startFromSource.js --port 0 --data-dir "$1"`;
    const child = spawn('sh', ['-c', limited, process.execPath, directory]);
    const said = { stdout: '', stderr: '' };
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
    const url = await new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        said.stdout += chunk.toString();
        const found = /listening on (http:\S+)/.exec(said.stdout)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    await writeUntilRefused(url);
    expect(await ended).toBe(1);
    const lines = said.stderr.trimEnd().split('\n');
    const failures = lines.map((line) => JSON.parse(line) as { msg: string; error: string });
    // LMDB reports an input/output error when a page is written in part.
    expect(failures[0]?.error).toMatch(/^Error: writing in .* failed: (Input\/output error|File too large)$/);
  },
);

async function writeUntilRefused(url: string): Promise<void> {
  for (let status = 201, count = 0; status === 201; count += 1) {
    const body = JSON.stringify({ metadata: { name: `map-${count}` }, data: { a: 'x'.repeat(100_000) } });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const answer = await fetch(`${url}/api/v1/namespaces/default/configmaps`, init).catch(() => undefined);
    status = answer?.status ?? 0;
  }
}

test('a process with the same id in another PID namespace is named as the one that uses a data directory', () => {
  const database = {
    useReadTransaction() {
      throw new TypeError("Cannot read properties of null (reading 'use')");
    },
  };
  expect(() => register('/data', database)).toThrow(
    `data directory /data is in use by a process with this process's id, ${process.pid}, in another PID namespace, such as another container`,
  );
});
