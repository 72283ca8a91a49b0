import { runServer } from '../local/runServer.ts';
import { parseStartOptions } from '../local/parseStartOptions.ts';
import { isUsersToMend } from '../local/isUsersToMend.ts';

/** Wrong usage, or a place, port or file that cannot be had. */
const EXIT_USAGE = 2;

try {
  await runServer(parseStartOptions(process.argv.slice(2)));
} catch (error) {
  if (!isUsersToMend(error)) throw error;
  process.stderr.write(`driftless: ${error.message}\n`);
  process.exit(EXIT_USAGE);
}
