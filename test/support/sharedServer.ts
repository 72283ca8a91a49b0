import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ServerProcess } from './ServerProcess.ts';

/** The server of this process, which its files of tests share. */
let shared: Promise<ServerProcess> | undefined;

/** Starts the server at the first call in this process. It outlives the file that asks first, and `endSharedServers` ends it. */
export function sharedServer(args: readonly string[]): Promise<ServerProcess> {
  shared ??= startShared(args, process.env['DRIFTLESS_KEPT_BUNDLES'] ?? '');
  return shared;
}

async function startShared(args: readonly string[], directory: string): Promise<ServerProcess> {
  const server = await ServerProcess.start(args);
  await writeFile(join(directory, `server-${server.unref()}`), server.dataDir);
  return server;
}

/** Ends the servers that processes of tests have shared, and removes their data. `directory` is that of the kept bundles. */
export async function endSharedServers(directory: string): Promise<void> {
  for (const name of (await readdir(directory)).filter((one) => one.startsWith('server-'))) {
    await end(Number(name.slice('server-'.length)));
    await rm(await readFile(join(directory, name), 'utf8'), { recursive: true, force: true });
    await rm(join(directory, name));
  }
}

/** Resolves when the process is gone. */
async function end(pid: number): Promise<void> {
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; ; signal = 0) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    await pause(50);
  }
}
