import { createHash } from 'node:crypto';

const CHUNK = 16_384;

/** What happened in a run, line by line: all of it in the digest, and the last lines to read. */
export class Trace {
  readonly #hash = createHash('sha256');
  readonly #kept: string[] = [];
  /** Lines that are not in the hash yet: to hash them one by one costs more than what they tell of. */
  #unhashed = '';
  readonly #keep: number;
  length = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(line: string): void {
    this.length += 1;
    this.#unhashed += `${line}\n`;
    if (this.#unhashed.length > CHUNK) this.#hashLines();
    this.#kept.push(line);
    if (this.#kept.length > this.#keep * 2) this.#kept.splice(0, this.#kept.length - this.#keep);
  }

  tail(): readonly string[] {
    return this.#kept.slice(-this.#keep);
  }

  /** Of all lines so far. Two runs that differ in anything differ in this. */
  digest(): string {
    this.#hashLines();
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  #hashLines(): void {
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }
}
