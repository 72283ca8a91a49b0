import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { encodeWorkKey, parseWorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { CloudModel } from '../../model/cloud/CloudModel.ts';
import { canRun } from '../ends/canRun.ts';
import type { Scheduler } from '../Scheduler.ts';
import type { Trace } from '../Trace.ts';
import type { World } from '../World.ts';
import type { CloudAudit } from './CloudAudit.ts';
import type { CloudQueue } from './CloudQueue.ts';
import type { CloudWatcher } from './CloudWatcher.ts';

export interface CloudQuietParts {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly world: World;
  readonly cloud: CloudModel;
  readonly queue: CloudQueue;
  readonly audit: CloudAudit;
  readonly watchers: readonly CloudWatcher[];
  readonly onFailure: (failure: string) => void;
}

/** How long a watcher may be behind when nothing happens any more: longer than its instance of the API may stand still. */
const WATCHER_PATIENCE_MS = 200_000;

/** Says when nobody has anything left to do, now or later, and every watcher knows all. */
export class CloudQuiet {
  readonly #parts: CloudQuietParts;
  #fromMs = 0;
  #restingSinceMs: number | undefined;

  constructor(parts: CloudQuietParts) {
    this.#parts = parts;
  }

  /** It is not quiet before this time: faults may still begin. */
  notBefore(atMs: number): void {
    this.#fromMs = atMs;
    this.#restingSinceMs = undefined;
  }

  /** Whether it is quiet. A watcher that stays behind is a failure. Keys that were given up are redriven, as the operator whom the alarm calls would do. */
  isReached(): boolean {
    const { scheduler, watchers, onFailure } = this.#parts;
    if (!this.#isResting()) {
      this.#restingSinceMs = undefined;
      return false;
    }
    this.#restingSinceMs ??= scheduler.now();
    const behind = watchers.map((watcher) => watcher.behind()).find((place) => place !== undefined);
    if (behind !== undefined && scheduler.now() - this.#restingSinceMs > WATCHER_PATIENCE_MS)
      onFailure(`a watcher does not get to know the end of ${behind}`);
    return behind === undefined;
  }

  /** What keeps it from being quiet. */
  describe(): string {
    const { queue, cloud } = this.#parts;
    const keys = queue.keys.join(', ') || 'nothing';
    return `in the queue ${keys}, ${cloud.queues.givenUp.size} notices, and ${cloud.isBusy ? 'functions' : 'no function'} at work`;
  }

  #isResting(): boolean {
    const { scheduler, cloud, queue, audit } = this.#parts;
    const nowMs = scheduler.now();
    if (nowMs < this.#fromMs || cloud.isBusy) return false;
    const isEndless = (encoded: string) => this.#isEndless(encoded);
    if (queue.size > 0 && !(queue.keys.every(isEndless) && queue.keysVisibleBy(nowMs).length === 0)) return false;
    if (this.#redrive() || cloud.queues.givenUp.size > 0) return false;
    return [...audit.wakingKeys].every(isEndless);
  }

  /** True if there were dead letters. */
  #redrive(): boolean {
    const { queue, trace } = this.#parts;
    const given = queue.takeDeadLetters();
    if (given.length === 0) return false;
    trace.add(`the operator redrives ${given.map(encodeWorkKey).join(', ')}`);
    queue.send(given.map((key) => ({ key })));
    return true;
  }

  /** True for the key of a pod that never becomes ready: its kubelet tries again and again. */
  #isEndless(encoded: string): boolean {
    const key = parseWorkKey(encoded);
    if (key?.controller !== 'pod') return false;
    const pod = this.#parts.world.get<Pod>('pods', key.namespace, key.name);
    return pod !== undefined && pod.metadata.deletionTimestamp === undefined && !canRun(pod.spec && { spec: pod.spec });
  }
}
