import type { Clock } from '../../../lambdas/ports/Clock.ts';

/** One process of a function, with what lies between it and the services: every request passes `call`. */
export interface Process extends Clock {
  /** Sends a request: `effect` happens at one instant, some time from now, and its result comes back later, or never. */
  call<T>(what: string, effect: () => Promise<T>): Promise<T>;
  /** The process stands still until it is resumed. */
  suspend(): void;
  resume(): void;
  kill(): void;
  /** When it died, by its steady clock; its connections ended then. */
  readonly diedAtMs: number | undefined;
}
