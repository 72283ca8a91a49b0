import type { PageMessage } from '../views/PageViews.ts';
import { messageOfAll, nothingTold, takeMessage, type Told } from './Told.ts';

/** What a page has seen, moment by moment, so that one can look back. A moment is a message that changed something. */
export class RolloutHistory {
  readonly #mostMoments: number;
  readonly #keyEvery: number;
  /** Each begins with all that was told. */
  #chapters: PageMessage[][] = [];
  #dropped = 0;

  /** Keeps about `mostMoments`. Every `keyEvery` moments all is kept, so that a look back takes few steps. */
  constructor(mostMoments = 10_000, keyEvery = 100) {
    this.#mostMoments = mostMoments;
    this.#keyEvery = keyEvery;
  }

  /** The first moment that is still kept. Moments keep their numbers when older ones are dropped. */
  get first(): number {
    return this.#dropped;
  }

  /** The newest moment. Before the first message it is one less than `first`. */
  get last(): number {
    return this.#dropped + this.#chapters.reduce((sum, { length }) => sum + length, 0) - 1;
  }

  /** Adds a message that `told` has taken. */
  add(message: PageMessage, told: Told): void {
    if (!hasNews(message)) return;
    const chapter = this.#chapters.at(-1);
    if (chapter && chapter.length < this.#keyEvery && !message.isStart) chapter.push(message);
    else this.#chapters.push([messageOfAll(told)]);
    while (this.last - this.#dropped >= this.#mostMoments && this.#chapters.length > 1)
      this.#dropped += this.#chapters.shift()?.length ?? 0;
  }

  /** The time of a moment on the cluster's clock. */
  timeOf(moment: number): number {
    const [chapter, index] = this.#find(moment);
    return chapter[index]?.nowMs ?? 0;
  }

  /** What was told up to a moment. Of the samples it has the last ones only. */
  at(moment: number): Told {
    const [chapter, index] = this.#find(moment);
    const told = nothingTold();
    for (const message of chapter.slice(0, index + 1)) takeMessage(told, message);
    return told;
  }

  /** The last moment that is not after this time; the first one if all are. */
  momentAt(timeMs: number): number {
    let [low, high] = [this.first, this.last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.timeOf(middle) <= timeMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #find(moment: number): [readonly PageMessage[], number] {
    let index = Math.min(Math.max(moment, this.first), this.last) - this.#dropped;
    for (const chapter of this.#chapters) {
      if (index < chapter.length) return [chapter, index];
      index -= chapter.length;
    }
    return [[], 0];
  }
}

function hasNews({ isStart, workloads, replicaSets, pods, events, gone }: PageMessage): boolean {
  return (
    isStart === true || [workloads, replicaSets, pods, events, gone].some((list: readonly unknown[]) => list.length > 0)
  );
}
