import { UsageError } from './UsageError.ts';

const HIGHEST_PORT = 65_535;

/** Reads `--port N`; 0 is a free one. Throws a UsageError for anything that is no port. */
export function parsePort(value: string | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= HIGHEST_PORT) return port;
  throw new UsageError(`--port must be a number from 0 to ${HIGHEST_PORT}, not ${JSON.stringify(value)}`);
}

/** Returns what to throw when a port cannot be listened on: a UsageError where the user can choose another one; its `cause` is Node's error. */
export function refusedPort(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new UsageError(`port ${port} is in use; name another one, or 0 for one that is free`, { cause: error });
  if (code === 'EACCES') return new UsageError(`port ${port} may not be used by this user`, { cause: error });
  return error;
}
