import { parseArgs } from 'node:util';
import { UsageError } from '../host/UsageError.ts';
import { type Command, COMMANDS, type CommandName, type CommandOption, isCommandName } from './commands.ts';
import { nearestName } from './nearestName.ts';

type OptionsOf<Name extends CommandName> = (typeof COMMANDS)[Name]['options'];

type ValueOf<Option> = Option extends { readonly type: 'boolean' }
  ? boolean
  : Option extends { readonly multiple: true }
    ? readonly string[]
    : string;

/** The values of a command's options. An option that was not given is absent. */
export type ValuesOf<Name extends CommandName> = {
  readonly [Option in keyof OptionsOf<Name>]?: ValueOf<OptionsOf<Name>[Option]>;
};

/** What the words after a command say. */
export interface ParsedCommand<Name extends CommandName> {
  readonly values: ValuesOf<Name>;
  /** The argument of a command that takes one, else empty. */
  readonly argument: string;
}

/** A command line that is divided into its command and the words after it. */
export interface CommandLine {
  readonly name: CommandName;
  readonly args: readonly string[];
}

/** Finds the command: the first word, or `start` if the line is empty or begins with an option. Throws a UsageError for an unknown one. Pure. */
export function splitCommandLine(words: readonly string[]): CommandLine {
  const [first, ...args] = words;
  if (first === undefined || first.startsWith('-')) return { name: 'start', args: words };
  if (isCommandName(first)) return { name: first, args };
  const names = Object.keys(COMMANDS);
  throw new UsageError(`unknown command ${first}; ${hint(nearestName(first, names), `there are ${names.join(', ')}`)}`);
}

/** True if the words after a command ask for help, whatever else they say. Pure. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** Parses the words after a command by its row in the table. Throws a UsageError for an option or a word that the command does not take. Pure. */
export function parseCommand<Name extends CommandName>(name: Name, args: readonly string[]): ParsedCommand<Name> {
  const { options, takes }: Command = COMMANDS[name];
  const parsed = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens) {
    const problem = token.kind === 'option' && problemOf(name, options, token);
    if (problem) throw new UsageError(problem);
  }
  const [argument, ...more] = parsed.positionals;
  if (takes && (argument === undefined || more.length > 0)) throw new UsageError(`${name} takes ${takes.what}`);
  if (!takes && argument !== undefined) throw new UsageError(`unexpected argument ${argument}`);
  // Each value has the type that the table says, as no option has a problem.
  return { values: parsed.values as ValuesOf<Name>, argument: argument ?? '' };
}

interface OptionToken {
  readonly name: string;
  /** As it was written: `-f` or `--filename`. */
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function problemOf(
  command: CommandName,
  options: Command['options'],
  { name, rawName, value, inlineValue }: OptionToken,
): string | undefined {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) return unknownOption(command, rawName, Object.keys(options));
  if (option.type === 'boolean') return value === undefined ? undefined : `--${name} takes no value`;
  if (value === undefined) return `--${name} needs a value: ${optionUsage(name, option)}`;
  if (inlineValue || !/^-./.test(value)) return undefined;
  return `--${name} needs a value; one that begins with a dash is written --${name}=${value}`;
}

function unknownOption(command: CommandName, written: string, names: readonly string[]): string {
  const nearest = nearestName(written.replace(/^-+/, ''), names);
  const shown = command === 'start' ? 'driftless --help' : `driftless ${command} --help`;
  return `unknown option ${written}; ${hint(nearest && `--${nearest}`, `${shown} lists the options`)}`;
}

function hint(nearest: string | undefined, otherwise: string): string {
  return nearest ? `did you mean ${nearest}?` : otherwise;
}

/** An option as it is written: `--port N`. Pure. */
export function optionUsage(name: string, { value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
