import { randomInt, randomUUID } from 'node:crypto';
import { type Ids, NAME_ALPHABET } from '../../ports/Ids.ts';

/** The machine's own randomness. */
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
