import { coloursOf } from './colours.ts';
import type { CommandName } from './commands.ts';
import { asksForHelp, parseCommand, splitCommandLine } from './parseCommand.ts';
import { parseStartOptions } from './parseStartOptions.ts';
import { runServer } from './runServer.ts';
import { isUserError } from '../host/UsageError.ts';

/** The exit code for wrong usage, or for a directory, port or file that cannot be used. */
const EXIT_USAGE = 2;

/** Runs the command line: one of the commands of the table, or its help. An error that the user can correct is one line on standard error and exit code 2. Throws all others. */
export async function main(words: readonly string[]): Promise<void> {
  try {
    const { name, args } = splitCommandLine(words);
    if (asksForHelp(args)) await showHelp(name);
    else await COMMAND_RUNS[name](args);
  } catch (error) {
    if (!isUserError(error)) throw error;
    process.stderr.write(`${coloursOf(process.stderr).red('driftless:')} ${error.message}\n`);
    process.exit(EXIT_USAGE);
  }
}

/** Runs each command with the words after it. The code of the rarer ones is loaded only when they are asked for. */
const COMMAND_RUNS: Readonly<Record<CommandName, (args: readonly string[]) => Promise<void>>> = {
  async start(args) {
    if (args.includes('--version')) return await showVersion();
    await runServer(parseStartOptions(args));
  },
  async explain(args) {
    const { colourExplanation, parseExplainOptions, runExplain } = await import('./runExplain.ts');
    const text = await runExplain(parseExplainOptions(args));
    process.stdout.write(colourExplanation(text, coloursOf(process.stdout)));
  },
  async dashboard(args) {
    const { parseDashboardOptions, runDashboard } = await import('./runDashboard.ts');
    await runDashboard(parseDashboardOptions(args));
  },
  async export(args) {
    const { parseExportOptions, runExport } = await import('./transfer/runExport.ts');
    await runExport(parseExportOptions(args));
  },
  async import(args) {
    const { parseImportCommand, runImport } = await import('./transfer/runImport.ts');
    process.exitCode = await runImport(parseImportCommand(args));
  },
  async completion(args) {
    const { completionScript } = await import('./completionScript.ts');
    process.stdout.write(completionScript(parseCommand('completion', args).argument));
  },
};

async function showHelp(name: CommandName): Promise<void> {
  const { commandHelp } = await import('./commandHelp.ts');
  process.stdout.write(commandHelp(name, coloursOf(process.stdout)));
}

async function showVersion(): Promise<void> {
  const { packageVersion } = await import('./packageVersion.ts');
  process.stdout.write(`driftless ${packageVersion}\n`);
}
