import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../infra/commandLine/commands.ts';
import { completionScript } from '../../../infra/commandLine/completionScript.ts';
import { UsageError } from '../../../infra/host/UsageError.ts';

const CASES: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['driftless ex', ['explain', 'export']],
  ['driftless explain --ser', ['--server']],
  ['driftless --po', ['--port']],
  ['driftless start --emul', ['--emulate-cloud']],
  ['driftless --api f', ['function']],
  ['driftless --data-dir infra/commandL', ['infra/commandLine']],
  ['driftless import -f packag', ['package-lock.json', 'package.json']],
  ['driftless export --output package.j', ['package.json']],
  ['driftless completion ', ['bash', 'fish', 'zsh']],
  ['driftless --port ', []],
];

/** Words as a shell gives them: the last is the one that is being written. */
const wordsOf = (line: string) => line.split(' ');

function run(program: string, args: readonly string[], input = ''): string[] {
  return execFileSync(program, args, { input, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function bashOffers(line: string): string[] {
  const words = wordsOf(line).map((word) => `'${word}'`);
  return run(
    'bash',
    ['--norc', '-s'],
    `${completionScript('bash')}\nCOMP_WORDS=(${words.join(' ')})\nCOMP_CWORD=${words.length - 1}\n_driftless 2>/dev/null\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`,
  );
}

/** fish itself completes a line. It adds a slash to directories, and a description to each word. */
function fishOffers(line: string): string[] {
  const script = `${completionScript('fish')}\ncomplete -C '${line}'\n`;
  return run('fish', ['--no-config', '-c', script]).map((one) => one.replace(/\t.*/, '').replace(/\/$/, ''));
}

/** Asks the script what it would tell zsh's `_arguments` of these words; zsh completes only on a terminal. */
function zshArguments(line: string): string[] {
  const script = [
    `compdef() { : }\n_describe() { print -rl -- \${(P)2} }\n_arguments() { print -rl -- "$words[*]" "$@" }`,
    completionScript('zsh'),
    `words=(${wordsOf(line)
      .map((word) => `'${word}'`)
      .join(' ')}); CURRENT=$#words; _driftless`,
  ];
  return run('zsh', ['-f', '-s'], `${script.join('\n')}\n`);
}

describe('the script for bash', () => {
  test.each(CASES)('offers to %j: %j', (line, offered) => {
    expect(bashOffers(line).toSorted()).toEqual(offered);
  });
});

test('the line of README works in a clone', () => {
  const [, line = ''] = /In a clone: `(source [^`]+)`/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const ask = `COMP_WORDS=(driftless ex)\nCOMP_CWORD=1\n_driftless 2>/dev/null\nprintf '%s\\n' "\${COMPREPLY[@]}"\ncomplete -p driftless\n`;
  expect(run('bash', ['--norc', '-s'], `${line}\n${ask}`).toSorted()).toEqual([
    'complete -F _driftless driftless',
    'explain',
    'export',
  ]);
});

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined && !process.env['CI'];

describe.skipIf(isMissing('fish'))(`the script for fish${isMissing('fish') ? ' (fish is missing)' : ''}`, () => {
  test.each(CASES)('offers to %j: %j', (line, offered) => {
    expect(fishOffers(line).toSorted()).toEqual(offered);
  });
});

describe.skipIf(isMissing('zsh'))(`the script for zsh${isMissing('zsh') ? ' (zsh is missing)' : ''}`, () => {
  test('describes the commands', () => {
    expect(zshArguments('driftless ex')).toContain(`explain:${COMMANDS.explain.does}`);
  });

  test('describes the options of the command, with what completes their values', () => {
    const specs = zshArguments('driftless import -');
    expect(specs[0]).toBe('import -');
    expect(specs).toContain(`(-f --filename)--filename[${COMMANDS.import.options.filename.does}]:FILE:_files`);
    expect(specs).toContain(`--server[${COMMANDS.import.options.server.does}]:URL:`);
    expect(zshArguments('driftless completion ')).toContain(':SHELL:(bash zsh fish)');
  });

  test('describes the options of start without a command', () => {
    const specs = zshArguments('driftless --port 0 --');
    expect(specs).toContain(`--data-dir[${COMMANDS.start.options['data-dir'].does}]:DIR:_files -/`);
    expect(specs).toContain(
      `*--webhook-service[${COMMANDS.start.options['webhook-service'].does}]:NAMESPACE/NAME=HOST\\:PORT:`,
    );
  });
});

test('other shells are refused', () => {
  expect(() => completionScript('tcsh')).toThrow(
    new UsageError('completion takes one shell: bash, zsh or fish, not tcsh'),
  );
});
