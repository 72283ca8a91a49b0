import { ApiError } from './ApiError.ts';

/** The most steps that one request may take. A step takes about 100 ns, by measurement: together less than half a second. */
export const MAX_REQUEST_STEPS = 4_000_000;
/**
 * The most bytes that one request may keep besides what the store holds: four times the largest body. It is enough for the body, the object that it becomes, what a patch copies, and as much again for
 * defaults and for what webhooks answer.
 */
export const MAX_REQUEST_BYTES_KEPT = 4 * 3 * 1024 * 1024;
/** What a value takes besides its characters. */
const BYTES_PER_VALUE = 16;
/** What the request may take more for each stored object that it reads: a list is never refused for being long, only for what it does to each object. */
const STEPS_PER_STORED_OBJECT = 100;

/** Kubernetes bounds what expressions cost, in units of its own. All that it lets the rules of one object cost, ten million units, is less than a request may take. */
const CEL_UNITS_PER_STEP = 5;

/** The request asks for more than one request may take. Whoever turns other errors into outcomes lets this one pass: it ends the request. */
export class BudgetExhaustedError extends ApiError {
  constructor(limit: number, unit: string) {
    super('RequestEntityTooLarge', `Request entity too large: limit is ${limit} ${unit} for one request`);
    this.name = 'BudgetExhaustedError';
  }
}

/** Absent: as much as any request may take. */
export interface BudgetLimits {
  readonly maxSteps?: number;
  readonly maxBytes?: number;
}

/**
 * What one request may take, in steps of work and in bytes that are kept. Where a request, a schema, a stored object or a policy decide together how much there is to do, a body of kilobytes may ask for
 * seconds and gigabytes. All parts of the work draw on the same budget, before they take a step or keep a byte. It is made where a request arrives, and handed down with it. A write of a controller is a
 * request of its own.
 */
export class RequestBudget {
  readonly #maxSteps: number;
  readonly #maxBytes: number;
  #allowed = 0;
  #steps = 0;
  #bytes = 0;

  constructor({ maxSteps = MAX_REQUEST_STEPS, maxBytes = MAX_REQUEST_BYTES_KEPT }: BudgetLimits = {}) {
    this.#maxSteps = maxSteps;
    this.#maxBytes = maxBytes;
  }

  /** How many steps have been taken, and how many bytes kept. */
  get spent(): { readonly steps: number; readonly bytes: number } {
    return { steps: this.#steps, bytes: this.#bytes };
  }

  /** Throws BudgetExhaustedError once the request has taken too many steps. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#maxSteps + this.#allowed) throw new BudgetExhaustedError(this.#maxSteps, 'steps of work');
  }

  /** `spend` for work on each value that a value holds. Returns how many there are. */
  spendOnEach(value: unknown, stepsPerValue: number): number {
    const count = countValues(value);
    this.spend(count * stepsPerValue);
    return count;
  }

  /** `spend` for expressions in CEL, whose cost is in cel-go's units. */
  spendOnExpressions(units: number): void {
    this.spend(Math.ceil(units / CEL_UNITS_PER_STEP));
  }

  /** Throws BudgetExhaustedError once the request has kept too many bytes. */
  keep(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw new BudgetExhaustedError(this.#maxBytes, 'bytes kept');
  }

  /** `keep` for a copy of a value with all that it holds. */
  keepCopy(value: unknown): void {
    this.keep(roomOf(value));
  }

  /** Adds what the work on so many stored objects may take. */
  allow(objects: number): void {
    this.#allowed += objects * STEPS_PER_STORED_OBJECT;
  }

  /** Tries something that is begun anew whenever another client writes first: what an attempt has taken in vain does not count. */
  attempt(): { readonly undo: () => void } {
    const [steps, bytes] = [this.#steps, this.#bytes];
    return {
      undo: () => {
        this.#steps = steps;
        this.#bytes = bytes;
      },
    };
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  // Each write is counted several times, and this takes half as long as a list of the members.
  for (const name in value) count += countValues((value as Readonly<Record<string, unknown>>)[name]);
  return count;
}

const ROOMS = new WeakMap<object, number>();

/** The bytes that a value takes. Objects are measured once, and do not change afterwards. */
function roomOf(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  const known = ROOMS.get(value);
  if (known !== undefined) return known;
  let room = BYTES_PER_VALUE;
  for (const [name, member] of Object.entries(value)) room += name.length + roomOf(member);
  ROOMS.set(value, room);
  return room;
}
