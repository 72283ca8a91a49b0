import { parseStartOptions } from './parseStartOptions.ts';
import { runServer } from './runServer.ts';
import { isUserError } from './UsageError.ts';

/** The exit code for wrong usage, or for a directory, port or file that cannot be used. */
const EXIT_USAGE = 2;

/** Runs the command line: starts the server, explains a key, or exports or imports objects. An error that the user can correct is one line on standard error and exit code 2. Throws all others. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    if (!isUserError(error)) throw error;
    process.stderr.write(`driftless: ${error.message}\n`);
    process.exit(EXIT_USAGE);
  }
}

/** Loads the rarer commands only when they are asked for. */
async function run(args: readonly string[]): Promise<void> {
  const [command = '', ...rest] = args;
  switch (command) {
    case 'explain': {
      const { parseExplainOptions, runExplain } = await import('./runExplain.ts');
      process.stdout.write(await runExplain(parseExplainOptions(rest)));
      return;
    }
    case 'export': {
      const { parseExportOptions, runExport } = await import('./runExport.ts');
      return await runExport(parseExportOptions(rest));
    }
    case 'import': {
      const { parseImportCommand, runImport } = await import('./runImport.ts');
      process.exitCode = await runImport(parseImportCommand(rest));
      return;
    }
    default:
      return await runServer(parseStartOptions(args));
  }
}
