import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { LmdbKeyItemStorage } from '../../lambdas/adapters/embedded/LmdbKeyItemStorage.ts';
import { makeDirectory } from '../../lambdas/adapters/embedded/makeDirectory.ts';
import type { ControlPlaneOptions } from '../local/startControlPlane.ts';

/** Where a virtual clock stood when its cluster was stopped. */
const TIME_FILE = 'virtual-time';

/** The files of a cluster: its kubeconfig, and what it keeps if it has a data directory. */
export class ClusterFiles {
  readonly #directory: string;
  readonly #isTemporary: boolean;

  constructor(dataDir: string | undefined) {
    this.#isTemporary = dataDir === undefined;
    this.#directory = dataDir ?? mkdtempSync(join(tmpdir(), 'driftless-'));
  }

  /** Storage for objects and intents; none for a place that does not last. Throws a DataDirectoryError if it cannot be used. */
  openStorage(): Pick<ControlPlaneOptions, 'journal' | 'keyItems'> {
    if (this.#isTemporary) return {};
    return { journal: LmdbJournal.open(this.#directory), keyItems: LmdbKeyItemStorage.open(this.#directory) };
  }

  /** Returns the file's path. */
  writeKubeconfig(text: string): string {
    const path = join(this.#directory, 'kubeconfig');
    makeDirectory(this.#directory);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Milliseconds since the epoch; nothing if no virtual clock was stopped here. */
  stoppedAtMs(): number | undefined {
    try {
      const ms = Date.parse(readFileSync(join(this.#directory, TIME_FILE), 'utf8'));
      return Number.isNaN(ms) ? undefined : ms;
    } catch {
      // Nobody has stopped here yet.
      return undefined;
    }
  }

  /** Removes what is temporary; otherwise remembers where a virtual clock stood. */
  leave(stoppedAtMs: number | undefined): void {
    if (this.#isTemporary) rmSync(this.#directory, { recursive: true, force: true });
    else if (stoppedAtMs !== undefined)
      writeFileSync(join(this.#directory, TIME_FILE), new Date(stoppedAtMs).toISOString());
  }
}
