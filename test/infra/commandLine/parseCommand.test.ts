import { describe, expect, test } from 'vitest';
import { COMMANDS, type CommandName } from '../../../infra/commandLine/commands.ts';
import { nearestName } from '../../../infra/commandLine/nearestName.ts';
import { asksForHelp, parseCommand, splitCommandLine } from '../../../infra/commandLine/parseCommand.ts';
import { UsageError } from '../../../infra/host/UsageError.ts';

describe('a command line', () => {
  test.each([
    [[], 'start', []],
    [['--port', '0'], 'start', ['--port', '0']],
    [['start', '--port', '0'], 'start', ['--port', '0']],
    [['explain', 'node/a'], 'explain', ['node/a']],
    [['--filename', 'export'], 'start', ['--filename', 'export']],
  ])('%j runs %s with %j', (words, name, args) => {
    expect(splitCommandLine(words)).toEqual({ name, args });
  });

  test.each([
    ['explian', 'unknown command explian; did you mean explain?'],
    ['exp', 'unknown command exp; there are start, explain, dashboard, export, import, completion'],
    ['extra', 'unknown command extra; there are start, explain, dashboard, export, import, completion'],
    ['constructor', 'unknown command constructor; there are start, explain, dashboard, export, import, completion'],
  ])('that begins with %s is refused', (word, message) => {
    expect(() => splitCommandLine([word])).toThrow(new UsageError(message));
  });
});

describe('the words after a command', () => {
  test.each<[CommandName, string[], string]>([
    ['start', ['--node', '3'], 'unknown option --node; did you mean --nodes?'],
    ['start', ['--data', 'x'], 'unknown option --data; did you mean --data-dir?'],
    ['start', ['--ephemral'], 'unknown option --ephemral; did you mean --ephemeral?'],
    ['start', ['--bogus'], 'unknown option --bogus; driftless --help lists the options'],
    ['start', ['--bogus=1'], 'unknown option --bogus; driftless --help lists the options'],
    ['start', ['-x'], 'unknown option -x; driftless --help lists the options'],
    ['start', ['--constructor'], 'unknown option --constructor; driftless --help lists the options'],
    ['explain', ['node/a', '--port', '1'], 'unknown option --port; driftless explain --help lists the options'],
    ['start', ['--port'], '--port needs a value: --port N'],
    ['start', ['--port', '--tls'], '--port needs a value; one that begins with a dash is written --port=--tls'],
    ['start', ['--ephemeral=yes'], '--ephemeral takes no value'],
    ['start', ['extra'], 'unexpected argument extra'],
    ['export', ['--salvage', 'extra'], 'unexpected argument extra'],
    ['explain', [], 'explain takes one key, such as deployment/default/web'],
    ['explain', ['node/a', 'node/b'], 'explain takes one key, such as deployment/default/web'],
    ['completion', [], 'completion takes one shell: bash, zsh or fish'],
  ])('%s %j is refused', (name, args, message) => {
    expect(() => parseCommand(name, args)).toThrow(new UsageError(message));
  });

  test('become the values of options, and the argument', () => {
    expect(parseCommand('explain', ['--server', 'http://a', 'node/a'])).toEqual({
      values: { server: 'http://a' },
      argument: 'node/a',
    });
    expect(parseCommand('import', ['-f', '-']).values).toEqual({ filename: '-' });
    expect(parseCommand('start', ['-f', 'a', '--filename=b', '--listen=-1']).values).toEqual({
      filename: ['a', 'b'],
      listen: '-1',
    });
  });

  test.each(Object.keys(COMMANDS) as CommandName[])('of %s may ask for help', (name) => {
    expect(parseCommand(name, ['x'].slice(0, 'takes' in COMMANDS[name] ? 1 : 0).concat('-h')).values).toEqual({
      help: true,
    });
    expect(asksForHelp(['--bogus', '--help'])).toBe(true);
  });
});

describe('the nearest name', () => {
  test.each([
    ['nodes', ['node', 'nodes'], 'nodes'],
    ['prot', ['port', 'api'], 'port'],
    ['toes', ['port', 'api'], undefined],
    ['prt', ['port', 'api'], 'port'],
    ['file', ['filename', 'tls'], 'filename'],
    ['emulate', ['emulate-cloud', 'ephemeral'], 'emulate-cloud'],
    ['t', ['tls'], undefined],
    ['', ['tls'], undefined],
    ['e', ['ephemeral', 'emulate-cloud'], undefined],
  ])('to %j in %j is %s', (text, known, nearest) => {
    expect(nearestName(text, known)).toBe(nearest);
  });
});
