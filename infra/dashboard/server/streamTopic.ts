import type { CountSample, PageMessage } from '../views/PageViews.ts';
import type { ClusterMirror } from './ClusterMirror.ts';
import { emptyMessage, type PageTopic, type Shown } from './PageTopic.ts';

/** A page draws at most so often; what changes in between comes in one message. */
const BATCH_MS = 40;
/** A line is written at least so often, so that both ends notice a broken connection. */
const HEARTBEAT_MS = 15_000;

/** The messages of a topic as lines of JSON: everything first, and then what changes. Ends with the signal, or when the page goes. */
export function streamTopic(
  mirror: ClusterMirror,
  topic: PageTopic,
  { isVirtual, signal }: { readonly isVirtual: boolean; readonly signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream({
    start(controller) {
      const changes = new PendingChanges(mirror, topic, isVirtual);
      let timer: NodeJS.Timeout | undefined;
      const flush = () => {
        timer = undefined;
        // A page that reads slowly gets fewer and larger messages.
        if ((controller.desiredSize ?? 0) <= 0) timer = setTimeout(flush, BATCH_MS);
        else for (const message of changes.take()) controller.enqueue(encoder.encode(`${JSON.stringify(message)}\n`));
      };
      const soon = () => (timer ??= setTimeout(flush, BATCH_MS));
      const follow = (watch: PageTopic['watches'][number]) =>
        watch.follow((object) => {
          changes.add(object);
          soon();
        });
      const leave = topic.watches.map(follow);
      const beat = setInterval(() => {
        changes.beat();
        soon();
      }, HEARTBEAT_MS);
      stop = () => {
        clearTimeout(timer);
        clearInterval(beat);
        for (const one of leave.splice(0)) one();
        signal.removeEventListener('abort', end);
      };
      const end = () => {
        stop();
        controller.close();
      };
      signal.addEventListener('abort', end);
      soon();
    },
    cancel: () => stop(),
  });
}

/** What a page has not been told yet. */
class PendingChanges {
  readonly #mirror: ClusterMirror;
  readonly #topic: PageTopic;
  readonly #isVirtual: boolean;
  #isStart = true;
  #isDue = true;
  #changed = new Map<string, Shown | undefined>();
  #samples: CountSample[] = [];

  constructor(mirror: ClusterMirror, topic: PageTopic, isVirtual: boolean) {
    this.#mirror = mirror;
    this.#topic = topic;
    this.#isVirtual = isVirtual;
  }

  add(object: object | undefined): void {
    this.#isDue = true;
    if (object === undefined) {
      this.#isStart = true;
      return;
    }
    if (this.#isStart) return;
    const changed = this.#topic.changed(object);
    for (const [id, shown] of changed) this.#changed.set(id, shown);
    const sample = changed.size > 0 ? this.#topic.sample?.() : undefined;
    if (sample) this.#samples.push(sample);
  }

  beat(): void {
    this.#isDue = true;
  }

  take(): PageMessage[] {
    if (!this.#isDue) return [];
    this.#isDue = false;
    const message = { ...emptyMessage(this.#mirror.nowMs(), this.#isVirtual) };
    const problem = this.#topic.watches.map((watch) => watch.problem).find((one) => one !== undefined);
    if (!this.#topic.watches.every(({ isListed }) => isListed))
      return problem === undefined ? [] : [{ ...message, problem }];
    return [{ ...message, ...this.#contents(), ...(problem !== undefined && { problem }) }];
  }

  #contents(): Pick<PageMessage, 'workloads' | 'replicaSets' | 'pods' | 'events' | 'gone' | 'samples' | 'isStart'> {
    const isStart = this.#isStart;
    const changed: ReadonlyMap<string, Shown | undefined> = isStart ? this.#topic.all() : this.#changed;
    const first = isStart ? this.#topic.sample?.() : undefined;
    const samples = first ? [first] : this.#samples;
    this.#isStart = false;
    this.#changed = new Map();
    this.#samples = [];
    const shown = [...changed.values()].filter((one) => one !== undefined);
    // What a topic puts into a list has the type of the list.
    const inList = (list: Shown['list']) => shown.filter((one) => one.list === list).map(({ view }) => view) as never[];
    return {
      ...(isStart && { isStart }),
      workloads: inList('workloads'),
      replicaSets: inList('replicaSets'),
      pods: inList('pods'),
      events: inList('events'),
      gone: [...changed].flatMap(([id, one]) => (one === undefined ? [id] : [])),
      samples,
    };
  }
}
