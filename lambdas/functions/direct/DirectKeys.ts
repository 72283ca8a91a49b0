import type { Change } from '../../ports/ChangeLog.ts';
import { type Clock, sleep } from '../../ports/Clock.ts';
import {
  createEnqueueHandler,
  type EnqueueDependencies,
  type EnqueueHandler,
} from '../enqueue/createEnqueueHandler.ts';
import { KeyPacer } from '../enqueue/KeyPacer.ts';
import { WorkUnderWay } from './WorkUnderWay.ts';

type Log = EnqueueDependencies['log'];

/** How long changes are gathered before their keys are sent, while others were sent a moment ago: those of many writes share requests and syncs. */
const GATHER_MS = 5;
/** The same after a pause. In a rollout of few pods each change waits for the one before, and none comes that it could share a request with. */
const GATHER_FIRST_MS = 1;
const PAUSE_MS = 20;

/**
 * Sends the keys of the changes that this process makes, each as soon as its write is acknowledged, so that their syncs need not wait for the table's stream. The stream brings the same keys later, and is what guarantees
 * them: keys that cannot be sent here, or whose process ends before, are left to it, and no write fails because of them.
 */
export class DirectKeys {
  readonly #enqueue: EnqueueHandler;
  readonly #clock: Clock;
  readonly #log: Log;
  #gathered: (() => Change)[] = [];
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  readonly #work: WorkUnderWay;

  /** `enqueue` never rejects; its log says what it could not do, as `log` says which changes could not be read. */
  constructor(enqueue: EnqueueHandler, clock: Clock, log: Log) {
    this.#enqueue = enqueue;
    this.#clock = clock;
    this.#work = new WorkUnderWay(clock);
    this.#log = log;
  }

  /**
   * An invocation begins. `isBusy`: so many keys wait in the queue that the stream brings others early enough. If they were sent here, it would send them again, since nobody has synced them by then.
   */
  begin(isBusy: boolean): void {
    this.#isBusy = isBusy;
  }

  /** Must be called when the change's write is acknowledged, and not before: the sync that its keys cause must read it. */
  note(change: () => Change): void {
    if (this.#isBusy) return;
    this.#gathered.push(change);
    if (this.#gathered.length > 1) return;
    this.#work.add(this.#sendGathered());
  }

  /** Resolves when nothing is left to send, or after a second. A function awaits this at its end: afterwards it stands still. */
  async flush(): Promise<void> {
    await this.#work.ended();
  }

  async #sendGathered(): Promise<void> {
    const pausedMs = this.#clock.steadyMs() - this.#sentAtMs;
    await sleep(this.#clock, pausedMs > PAUSE_MS ? GATHER_FIRST_MS : GATHER_MS);
    this.#sentAtMs = this.#clock.steadyMs();
    const changes = this.#gathered;
    this.#gathered = [];
    await this.#enqueue(changes.flatMap((change) => this.#read(change)));
  }

  /** One change that cannot be read takes no other's keys away. */
  #read(change: () => Change): readonly Change[] {
    try {
      return [change()];
    } catch (error) {
      this.#log({ error: String(error) });
      return [];
    }
  }
}

/** Opens the keys of a process that writes. What it cannot send is no error. */
export function openDirectKeys({
  workQueue,
  controllers,
  clock,
  log,
}: Pick<EnqueueDependencies, 'workQueue' | 'controllers' | 'log'> & { readonly clock: Clock }): DirectKeys {
  const leave: Log = (line) => log({ ...line, level: 'info', msg: 'keys are left to the stream' });
  const enqueue = createEnqueueHandler({
    workQueue,
    controllers,
    clock,
    log: leave,
    pacer: new KeyPacer(clock),
    isDirect: true,
  });
  return new DirectKeys(enqueue, clock, leave);
}
