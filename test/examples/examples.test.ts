import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { outputOf, runProgram } from '../support/runProgram.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const DRIFTLESS = `${process.execPath} ${join(ROOT, 'infra/bin/startFromSource.js')}`;
const env = { DRIFTLESS, PYTHONDONTWRITEBYTECODE: '1' };

/** In CI, a program that is missing is a failure. */
const isMissing = (program: string, ...args: readonly string[]) =>
  !process.env['CI'] && spawnSync(program, args, { stdio: 'ignore' }).status !== 0;

const missingPython = isMissing('python3', '--version') ? ' (no python3)' : '';
const noJava = process.env['CI'] ? undefined : missingJava();
/** What `.ci/client-go` has compiled, with the sources that it compiled. */
const compiled = (name: string) => join(ROOT, 'node_modules', '.cache', 'driftless', 'client-go', name);
const notCompiled = existsSync(compiled('example')) ? '' : ' (.ci/client-go has not compiled it)';
const goDirectory = join(ROOT, 'examples', 'controller-runtime');
/** The packages are not downloaded for a test, so also CI may lack them. */
const missingGo = goPackagesMissing() ? ' (no Go with the packages of controller-runtime)' : '';

function goPackagesMissing(): boolean {
  const cached = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod' };
  const listed = spawnSync('go', ['list', '-test', '-deps', './...'], {
    cwd: goDirectory,
    env: cached,
    stdio: 'ignore',
  });
  return listed.status !== 0;
}

/** What an example keeps while it runs is in this directory, so that nothing of it is left. */
async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-example-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** An empty project in which `npx driftless-k8s` runs the sources. */
async function projectWithNpx() {
  const directory = await temporaryDirectory();
  const npx = `#!/bin/sh\n[ "$1" = driftless-k8s ] && shift && exec ${DRIFTLESS} "$@"\n`;
  await writeFile(join(directory, 'npx'), npx, { mode: 0o755 });
  return { directory, PATH: `${directory}${delimiter}${process.env['PATH']}` };
}

/** The first block of README in this language. */
function readmeBlock(language: string): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)?.[1] ?? '';
}

const COMPILE_AGAIN = 'it has changed: run .ci/client-go again';

describe('the examples', () => {
  test.skipIf(missingPython !== '')(
    `in Python with its standard library${missingPython}`,
    async () => {
      const TMPDIR = await temporaryDirectory();
      const directory = join(ROOT, 'examples', 'python');
      const { code, stderr } = await runProgram('python3', ['-m', 'unittest', '-v'], {
        directory,
        env: { ...env, TMPDIR },
      });
      expect(stderr).toContain('test_is_scaled_to_zero_after_its_progress_deadline');
      expect(stderr).toMatch(/Ran 2 tests[^]*\nOK\n/);
      expect(code).toBe(0);
    },
    60_000,
  );

  test.skipIf(missingPython !== '')(
    `of README in Python${missingPython}`,
    async () => {
      const { directory, PATH } = await projectWithNpx();
      const printed = await outputOf('python3', ['-c', readmeBlock('python')], { directory, env: { PATH } });
      expect(printed).toBe('2026-01-01T00:10:00.000Z\n');
    },
    60_000,
  );

  test.skipIf(notCompiled !== '')(
    `of README in Go${notCompiled}`,
    async () => {
      expect(readFileSync(compiled('readme.go'), 'utf8'), COMPILE_AGAIN).toBe(readmeBlock('go'));
      const { directory, PATH } = await projectWithNpx();
      expect(await outputOf(compiled('readme'), [], { directory, env: { PATH } })).toBe('2026-01-01T00:10:00.000Z\n');
    },
    60_000,
  );

  test.skipIf(notCompiled !== '')(
    `in Go with client-go${notCompiled}`,
    async () => {
      const source = readFileSync(join(ROOT, 'examples', 'go', 'stuckrollout_test.go'), 'utf8');
      expect(readFileSync(compiled('example.go'), 'utf8'), COMPILE_AGAIN).toBe(source);
      const TMPDIR = await temporaryDirectory();
      expect(await outputOf(compiled('example'), ['-test.v'], { env: { ...env, TMPDIR } })).toContain(
        '--- PASS: TestStuckRollout',
      );
    },
    60_000,
  );

  test.skipIf(noJava !== undefined)(
    `in Java with the JDK${noJava === undefined ? '' : ` (${noJava})`}`,
    async () => {
      const options = [`-Djava.io.tmpdir=${await temporaryDirectory()}`, 'StuckRollout.java'];
      const printed = await outputOf('java', options, { directory: join(ROOT, 'examples', 'java'), env });
      expect(printed.match(/^ok: /gm)).toHaveLength(6);
    },
    60_000,
  );

  test.skipIf(missingGo !== '')(
    `in Go with the client of controller-runtime${missingGo}`,
    async () => {
      const TMPDIR = await temporaryDirectory();
      const cached = { ...env, TMPDIR, GOPROXY: 'off', GOFLAGS: '-mod=mod' };
      expect(await outputOf('go', ['test', '-count=1', './...'], { directory: goDirectory, env: cached })).toContain(
        'ok',
      );
    },
    120_000,
  );
});
