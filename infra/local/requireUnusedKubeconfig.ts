import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { UsageError } from '../host/UsageError.ts';

/** A server on this machine answers a connection at once. */
const CONNECT_MS = 500;

/** Throws a UsageError if the file is the kubeconfig of a server that still runs: its clients would go to the new one. What is no kubeconfig is overwritten. */
export async function requireUnusedKubeconfig(path: string): Promise<void> {
  for (const server of serversIn(path)) {
    if (await accepts(server))
      throw new UsageError(`--kubeconfig is of the server at ${server}, which runs; name another file`);
  }
}

function serversIn(path: string): readonly string[] {
  try {
    return [...readFileSync(path, 'utf8').matchAll(/^\s*server: ["']?(https?:\/\/[^\s"']+)/gm)].map(
      ([, server = '']) => server,
    );
  } catch {
    // It is not there yet, or it cannot be read; then it cannot be written either, which is told when that is tried.
    return [];
  }
}

/** True if something listens at the URL. */
async function accepts(server: string): Promise<boolean> {
  if (!URL.canParse(server)) return false;
  const { hostname, port, protocol } = new URL(server);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), timeout: CONNECT_MS });
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      for (const failure of ['error', 'timeout']) socket.once(failure, () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
