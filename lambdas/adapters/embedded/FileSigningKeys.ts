import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import { writePrivateFile } from './makeDataDirectory.ts';

/** The file in the data directory that holds the key. Only its owner can read it. */
const FILE = 'service-account-key';

/** Keeps the key in a file of a data directory, which only one process uses at a time. */
export class FileSigningKeys implements SigningKeys {
  readonly #path: string;

  constructor(directory: string) {
    this.#path = join(directory, FILE);
  }

  async read(): Promise<string | undefined> {
    return this.#read();
  }

  async keep(made: string): Promise<string> {
    const kept = this.#read();
    if (kept !== undefined) return kept;
    // The file must never hold half a key.
    const written = `${this.#path}.new`;
    writePrivateFile(written, made);
    renameSync(written, this.#path);
    return made;
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
