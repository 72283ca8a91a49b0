/** Randomness. Nothing outside an adapter draws any, so that a run can be replayed from a seed. */
export interface Ids {
  /** A fresh UUID, version 4, in lower case. */
  uid(): string;
  /** What `generateName` appends: five letters and digits out of `bcdfghjklmnpqrstvwxz2456789`. */
  nameSuffix(): string;
  /** Evenly spread over [0, 1). */
  random(): number;
}

/** The alphabet of generated names: no vowels and nothing that looks like one, so that no words come up. From apimachinery's `rand`. */
export const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
