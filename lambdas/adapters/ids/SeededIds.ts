import { type Ids, NAME_ALPHABET } from '../../ports/Ids.ts';

/** Ids and random numbers that depend only on the seed: the same calls in the same order return the same. The generator is splitmix32. */
export class SeededIds implements Ids {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  uid(): string {
    const hex = Array.from({ length: 4 }, () => this.#next().toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  nameSuffix(): string {
    return Array.from({ length: 5 }, () => NAME_ALPHABET[Math.floor(this.random() * NAME_ALPHABET.length)]).join('');
  }

  random(): number {
    return this.#next() / 2 ** 32;
  }

  /** Returns 32 random bits. */
  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
}
