import { isUserError } from './UsageError.ts';
import { parseStartOptions } from './parseStartOptions.ts';
import { parseExplainOptions, runExplain } from './runExplain.ts';
import { parseExportOptions, runExport } from './runExport.ts';
import { parseImportCommand, runImport } from './runImport.ts';
import { runServer } from './runServer.ts';

/** The exit code for wrong usage, or for a directory, port or file that cannot be used. */
const EXIT_USAGE = 2;

/** Runs the command line: starts the server, explains a key, or exports or imports objects. An error that the user can correct is one line on standard error and exit code 2. Throws all others. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    if (args[0] === 'explain') process.stdout.write(await runExplain(parseExplainOptions(args.slice(1))));
    else if (args[0] === 'export') await runExport(parseExportOptions(args.slice(1)));
    else if (args[0] === 'import') process.exitCode = await runImport(parseImportCommand(args.slice(1)));
    else await runServer(parseStartOptions(args));
  } catch (error) {
    if (!isUserError(error)) throw error;
    process.stderr.write(`driftless: ${error.message}\n`);
    process.exit(EXIT_USAGE);
  }
}
