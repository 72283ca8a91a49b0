import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCluster } from '../../../infra/testCluster/startCluster.ts';
import { writeDataFile } from '../../../infra/host/writeDataFile.ts';

let parent = '';

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'driftless-private-'));
});

afterEach(() => rm(parent, { recursive: true }));

/** Runs a cluster that stores a Secret in the directory. */
async function use(dataDir: string): Promise<void> {
  const cluster = await startCluster({ dataDir, clock: 'virtual' });
  await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'hidden' } });
  await cluster.stop();
}

function everythingIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true }).map((name) => join(directory, String(name)));
}

/** What others than the owner may read, write or list. */
function openToOthers(directory: string): string[] {
  return [directory, ...everythingIn(directory)].filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

describe('the data directory', () => {
  test('is readable by its owner only, with all its files', async () => {
    const dataDir = join(parent, 'new');
    await use(dataDir);
    expect(everythingIn(dataDir).map((path) => path.slice(dataDir.length + 1))).toEqual(
      expect.arrayContaining(['journal', 'journal/data.mdb', 'keys', 'lock', 'kubeconfig', 'virtual-time']),
    );
    expect(openToOthers(dataDir)).toEqual([]);
  });

  test('becomes private again at the next start if others could read it', async () => {
    const dataDir = join(parent, 'opened');
    await use(dataDir);
    for (const path of [dataDir, ...everythingIn(dataDir)])
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
    await use(dataDir);
    expect(openToOthers(dataDir)).toEqual([]);
  });

  test('keeps its permissions if it contains files of others, and what is put into it is private', async () => {
    const dataDir = join(parent, 'shared');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    writeFileSync(join(dataDir, 'notes'), 'mine');
    chmodSync(join(dataDir, 'notes'), 0o644);
    await use(dataDir);
    expect(openToOthers(dataDir)).toEqual([dataDir, join(dataDir, 'notes')]);
    expect(readFileSync(join(dataDir, 'notes'), 'utf8')).toBe('mine');
  });
});

test('a kubeconfig that others could read is private as soon as it is written again', () => {
  const path = writeDataFile(parent, 'kubeconfig', 'old');
  chmodSync(path, 0o644);
  writeDataFile(parent, 'kubeconfig', 'new');
  expect([statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([0o600, 'new']);
});
