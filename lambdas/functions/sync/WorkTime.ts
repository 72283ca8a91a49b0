import type { Ports } from '../../ports/Ports.ts';

/**
 * The times of one handling of messages of a key. The queue is the one clock that all workers of a key share, so the messages' times correct a worker whose own clock is behind, and the times that satisfy
 * messages come from the queue alone. Moments within the handling are given by the steady clock.
 */
export class WorkTime {
  readonly #ports: Pick<Ports, 'clock' | 'workClock'>;
  readonly #receivedAtMs: number;
  readonly #startedSteadyMs: number;

  /** `receivedAtMs`: a time by the queue's clock that has passed. */
  constructor(ports: Pick<Ports, 'clock' | 'workClock'>, receivedAtMs: number) {
    this.#ports = ports;
    this.#receivedAtMs = receivedAtMs;
    this.#startedSteadyMs = ports.clock.steadyMs();
  }

  /** The present time for locks and wake-ups. */
  now(): number {
    return Math.max(this.#ports.workClock.now(), this.#receivedAtMs);
  }

  /** The time for locks and wake-ups at an earlier moment. */
  at(steadyMs: number): number {
    return this.now() - (this.#ports.clock.steadyMs() - steadyMs);
  }

  /** How long the messages have been handled. */
  handledForMs(): number {
    return this.#ports.clock.steadyMs() - this.#startedSteadyMs;
  }

  /** A time by the queue's clock that is not after that moment. */
  queueTimeBy(steadyMs: number): number {
    return this.#receivedAtMs + (steadyMs - this.#startedSteadyMs);
  }
}
