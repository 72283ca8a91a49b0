import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { SendRequest } from '../../host/SendRequest.ts';
import { type Changed, Followers } from './Followers.ts';
import { pauseFor } from './SharedWatch.ts';

const CLOCK = '/apis/testing.driftless.dev/v1/clocks/cluster';
/** A virtual clock moves without an event when nothing is due, so it is read so often while a page is open. */
const PERIOD_MS = 500;
/** An answer's date has whole seconds, and was some time on its way. */
const FAR_MS = 5_000;

/** HTTP's codes for what is forbidden, and for what does not exist. */
const WITHOUT_CLOCK: ReadonlySet<number> = new Set([403, 404]);

interface ClockObject extends KubernetesObject {
  readonly status?: { readonly type?: string; readonly time?: string };
}

/**
 * The time of a server in another process. A virtual clock is read while somebody follows it; between two reads its time is the newest one that an object was written at. Any other server has this machine's time, or, if this machine's clock is wrong, that of the
 * server's answers.
 */
export class RemoteClock {
  readonly #send: SendRequest;
  readonly #followers = new Followers<KubernetesObject>(
    (signal) => this.#run(signal),
    () => {
      this.isKnown = false;
    },
  );
  #virtualMs: number | undefined;
  #aheadMs = 0;
  /** Once for each time that an object was newer than the clock. */
  #seenCount = 0;
  /** The time is known. */
  isKnown = false;
  /** Other watches tell why the server does not answer. */
  readonly problem = undefined;

  constructor(send: SendRequest) {
    this.#send = send;
  }

  readonly nowMs = (): number => this.#virtualMs ?? Date.now() + this.#aheadMs;

  /** Sends a request to the server, and looks at the date of the answer. */
  readonly send: SendRequest = async (path, init) => {
    const response = await this.#send(path, init);
    const aheadMs = Date.parse(response.headers.get('date') ?? '') - Date.now();
    if (!Number.isNaN(aheadMs)) this.#aheadMs = Math.abs(aheadMs) > FAR_MS ? aheadMs : 0;
    return response;
  };

  /** Called with each object that was changed. */
  saw({ metadata }: KubernetesObject): void {
    if (this.#virtualMs === undefined) return;
    const times = (metadata.managedFields ?? []).map(({ time }) => Date.parse(time ?? ''));
    const newestMs = Math.max(...times.filter((ms) => !Number.isNaN(ms)));
    if (newestMs <= this.#virtualMs) return;
    this.#virtualMs = newestMs;
    this.#seenCount += 1;
  }

  /** Follows until the returned function is called. */
  follow(changed: Changed<KubernetesObject>): () => void {
    return this.#followers.add(changed);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isOver = await this.#read(signal).catch(() => false);
      if (isOver) return;
      await pauseFor(PERIOD_MS, signal);
    }
  }

  /** Returns true if the clock needs no second look. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const seenBefore = this.#seenCount;
    const response = await this.send(CLOCK, { signal });
    const text = await response.text();
    // A server that is being restarted, or does not know the user now, is asked again. Others have no such clock, or show it to others only.
    if (!response.ok && !WITHOUT_CLOCK.has(response.status)) return false;
    const clock = (response.ok ? JSON.parse(text) : {}) as ClockObject;
    const timeMs = clock.status?.type === 'Virtual' ? Date.parse(clock.status.time ?? '') : Number.NaN;
    if (signal.aborted) return true;
    const isVirtual = !Number.isNaN(timeMs);
    const isOld = isVirtual && seenBefore !== this.#seenCount && timeMs < this.nowMs();
    if (!isOld) this.#set(isVirtual ? timeMs : undefined, clock);
    return !isVirtual;
  }

  #set(virtualMs: number | undefined, clock: ClockObject): void {
    const isKnown = this.isKnown && this.#virtualMs === virtualMs;
    const isOther = (this.#virtualMs === undefined) !== (virtualMs === undefined);
    const told = this.isKnown && !isOther ? clock : undefined;
    this.#virtualMs = virtualMs;
    this.isKnown = true;
    if (isKnown) return;
    this.#followers.tell(told);
  }
}
