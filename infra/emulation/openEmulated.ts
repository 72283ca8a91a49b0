import { join } from 'node:path';
import type { PlacedOptions } from '../commandLine/parseStartOptions.ts';
import type { RunningServer } from '../commandLine/RunningServer.ts';
import { writeDataFile } from '../host/writeDataFile.ts';
import type { CommandLineOptions } from './EmulationOptions.ts';
import { type Emulation, startEmulation } from './startEmulation.ts';

/** Tokens are valid for a quarter of an hour. */
const TOKEN_RENEWAL_PERIOD_MS = 5 * 60_000;

/** Starts the cloud stack on emulators and keeps a kubeconfig with a fresh token in the data directory. Objects are lost with the process. */
export async function openEmulated({
  dataDir,
  ...options
}: CommandLineOptions & Pick<PlacedOptions, 'dataDir'>): Promise<RunningServer> {
  const emulation = await startEmulation({ ...options, onLog: showProblem });
  try {
    writeCredentials(emulation, dataDir);
  } catch (error) {
    await emulation.stop();
    throw error;
  }
  const refresh = setInterval(() => writeCredentials(emulation, dataDir), TOKEN_RENEWAL_PERIOD_MS);
  return {
    url: emulation.url,
    kubeconfigPath: join(dataDir, 'kubeconfig'),
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

/** The functions log for CloudWatch. Writes warnings and errors to the terminal, and all lines if the user asks for them. */
function showProblem(functionName: string, text: string): void {
  for (const line of text.split('\n')) {
    // Metrics are lines without a level.
    const isProblem = !/"level":"(?:TRACE|DEBUG|INFO)"|^\{"_aws":/i.test(line);
    if (line !== '' && (isProblem || process.env['DRIFTLESS_LOG'] === 'info')) {
      process.stderr.write(`${functionName}: ${line}\n`);
    }
  }
}
