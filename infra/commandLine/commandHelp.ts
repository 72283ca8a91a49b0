import type { Colours } from './colours.ts';
import { type Command, COMMANDS, type CommandName, type CommandOption } from './commands.ts';
import { optionUsage } from './parseCommand.ts';

/** A line longer than this is hard to read beside its option. */
const WIDEST_TERM = 28;

/** Returns the help of a command: how it is written, what it does, and its options; that of `start` also lists the commands. Ends with a newline. Pure. */
export function commandHelp(name: CommandName, colours: Colours): string {
  const { does, takes, options }: Command = COMMANDS[name];
  const heading = (text: string) => colours.bold(text);
  const words = ['driftless', name === 'start' ? '[start]' : name, takes?.name, '[OPTIONS]'];
  const usage = [words.filter((word) => word !== undefined).join(' ')];
  if (name === 'start') usage.push('driftless COMMAND [OPTIONS]');
  const sections = [
    [sentence(does)],
    [heading('Usage'), ...usage.map((line) => `  ${line}`)],
    ...(takes ? [[heading('Argument'), ...rows([[takes.name, takes.what]], colours)]] : []),
    ...(name === 'start' ? [[heading('Commands'), ...rows(commandRows(), colours)]] : []),
    [heading('Options'), ...rows(Object.entries(options).map(optionRow), colours)],
  ];
  const more = name === 'start' ? ['driftless COMMAND --help shows the options of a command.'] : [];
  return `${[...sections, more]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function commandRows(): Row[] {
  return Object.entries(COMMANDS).map(([name, { does }]) => [name, does]);
}

function optionRow([name, option]: [string, CommandOption]): Row {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  return [`${short}${optionUsage(name, option)}`, option.does];
}

type Row = readonly [term: string, does: string];

function rows(all: readonly Row[], { cyan }: Colours): string[] {
  const width = Math.min(WIDEST_TERM, Math.max(...all.map(([term]) => term.length)));
  return all.map(([term, does]) => `  ${cyan(term)}${' '.repeat(Math.max(width - term.length, 0))}  ${does}`);
}
