import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataDirectory, writePrivateFile } from '../../lambdas/adapters/embedded/makeDataDirectory.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { type Administrator, openAdministrator } from '../local/Administrator.ts';
import { keepVirtualTime, readVirtualTime } from './virtualTime.ts';
import type { ControlPlaneOptions } from '../local/startControlPlane.ts';

/** The files of a cluster: its kubeconfig and, in a data directory, its objects and the time of its clock. */
export class ClusterFiles {
  readonly #directory: string;
  readonly #isTemporary: boolean;

  constructor(dataDir: string | undefined) {
    this.#isTemporary = dataDir === undefined;
    this.#directory = dataDir ?? mkdtempSync(join(tmpdir(), 'driftless-'));
  }

  /** Opens the storage for objects and intents; resolves to nothing if there is no data directory. Throws a DataDirectoryError if it cannot be used. */
  async openStorage(): Promise<Pick<ControlPlaneOptions, 'journal' | 'keyItems' | 'signingKeys'>> {
    if (this.#isTemporary) return {};
    const { openStorage } = await import('../local/openStorage.ts');
    return openStorage(this.#directory);
  }

  /** The credentials of the kubeconfig's user, which a data directory keeps. */
  openAdministrator(): Administrator {
    return openAdministrator(this.#directory, new SystemClock().now());
  }

  /** Returns the file's path. */
  writeKubeconfig(text: string): string {
    const path = join(this.#directory, 'kubeconfig');
    makeDataDirectory(this.#directory);
    writePrivateFile(path, text);
    return path;
  }

  /** The time that the last virtual clock reached here, in milliseconds since the epoch, if there was one. */
  stoppedAtMs(): number | undefined {
    return readVirtualTime(this.#directory);
  }

  /** In a data directory, keeps the time that the virtual clock is about to reach: after kill -9 it must not be earlier than that of any object. */
  keepTime(ms: number): void {
    if (!this.#isTemporary) keepVirtualTime(this.#directory, ms);
  }

  /** Deletes a temporary directory. In a data directory, saves the time of the virtual clock. */
  close(stoppedAtMs: number | undefined): void {
    if (this.#isTemporary) rmSync(this.#directory, { recursive: true, force: true });
    else if (stoppedAtMs !== undefined) this.keepTime(stoppedAtMs);
  }
}
