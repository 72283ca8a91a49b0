import type { SigningKeys } from '../../ports/SigningKeys.ts';

/** Keeps the key as long as the process lives. */
export class MemorySigningKeys implements SigningKeys {
  #kept: string | undefined;

  async read(): Promise<string | undefined> {
    return this.#kept;
  }

  async keep(made: string): Promise<string> {
    return (this.#kept ??= made);
  }
}
