/** Time. Only adapters read the machine's clock and set its timers, so that a test can replay a run and move time by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `wake` once, `delayMs` from now. The returned function cancels that. */
  setTimer(delayMs: number, wake: () => void): () => void;
}

/** Resolves after `delayMs`, or as soon as `signal` is aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.setTimer(delayMs, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Kubernetes' `metav1.Time`: RFC 3339 in UTC with whole seconds, truncated and not rounded. */
export function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** Kubernetes' `metav1.MicroTime`: RFC 3339 in UTC with six decimals. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}
