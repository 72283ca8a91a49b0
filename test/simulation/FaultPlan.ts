import type { Random } from './Random.ts';

/** How often what goes wrong: probabilities, unless named otherwise. */
export interface FaultRates {
  /** A worker is gone between two port calls, or after a call had its effect. */
  readonly crash: number;
  /** One request is under way for longer than its sender's lock lasts, and lands then. */
  readonly stall: number;
  /** A worker stands still for longer than its lock lasts, then goes on. */
  readonly freeze: number;
  readonly errorBefore: number;
  /** The answer is lost: the write has happened. */
  readonly errorAfter: number;
  /** The sender gives up waiting, and the request lands later. */
  readonly errorLate: number;
  /** A short time begins in which every other request is refused. */
  readonly throttle: number;
  /** Somebody else writes the same object between a worker's read and its write. */
  readonly rival: number;
  readonly duplicateMessage: number;
  readonly lateMessage: number;
  /** A message comes again though it was received a moment ago, or acknowledged. */
  readonly redelivery: number;
  readonly duplicateBatch: number;
  readonly lateBatch: number;
  /** By how much a worker's clock may be off, either way; milliseconds. */
  readonly skewMs: number;
  /** A client's request has its effect, but the client hears of a timeout. */
  readonly clientTimeout: number;
  /** A running pod becomes unready for a while, or fails for good: a chance every second. */
  readonly podUnready: number;
  readonly podFailure: number;
}

export const NO_FAULTS: FaultRates = {
  crash: 0,
  stall: 0,
  freeze: 0,
  errorBefore: 0,
  errorAfter: 0,
  errorLate: 0,
  throttle: 0,
  rival: 0,
  duplicateMessage: 0,
  lateMessage: 0,
  redelivery: 0,
  duplicateBatch: 0,
  lateBatch: 0,
  skewMs: 0,
  clientTimeout: 0,
  podUnready: 0,
  podFailure: 0,
};

/** The worst that each may be. */
const WORST: FaultRates = {
  crash: 0.02,
  stall: 0.02,
  freeze: 0.01,
  errorBefore: 0.04,
  errorAfter: 0.04,
  errorLate: 0.03,
  throttle: 0.005,
  rival: 0.1,
  duplicateMessage: 0.3,
  lateMessage: 0.3,
  redelivery: 0.2,
  duplicateBatch: 0.3,
  lateBatch: 0.3,
  skewMs: 900,
  clientTimeout: 0.3,
  podUnready: 0.1,
  podFailure: 0.05,
};

/** What leaves requests under way: the deepest rules are about these. */
const LINGERING = ['stall', 'errorLate', 'freeze'] as const;

/**
 * Which faults a run has, and how many of each. Each run leaves some out altogether: where everything goes wrong at once, the one hiccup that matters
 * hides behind the others. Some have a single fault, and plenty of it.
 */
export function drawFaultRates(random: Random): FaultRates {
  if (random.chance(0.3)) {
    const fault = random.pick(LINGERING);
    return { ...NO_FAULTS, [fault]: WORST[fault] * (1 + 2 * random.fraction()) };
  }
  const rates = Object.entries(WORST).map(([fault, worst]) => {
    const isOn = random.chance(0.5);
    return [fault, isOn ? worst * random.fraction() : 0] as const;
  });
  return Object.fromEntries(rates) as unknown as FaultRates;
}

/** The faults of one run while they last. */
export class FaultPlan {
  #rates: FaultRates;

  constructor(rates: FaultRates) {
    this.#rates = rates;
  }

  get rates(): FaultRates {
    return this.#rates;
  }

  /** No new fault from here on. What is stalled still lands; clocks stay as they are. */
  stop(): void {
    this.#rates = { ...NO_FAULTS, skewMs: this.#rates.skewMs };
  }
}
