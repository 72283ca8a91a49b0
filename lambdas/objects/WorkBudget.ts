import { requestEntityTooLarge } from './apiErrors.ts';

/** The most steps that one piece of work may take. A step takes about 100 ns, by measurement: together a fifth of a second. */
const MAX_STEPS = 2_000_000;
/** The most characters, names included, that one piece of work may add to what it was given. */
const MAX_KEPT_CHARACTERS = 3 * 1024 * 1024;
/** What an added value takes beside its characters. */
const CHARACTERS_PER_VALUE = 16;

/**
 * What the work on one object may take, where a schema and an object together decide about it: a body of kilobytes may ask for seconds and gigabytes. The work draws
 * steps before it takes them, and room before it fills it.
 */
export class WorkBudget {
  #steps = MAX_STEPS;
  #characters = MAX_KEPT_CHARACTERS;

  /** Throws ApiError RequestEntityTooLarge once the work has taken too many steps. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw requestEntityTooLarge(MAX_STEPS, 'steps of work');
  }

  /** Throws ApiError RequestEntityTooLarge once the work has added too many characters. */
  keep(characters: number): void {
    this.#characters -= characters;
    if (this.#characters < 0) throw requestEntityTooLarge(MAX_KEPT_CHARACTERS);
  }

  /** `keep` for a copy of a value with all that it holds. */
  keepCopy(value: unknown): void {
    this.keep(roomOf(value));
  }
}

const ROOMS = new WeakMap<object, number>();

/** The characters that a value takes. Objects are measured once, and do not change afterwards. */
function roomOf(value: unknown): number {
  if (typeof value === 'string') return CHARACTERS_PER_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return CHARACTERS_PER_VALUE;
  const known = ROOMS.get(value);
  if (known !== undefined) return known;
  let room = CHARACTERS_PER_VALUE;
  for (const [name, member] of Object.entries(value)) room += name.length + roomOf(member);
  ROOMS.set(value, room);
  return room;
}
