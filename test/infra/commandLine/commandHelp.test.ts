import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { coloursOf, type ColourStream } from '../../../infra/commandLine/colours.ts';
import { commandHelp } from '../../../infra/commandLine/commandHelp.ts';
import { type Command, COMMANDS, type CommandName } from '../../../infra/commandLine/commands.ts';
import { colourExplanation } from '../../../infra/commandLine/runExplain.ts';

const NAMES = Object.keys(COMMANDS) as CommandName[];
const pipe = coloursOf({});
const terminal = coloursOf({ isTTY: true, hasColors: () => true });

describe('the help', () => {
  test('of explain', () => {
    expect(
      commandHelp('explain', pipe),
    ).toBe(`Explain the state of an object on a running server, and what it waits for.

Usage
  driftless explain KEY [OPTIONS]

Argument
  KEY  one key, such as deployment/default/web

Options
      --server URL       the server (default: that of the kubeconfig, then that of the data directory)
      --context NAME     the context of the kubeconfig (default: its current one)
      --kubeconfig FILE  the kubeconfig (default: that of kubectl)
      --data-dir DIR     the directory of the server (default .driftless)
  -h, --help             show this help
`);
  });

  test('of dashboard', () => {
    expect(commandHelp('dashboard', pipe)).toBe(`Serve the page of a running server, or of any other Kubernetes.

Usage
  driftless dashboard [OPTIONS]

Options
      --server URL       the server (default: that of the kubeconfig, then that of the data directory)
      --context NAME     the context of the kubeconfig (default: its current one)
      --kubeconfig FILE  the kubeconfig (default: that of kubectl)
      --data-dir DIR     the directory of the server (default .driftless)
      --port N           listen on port N of 127.0.0.1 (default: a free one)
  -n, --namespace NAME   show this namespace alone, for a user who may not watch the others (default: all)
  -h, --help             show this help
`);
  });

  test('of driftless lists every command', () => {
    for (const name of NAMES)
      expect(commandHelp('start', pipe)).toContain(`  ${name.padEnd(10)}  ${COMMANDS[name].does}\n`);
  });

  test.each(NAMES)('of %s names every option once', (name) => {
    const { options }: Command = COMMANDS[name];
    const listed = [...commandHelp(name, pipe).matchAll(/^ {2}(?:-\w, | {4})--([a-z-]+)/gm)].map(
      ([, option]) => option,
    );
    expect(listed).toEqual(Object.keys(options));
  });
});

test('README tells of every option of npm start', () => {
  const readme = readFileSync('README.md', 'utf8');
  const told = [...readme.matchAll(/^\| `--([a-z-]+)/gm)].map(([, option]) => option);
  const { version, help, ...options } = COMMANDS.start.options;
  expect([version, help]).not.toContain(undefined);
  expect(told).toEqual(expect.arrayContaining(Object.keys(options)));
});

describe('colours', () => {
  test('mark the headings on a terminal', () => {
    expect(commandHelp('completion', terminal)).toContain('\u001B[1mOptions\u001B[22m\n');
    expect(colourExplanation('Rollout\n  10 replicas\n\nWaits\n', terminal)).toBe(
      '\u001B[1mRollout\u001B[22m\n  10 replicas\n\n\u001B[1mWaits\u001B[22m\n',
    );
  });

  test.each<[string, ColourStream]>([
    ['a pipe', {}],
    ['a file that says it has colours', { hasColors: () => true }],
    ['a terminal without colours, as with NO_COLOR', { isTTY: true, hasColors: () => false }],
  ])('are not written to %s', (_, stream) => {
    const { bold, cyan, red } = coloursOf(stream);
    expect([bold('a'), cyan('b'), red('c')]).toEqual(['a', 'b', 'c']);
  });
});
