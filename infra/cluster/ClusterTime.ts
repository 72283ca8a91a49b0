import { parseDuration } from '../../lambdas/adapters/simulated/parseDuration.ts';
import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { ControlPlane } from '../local/startControlPlane.ts';
import type { ClientTraffic } from './ClientTraffic.ts';

/** Real time. A cluster that does not settle has a defect, or clients that never stop. */
const SETTLE_TIMEOUT_MS = 30_000;
/** Real time. `settle` waits this long for an open request, because its answer may itself wait for something. */
const LONGEST_ANSWER_MS = 100;
const POLL_MS = 5;

export interface ClusterTimeParts {
  readonly controlPlane: ControlPlane;
  readonly traffic: ClientTraffic;
  /** Absent if the cluster uses the machine's clock. */
  readonly virtualClock?: VirtualClock | undefined;
  readonly quietMs: number;
}

/** Settles a cluster and moves its clock. */
export class ClusterTime {
  readonly #parts: ClusterTimeParts;
  /** The clients' activity when they were last quiet. */
  #quietAt = -1;
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: ClusterTimeParts) {
    this.#parts = parts;
  }

  /** Resolves when nothing is left to do at this instant. Rejects after half a minute of real time. */
  async settle(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const isOver = { now: false };
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isOver.now = true;
        reject(new Error(`the cluster did not settle within ${SETTLE_TIMEOUT_MS / 1000} s: something keeps it busy`));
      }, SETTLE_TIMEOUT_MS);
    });
    try {
      await Promise.race([this.#settle(isOver), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Moves a virtual clock from one due time to the next and settles the cluster after each. Resolves at the new time. Calls made meanwhile run one after the
   * other.
   */
  async advance(duration: string | number): Promise<void> {
    const { virtualClock } = this.#parts;
    if (!virtualClock) throw new TypeError("advance: this cluster's clock is real; start it with clock: 'virtual'");
    const ms = parseAdvance(duration);
    const advanced = this.#queue.then(() => this.#advance(virtualClock, ms));
    this.#queue = advanced.catch(() => {});
    await advanced;
  }

  async #advance(clock: VirtualClock, ms: number): Promise<void> {
    await this.settle();
    const untilMs = clock.now() + ms;
    for (let next = clock.nextDueMs(); next !== undefined && next <= untilMs; next = clock.nextDueMs()) {
      clock.advanceTo(next);
      await this.settle();
    }
    clock.advanceTo(untilMs);
  }

  async #settle(isOver: { readonly now: boolean }): Promise<void> {
    const { controlPlane, traffic } = this.#parts;
    for (let before = Number.NaN; before !== this.#eventCount() && !isOver.now; ) {
      before = this.#eventCount();
      await controlPlane.whenIdle();
      // Gives watch streams and incoming requests a turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (traffic.activity !== this.#quietAt) await this.#untilClientsAreQuiet(isOver);
      this.#quietAt = traffic.activity;
    }
  }

  /** A count that grows with every sync and all activity of clients. */
  #eventCount(): number {
    return this.#parts.controlPlane.syncCount() + this.#parts.traffic.activity;
  }

  async #untilClientsAreQuiet(isOver: { readonly now: boolean }): Promise<void> {
    const { traffic, quietMs } = this.#parts;
    let seen = traffic.activity;
    let sinceMs = performance.now();
    while (!isOver.now) {
      const waitMs = traffic.isAnswering ? Math.max(quietMs, LONGEST_ANSWER_MS) : traffic.isWatched ? quietMs : 0;
      if (performance.now() - sinceMs >= waitMs) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, waitMs)));
      if (traffic.activity === seen) continue;
      seen = traffic.activity;
      sinceMs = performance.now();
    }
  }
}

function parseAdvance(duration: string | number): number {
  const ms = typeof duration === 'number' ? duration : parseDuration(duration);
  if (ms !== undefined && Number.isFinite(ms) && ms >= 0) return ms;
  const wanted = 'a duration such as 10m or 1m30s, or milliseconds';
  throw new TypeError(`advance takes ${wanted}, not ${JSON.stringify(duration) ?? String(duration)}`);
}
