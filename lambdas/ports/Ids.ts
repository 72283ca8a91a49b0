/** Randomness. Only adapters draw random numbers, so that a run can be replayed from a seed. */
export interface Ids {
  /** Returns a fresh UUID, version 4, in lower case. */
  uid(): string;
  /** Returns the suffix that `generateName` appends: five letters and digits out of `bcdfghjklmnpqrstvwxz2456789`. */
  nameSuffix(): string;
  /** Returns a number evenly distributed over [0, 1). */
  random(): number;
}

/** The alphabet of generated names. It has no vowels and nothing that looks like one, so that names form no words. From apimachinery's `rand`. */
export const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
