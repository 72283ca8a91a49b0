import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { muteLmdb } from './muteLmdb.ts';
import type { StartOptions } from '../commandLine/parseStartOptions.ts';

/** The folder of a running server, whose files no other server writes. */
export interface ServerFolder {
  /** Absolute. */
  readonly dataDir: string;
  /** Lets others have it, or removes it. To be called when the server has stopped. */
  readonly close: () => Promise<void>;
}

/**
 * Returns the folder into which a server writes its kubeconfig. One that keeps its objects locks its directory when it opens them. One that keeps nothing has a folder of its own, which goes with it; if the user names a
 * directory for it, that is locked as well. Throws a DataDirectoryError if another server uses it.
 */
export async function openServerFolder(options: StartOptions): Promise<ServerFolder> {
  const { dataDir, ephemeral, emulateCloud } = options;
  if (dataDir === undefined) return ownFolder();
  const isLockedBySelf = (ephemeral || emulateCloud) && writesInto(options);
  return { dataDir, close: isLockedBySelf ? await lock(dataDir) : async () => {} };
}

/** The folder appears with the first file that is written into it. */
function ownFolder(): ServerFolder {
  const dataDir = join(tmpdir(), `driftless-${randomUUID()}`);
  return { dataDir, close: async () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** A server that keeps nothing, and writes its kubeconfig elsewhere, leaves the directory alone. */
function writesInto({ kubeconfig, rbac, tls }: StartOptions): boolean {
  return kubeconfig === undefined || rbac || tls === true;
}

/** Loads the database only for a server that needs its locks. */
async function lock(dataDir: string): Promise<() => Promise<void>> {
  muteLmdb();
  const { lockDirectory } = await import('../../lambdas/adapters/embedded/lockDirectory.ts');
  try {
    return lockDirectory(dataDir);
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(dataDir, `cannot be used: ${why}`, { cause: error });
  }
}
