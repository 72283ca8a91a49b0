import { randomInt, randomUUID } from 'node:crypto';
import { type Ids, NAME_ALPHABET } from '../../ports/Ids.ts';

/** Ids and random numbers from the machine's randomness. */
export class SystemIds implements Ids {
  uid(): string {
    return randomUUID();
  }

  nameSuffix(): string {
    return Array.from({ length: 5 }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join('');
  }

  random(): number {
    return Math.random();
  }
}
