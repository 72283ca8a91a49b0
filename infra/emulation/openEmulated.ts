import { join } from 'node:path';
import type { RunningServer } from '../local/runServer.ts';
import { writeDataFile } from '../local/writeDataFile.ts';
import { type Emulation, startEmulation } from './startEmulation.ts';

/** Well before a token's quarter of an hour is over. */
const FRESH_TOKEN_EVERY_MS = 5 * 60_000;

/** The cloud stack on emulators, with a kubeconfig in the data directory whose token is kept fresh. What is stored is gone with the process. */
export async function openEmulated({ dataDir, port }: { dataDir: string; port: number }): Promise<RunningServer> {
  const emulation = await startEmulation({ port, onLog: showProblem });
  try {
    writeCredentials(emulation, dataDir);
  } catch (error) {
    await emulation.stop();
    throw error;
  }
  const refresh = setInterval(() => writeCredentials(emulation, dataDir), FRESH_TOKEN_EVERY_MS);
  return {
    url: emulation.url,
    failed: emulation.failed,
    headers: () => ({ authorization: `Bearer ${emulation.token()}` }),
    stop: async () => {
      clearInterval(refresh);
      await emulation.stop();
    },
  };
}

function writeCredentials(emulation: Emulation, dataDir: string): void {
  writeDataFile(dataDir, 'token', emulation.token());
  writeDataFile(dataDir, 'kubeconfig', emulation.kubeconfig(join(dataDir, 'token')));
}

/** The functions log for CloudWatch; a terminal is shown what went wrong, and the rest on request. */
function showProblem(functionName: string, text: string): void {
  for (const line of text.split('\n')) {
    // Metrics are lines of their own, without a level.
    const isProblem = !/"level":"(?:TRACE|DEBUG|INFO)"|^\{"_aws":/i.test(line);
    if (line !== '' && (isProblem || process.env['DRIFTLESS_LOG'] === 'info')) {
      process.stderr.write(`${functionName}: ${line}\n`);
    }
  }
}
