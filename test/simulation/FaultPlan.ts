import type { Script } from './ClientOp.ts';
import { Random } from './Random.ts';

/** How often each thing goes wrong: probabilities, unless the comment says otherwise. */
export interface FaultRates {
  /** A worker is gone between two port calls, or after a call had its effect. */
  readonly crash: number;
  /** One request is under way for longer than its sender's lock lasts, and lands then. */
  readonly stall: number;
  /** The same, of requests that create, delete or size replicas: intents exist because of these. */
  readonly stallReplica: number;
  /** A worker stands still for longer than its lock lasts, then goes on. */
  readonly freeze: number;
  readonly errorBefore: number;
  /** The answer is lost: the write has happened. */
  readonly errorAfter: number;
  /** The sender gives up waiting, and the request takes effect later. */
  readonly errorLate: number;
  /** A short time begins in which every other request is refused. */
  readonly throttle: number;
  /** Somebody else writes the same object between a worker's read and its write. */
  readonly rival: number;
  /** An object gets one more owner, which exists, just before the garbage collector reads it. */
  readonly lateOwner: number;
  /** A user deletes an owner just before its sync lists an orphan that it would adopt. */
  readonly lateDelete: number;
  /** A user scales an owner just before a sync reads it that finds an intent left behind. */
  readonly lateScale: number;
  /** A create that is still under way takes effect just before its name is burned. */
  readonly landFirst: number;
  readonly duplicateMessage: number;
  readonly lateMessage: number;
  /** A message comes again though it was received a moment ago, or acknowledged. */
  readonly redelivery: number;
  /** A delayed message is lost. */
  readonly lostWakeUp: number;
  readonly duplicateBatch: number;
  readonly lateBatch: number;
  /** By how much a worker's clock may be off, either way; milliseconds. */
  readonly skewMs: number;
  /** When a worker's clock is set, it is set wrong by seconds or by half an hour. */
  readonly wrongClock: number;
  /** A worker's clock is set anew, forward or back, within `skewMs`. */
  readonly clockStep: number;
  /** A client's request has its effect, but the client hears of a timeout. */
  readonly clientTimeout: number;
  /** A running pod becomes unready for a while, or fails for good: a chance every second. */
  readonly podUnready: number;
  readonly podFailure: number;
  /** A user says which pod is to be deleted first, just before a sync reads its owner that finds other deletes left behind. */
  readonly lateDeletionCost: number;
  /** A user replaces an object by force just before a controller deletes it, or writes to it once more: another object has its name then. */
  readonly lateReplacement: number;
  /** The same as `stall`, of a CronJob's request that starts a run: it may land after the next run. */
  readonly stallRun: number;
  /** Of the messages that are sent together, SQS refuses one. */
  readonly refusedMessage: number;
}

export const NO_FAULTS: FaultRates = {
  crash: 0,
  stall: 0,
  stallReplica: 0,
  freeze: 0,
  errorBefore: 0,
  errorAfter: 0,
  errorLate: 0,
  throttle: 0,
  rival: 0,
  lateOwner: 0,
  lateDelete: 0,
  lateScale: 0,
  landFirst: 0,
  duplicateMessage: 0,
  lateMessage: 0,
  redelivery: 0,
  lostWakeUp: 0,
  duplicateBatch: 0,
  lateBatch: 0,
  skewMs: 0,
  wrongClock: 0,
  clockStep: 0,
  clientTimeout: 0,
  podUnready: 0,
  podFailure: 0,
  lateDeletionCost: 0,
  lateReplacement: 0,
  stallRun: 0,
  refusedMessage: 0,
};

/** The worst that each may be. */
const WORST: FaultRates = {
  crash: 0.02,
  stall: 0.02,
  stallReplica: 0.2,
  freeze: 0.01,
  errorBefore: 0.04,
  errorAfter: 0.04,
  errorLate: 0.03,
  throttle: 0.005,
  rival: 0.1,
  lateOwner: 0.5,
  lateDelete: 0.6,
  lateScale: 1,
  landFirst: 1,
  duplicateMessage: 0.3,
  lateMessage: 0.3,
  redelivery: 0.2,
  lostWakeUp: 0.3,
  duplicateBatch: 0.3,
  lateBatch: 0.3,
  skewMs: 900,
  wrongClock: 0,
  clockStep: 0.02,
  clientTimeout: 0.3,
  podUnready: 0.1,
  podFailure: 0.05,
  lateDeletionCost: 1,
  lateReplacement: 0.5,
  stallRun: 0.6,
  refusedMessage: 0.1,
};

/** These faults leave requests under way: the deepest rules are about them. */
const LINGERING = ['stall', 'stallReplica', 'stallReplica', 'errorLate', 'freeze', 'crash'] as const;

/** How wrong a clock is that was set wrong: by less than a lock lasts, or by far more. */
export const WRONG_BY_MS = [-1_800_000, -20_000, 20_000, 1_800_000] as const;

/** Draws what goes wrong in a run of a script. Wrong clocks are drawn from a seed of their own, so that the other runs stay as they are. */
export function drawFaultRates(random: Random, script: Pick<Script, 'commutes' | 'isTimed'>, seed: number): FaultRates {
  const drawn = drawRates(random);
  // What these rivals do stays, so the end would not be that of a run without faults.
  const calm = script.commutes ? { ...drawn, lateOwner: 0, lateDelete: 0, lateScale: 0 } : drawn;
  return script.isTimed ? calm : drawWrongClocks(new Random(seed + 1), calm);
}

/**
 * Which faults a run has, and how many of each. Each run leaves some out altogether: where everything goes wrong at once, the one fault that matters
 * hides behind the others. Some runs have a single fault, and plenty of it; a few have none.
 */
function drawRates(random: Random): FaultRates {
  if (random.chance(0.05)) return NO_FAULTS;
  if (random.chance(0.3)) {
    const fault = random.pick(LINGERING);
    const rate = WORST[fault] * (1 + 2 * random.fraction());
    return {
      ...NO_FAULTS,
      landFirst: 1,
      lateScale: 0.5,
      lateDeletionCost: 1,
      lateReplacement: 0.3,
      stallRun: 0.4,
      [fault]: rate,
    };
  }
  const rates = Object.entries(WORST).map(([fault, worst]) => {
    const isOn = random.chance(0.5);
    return [fault, isOn ? worst * random.fraction() : 0] as const;
  });
  return Object.fromEntries(rates) as unknown as FaultRates;
}

/**
 * In a third of the runs clocks are set wrong. Only scripts in which nothing is decided by a time of day are meant for this: without `minReadySeconds`, and without a deadline after which a rollout fails.
 */
function drawWrongClocks(random: Random, rates: FaultRates): FaultRates {
  if (!random.chance(1 / 3)) return rates;
  return {
    ...rates,
    wrongClock: 0.5 * random.fraction(),
    clockStep: Math.max(rates.clockStep, 0.02 * random.fraction()),
  };
}

/** After the last fault a message may stay hidden for its visibility timeout, and a request may be under way, for so long. */
const AFTERMATH_MS = 250_000;

/** The faults of one run while they last. */
export class FaultPlan {
  readonly #drawn: FaultRates;
  #rates: FaultRates;
  #calmFromMs: number;

  constructor(rates: FaultRates) {
    this.#drawn = rates;
    this.#rates = rates;
    this.#calmFromMs = Object.values(rates).every((rate) => rate === 0) ? 0 : Number.POSITIVE_INFINITY;
  }

  get rates(): FaultRates {
    return this.#rates;
  }

  /** By how much a worker's clock is off at most, either way. */
  get worstClockErrorMs(): number {
    const { skewMs, wrongClock } = this.#rates;
    return wrongClock > 0 ? Math.max(...WRONG_BY_MS.map(Math.abs)) : skewMs;
  }

  /** True if no new fault begins any more. */
  get isOver(): boolean {
    return this.#calmFromMs < Number.POSITIVE_INFINITY;
  }

  /** From this time on nothing goes wrong, and no consequence of a fault is left; milliseconds. */
  get calmFromMs(): number {
    return this.#calmFromMs;
  }

  /** Begins new faults again, as at the start. */
  resume(): void {
    this.#rates = this.#drawn;
    if (Object.values(this.#drawn).some((rate) => rate > 0)) this.#calmFromMs = Number.POSITIVE_INFINITY;
  }

  /** Begins no new fault from here on. Requests that are under way still take effect; clocks stay as they are. */
  stop(nowMs: number): void {
    const { skewMs, wrongClock } = this.#rates;
    this.#rates = { ...NO_FAULTS, skewMs, wrongClock };
    this.#calmFromMs = Math.min(this.#calmFromMs, nowMs + AFTERMATH_MS);
  }
}
