#!/usr/bin/env node
import { parseExplainOptions, runExplain } from '../local/runExplain.ts';
import { runServer } from '../local/runServer.ts';
import { parseStartOptions } from '../local/parseStartOptions.ts';
import { isUsersToMend } from '../local/isUsersToMend.ts';

/** Wrong usage, or a place, port or file that cannot be had. */
const EXIT_USAGE = 2;

try {
  const args = process.argv.slice(2);
  if (args[0] === 'explain') process.stdout.write(await runExplain(parseExplainOptions(args.slice(1))));
  else await runServer(parseStartOptions(args));
} catch (error) {
  if (!isUsersToMend(error)) throw error;
  process.stderr.write(`driftless: ${error.message}\n`);
  process.exit(EXIT_USAGE);
}
