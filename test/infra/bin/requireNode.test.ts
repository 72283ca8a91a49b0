import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../support/runProgram.ts';

const PROGRAMS = [
  ['a clone', ['infra/bin/startFromSource.js']],
  ['the package', ['--import', 'tsx', 'infra/bin/start.ts']],
] as const;

/** Runs `driftless --version` in a Node that takes itself for this version. */
async function versionIn(node: string, program: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'driftless-node-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const preload = join(directory, 'preload.cjs');
  const versions = `{ ...process.versions, node: '${node}' }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} });\n`);
  return await runProgram(process.execPath, [
    ...program.slice(0, -1),
    '--require',
    preload,
    ...program.slice(-1),
    '--version',
  ]);
}

test.each(PROGRAMS)('%s says in one line that its Node is too old', async (_, program) => {
  expect(await versionIn('18.20.8', program)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'driftless: this is Node 18.20.8, and driftless needs Node 20 or later\n',
  });
});

test.each(PROGRAMS)('%s runs in Node 20', async (_, program) => {
  expect(await versionIn('20.20.0', program)).toMatchObject({ code: 0, stderr: '' });
});
