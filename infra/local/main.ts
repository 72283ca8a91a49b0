import { isUserError } from './UsageError.ts';
import { parseStartOptions } from './parseStartOptions.ts';
import { parseExplainOptions, runExplain } from './runExplain.ts';
import { runServer } from './runServer.ts';

/** Wrong usage, or a place, port or file that cannot be had. */
const EXIT_USAGE = 2;

/** The command line: serves, or explains. What the user can mend is one line on standard error and exit code 2; anything else is thrown. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    if (args[0] === 'explain') process.stdout.write(await runExplain(parseExplainOptions(args.slice(1))));
    else await runServer(parseStartOptions(args));
  } catch (error) {
    if (!isUserError(error)) throw error;
    process.stderr.write(`driftless: ${error.message}\n`);
    process.exit(EXIT_USAGE);
  }
}
