import type { CountSample, PageMessage } from '../views/PageViews.ts';
import type { ClusterMirror } from './ClusterMirror.ts';
import { emptyMessage, type PageTopic, type Shown } from './PageTopic.ts';

/** A message has so many changes, so that a page can look back at the steps of what happened at once. */
const CHANGES_IN_STEP = 10;
/** And what happened so much later is a step of its own. */
const STEP_MS = 20;
/** If more steps wait for a slow page, the last one takes all that follows. */
const MOST_STEPS = 50;

interface Step {
  readonly nowMs: number;
  readonly changed: Map<string, Shown | undefined>;
  readonly samples: CountSample[];
}

/** What a page has not been told yet. */
export class PendingChanges {
  readonly #mirror: ClusterMirror;
  readonly #topic: PageTopic;
  readonly #isVirtual: boolean;
  #isStart = true;
  #isDue = true;
  #steps: Step[] = [];
  #toldMs = 0;

  constructor(mirror: ClusterMirror, topic: PageTopic, isVirtual: boolean) {
    this.#mirror = mirror;
    this.#topic = topic;
    this.#isVirtual = isVirtual;
  }

  /** Takes an object that has changed; `undefined`: everything may have. */
  add(object: object | undefined): void {
    this.#isDue = true;
    if (object === undefined) {
      this.#isStart = true;
      this.#steps = [];
      return;
    }
    if (this.#isStart) return;
    const changed = this.#topic.changed(object);
    if (changed.size === 0) return;
    const step = this.#step();
    for (const [id, shown] of changed) step.changed.set(id, shown);
    const sample = this.#topic.sample?.();
    if (sample) step.samples.push(sample);
  }

  /** Makes the next `take` say something, even if nothing has changed. */
  beat(): void {
    this.#isDue = true;
  }

  /** Makes the next `take` tell the time, if the clock has moved since the last one. Returns true if it has. */
  beatIfMoved(): boolean {
    const hasMoved = this.#mirror.nowMs() !== this.#toldMs;
    if (hasMoved) this.beat();
    return hasMoved;
  }

  /** Returns the messages for the page, which then has been told. */
  take(): PageMessage[] {
    if (!this.#isDue) return [];
    this.#isDue = false;
    const problem = this.#topic.watches.map((watch) => watch.problem).find((one) => one !== undefined);
    this.#toldMs = this.#mirror.nowMs();
    const nothing = emptyMessage(this.#toldMs, this.#isVirtual);
    const now = problem === undefined ? nothing : { ...nothing, problem };
    if (!this.#isReady()) return problem === undefined ? [] : [now];
    if (this.#isStart) return [this.#everything(now)];
    const steps = this.#steps;
    this.#steps = [];
    return steps.length === 0 ? [now] : steps.map((step) => ({ ...now, ...contentsOf(step) }));
  }

  /** What a user may not see is left out, and the rest is shown. Without its first watch, a topic shows nothing. */
  #isReady(): boolean {
    const { watches } = this.#topic;
    return watches[0]?.isKnown === true && watches.every((one) => one.isKnown || one.problem !== undefined);
  }

  #everything(now: PageMessage): PageMessage {
    this.#isStart = false;
    const changed = this.#topic.all();
    const sample = this.#topic.sample?.();
    return { ...now, isStart: true, ...contentsOf({ nowMs: now.nowMs, changed, samples: sample ? [sample] : [] }) };
  }

  /** The step to which a change of now belongs. */
  #step(): Step {
    const last = this.#steps.at(-1);
    const nowMs = this.#mirror.nowMs();
    const isFull = last !== undefined && (nowMs - last.nowMs >= STEP_MS || last.changed.size >= CHANGES_IN_STEP);
    if (last && (!isFull || this.#steps.length >= MOST_STEPS)) return last;
    const step = { nowMs, changed: new Map(), samples: [] };
    this.#steps.push(step);
    return step;
  }
}

function contentsOf({ nowMs, changed, samples }: Step) {
  const shown = [...changed.values()].filter((one) => one !== undefined);
  // What a topic puts into a list has the type of the list.
  const inList = (list: Shown['list']) => shown.filter((one) => one.list === list).map(({ view }) => view) as never[];
  return {
    nowMs,
    workloads: inList('workloads'),
    replicaSets: inList('replicaSets'),
    pods: inList('pods'),
    events: inList('events'),
    gone: [...changed].flatMap(([id, one]) => (one === undefined ? [id] : [])),
    samples,
  };
}
