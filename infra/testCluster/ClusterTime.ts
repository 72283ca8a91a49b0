import { parseDuration } from '../../lambdas/adapters/simulated/parseDuration.ts';
import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { ControlPlane } from '../local/startControlPlane.ts';
import type { ClientTraffic } from './ClientTraffic.ts';
import { startCounting } from './SettleTimeoutError.ts';

/** Real time. A cluster that does not settle has a defect, or clients that never stop. */
const SETTLE_TIMEOUT_MS = 30_000;
/** Real time. `settle` waits this long for an open request, because its answer may itself wait for something. */
const LONGEST_ANSWER_MS = 100;
const POLL_MS = 5;

export interface ClusterTimeParts {
  readonly controlPlane: Pick<ControlPlane, 'whenIdle' | 'syncCount' | 'history'>;
  readonly traffic: ClientTraffic;
  /** Absent if the cluster uses the machine's clock. */
  readonly virtualClock?: VirtualClock | undefined;
  readonly quietMs: number;
  /** Resolves when the cluster's own background writes have ended. */
  readonly whenWritten?: () => Promise<void>;
  /** Called with a time that the clock is about to reach. */
  readonly onAdvance?: (untilMs: number) => void;
}

/** How one call waits; both in milliseconds of real time. */
export interface SettleHow {
  /** How long no client may have changed anything, whether clients watch or not. Absent: while clients watch, the cluster's own `quietMs`. */
  readonly quietMs?: number | undefined;
  /** How long the cluster may take to settle. Absent: half a minute. */
  readonly timeoutMs?: number | undefined;
}

/** Settles a cluster and moves its clock. */
export class ClusterTime {
  readonly #parts: ClusterTimeParts;
  /** What was counted of the clients when they were last quiet. */
  readonly #quietAt = { activity: -1, changes: -1 };
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: ClusterTimeParts) {
    this.#parts = parts;
  }

  /** Resolves when nothing is left to do at this instant. Rejects with a SettleTimeoutError when its time is over. */
  async settle(how: SettleHow = {}): Promise<void> {
    // A client that does not watch may be about to react to what it has read.
    if (how.quietMs !== undefined) this.#quietAt.changes = -1;
    await this.#settleInTime(how);
  }

  /**
   * Moves a virtual clock from one due time to the next and settles the cluster after each. Resolves at the new time. Calls made meanwhile run one after the
   * other.
   */
  async advance(duration: string | number, how: SettleHow = {}): Promise<void> {
    const { virtualClock } = this.#parts;
    if (!virtualClock) throw new TypeError("advance: this cluster's clock is real; start it with clock: 'virtual'");
    const ms = parseAdvance(duration);
    await this.inTurn(() => this.#advance(virtualClock, ms, how));
  }

  /** Runs a call after those that began before, so that two do not move the same clock. */
  async inTurn<T>(call: () => Promise<T>): Promise<T> {
    const called = this.#queue.then(call);
    this.#queue = called.catch(() => {});
    return await called;
  }

  async #advance(clock: VirtualClock, ms: number, how: SettleHow): Promise<void> {
    await this.settle(how);
    const untilMs = clock.now() + ms;
    this.#parts.onAdvance?.(untilMs);
    for (let next = clock.nextDueMs(); next !== undefined && next <= untilMs; next = clock.nextDueMs()) {
      clock.advanceTo(next);
      await this.#settleInTime(how);
    }
    clock.advanceTo(untilMs);
    // The last events may be news to a client that does not watch.
    if (how.quietMs !== undefined) await this.settle(how);
  }

  async #settleInTime(how: SettleHow): Promise<void> {
    const { timeoutMs = SETTLE_TIMEOUT_MS } = how;
    const { controlPlane, traffic } = this.#parts;
    const timeoutError = startCounting(controlPlane, traffic, timeoutMs);
    const isOver = { now: false };
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isOver.now = true;
        reject(timeoutError());
      }, timeoutMs);
    });
    try {
      await Promise.race([this.#settle(isOver, how), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #settle(isOver: { readonly now: boolean }, how: SettleHow): Promise<void> {
    const { controlPlane, traffic, whenWritten } = this.#parts;
    const counted = countedOf(how);
    const eventCount = () => controlPlane.syncCount() + traffic[counted];
    for (let before = Number.NaN; before !== eventCount() && !isOver.now; ) {
      before = eventCount();
      await controlPlane.whenIdle();
      await whenWritten?.();
      // Gives watch streams and incoming requests a turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (traffic[counted] !== this.#quietAt[counted]) await this.#untilClientsAreQuiet(isOver, how);
      this.#quietAt[counted] = traffic[counted];
    }
  }

  async #untilClientsAreQuiet(isOver: { readonly now: boolean }, how: SettleHow): Promise<void> {
    const { traffic } = this.#parts;
    const counted = countedOf(how);
    let seen = traffic[counted];
    let sinceMs = performance.now();
    while (!isOver.now) {
      const waitMs = this.#waitMs(how);
      if (performance.now() - sinceMs >= waitMs) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, waitMs)));
      if (traffic[counted] === seen) continue;
      seen = traffic[counted];
      sinceMs = performance.now();
    }
  }

  #waitMs({ quietMs: asked }: SettleHow): number {
    const { traffic, quietMs } = this.#parts;
    const isAnswering = asked === undefined ? traffic.isAnswering : traffic.isWriting;
    const wantedMs = asked ?? (traffic.isWatched || isAnswering ? quietMs : 0);
    return isAnswering ? Math.max(wantedMs, LONGEST_ANSWER_MS) : wantedMs;
  }
}

/** A caller that names a time waits for changes only: a client that reads all the time would never be quiet. */
function countedOf({ quietMs }: SettleHow): 'activity' | 'changes' {
  return quietMs === undefined ? 'activity' : 'changes';
}

function parseAdvance(duration: string | number): number {
  const ms = typeof duration === 'number' ? duration : parseDuration(duration);
  if (ms !== undefined && Number.isFinite(ms) && ms >= 0) return ms;
  const wanted = 'a duration such as 10m or 1m30s, or milliseconds';
  throw new TypeError(`advance takes ${wanted}, not ${JSON.stringify(duration) ?? String(duration)}`);
}
