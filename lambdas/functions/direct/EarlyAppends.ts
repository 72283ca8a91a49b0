import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { Log } from '../createLog.ts';
import { WorkUnderWay } from './WorkUnderWay.ts';

/** The change logs as a writer appends to them, see the adapter's `EarlyLog`. */
export interface WatchedLog {
  isWatched(resource: GroupResource): Promise<boolean>;
  /** Appends what certainly follows what the log holds. Resolves to false if others appended meanwhile, again and again. */
  append(resource: GroupResource, changes: readonly Change[]): Promise<boolean>;
}

export interface EarlyAppendsOptions {
  readonly log: WatchedLog;
  readonly clock: Clock;
  /** Gets what could not be appended. */
  readonly report: Log;
}

/** Written often, and watched for nothing that is urgent. */
const LEFT_TO_STREAM: ReadonlySet<GroupResource> = new Set(['events', 'leases.coordination.k8s.io']);
/** How long changes are gathered: those of a sync's writes that are made at once share a segment. */
const GATHER_MS = 5;
/** The time from one append of a resource to the next, at least. */
const APART_MS = 20;
/** For so long a process appends nothing more to a log to which others append all the time. */
const RETREAT_MS = 1_000;

/** What is known of one resource. Times are by the steady clock. */
interface Gathering {
  changes: (() => Change)[];
  isRunning: boolean;
  appendedAtMs: number;
  retreatsUntilMs: number;
}

/**
 * Appends the changes that this process makes to the logs that somebody watches, as soon as their writes are acknowledged, so that watchers need not wait for the table's stream. The stream brings the same changes later, and is
 * what guarantees them: what is not appended here is left to it, and no write fails or waits.
 */
export class EarlyAppends {
  readonly #options: EarlyAppendsOptions;
  readonly #gatherings = new Map<GroupResource, Gathering>();
  readonly #work: WorkUnderWay;
  #isBusy = false;

  constructor(options: EarlyAppendsOptions) {
    this.#options = options;
    this.#work = new WorkUnderWay(options.clock);
  }

  /** An invocation begins. `isBusy`: many others work at the same time, so that all of them would contend for the next segment, and the stream, which gathers their changes, is the better way. */
  begin(isBusy: boolean): void {
    this.#isBusy = isBusy;
  }

  /** Must be called when the change's write is acknowledged, and not before. */
  note(resource: GroupResource, change: () => Change): void {
    if (this.#isBusy || LEFT_TO_STREAM.has(resource)) return;
    const gathering = this.#gatheringOf(resource);
    if (this.#options.clock.steadyMs() < gathering.retreatsUntilMs) return;
    gathering.changes.push(change);
    if (gathering.isRunning) return;
    gathering.isRunning = true;
    this.#work.add(this.#run(resource, gathering));
  }

  /** Resolves when nothing is left to append, or after a second. A function awaits this at its end: afterwards it stands still. */
  async flush(): Promise<void> {
    await this.#work.ended();
  }

  #gatheringOf(resource: GroupResource): Gathering {
    const found = this.#gatherings.get(resource);
    if (found) return found;
    const never = Number.NEGATIVE_INFINITY;
    const gathering = { changes: [], isRunning: false, appendedAtMs: never, retreatsUntilMs: never };
    this.#gatherings.set(resource, gathering);
    return gathering;
  }

  async #run(resource: GroupResource, gathering: Gathering): Promise<void> {
    const { clock, report } = this.#options;
    try {
      while (gathering.changes.length > 0) await this.#appendNext(resource, gathering);
    } catch (error) {
      gathering.changes = [];
      gathering.retreatsUntilMs = clock.steadyMs() + RETREAT_MS;
      report({ level: 'info', msg: 'changes are left to the stream', resource, error: String(error) });
    } finally {
      gathering.isRunning = false;
    }
  }

  async #appendNext(resource: GroupResource, gathering: Gathering): Promise<void> {
    const { log, clock } = this.#options;
    const sinceMs = clock.steadyMs() - gathering.appendedAtMs;
    await sleep(clock, Math.max(GATHER_MS, APART_MS - sinceMs));
    const isWatched = await log.isWatched(resource);
    const { changes } = gathering;
    gathering.changes = [];
    if (!isWatched) return;
    gathering.appendedAtMs = clock.steadyMs();
    const isAppended = await log.append(
      resource,
      changes.map((change) => change()),
    );
    if (isAppended) return;
    gathering.changes = [];
    gathering.retreatsUntilMs = clock.steadyMs() + RETREAT_MS;
  }
}
