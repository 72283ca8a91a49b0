import { LATENCY_LIMITS } from '../../promises.ts';
import type { SeenList } from '../ClusterApi.ts';
import type { Place } from '../Place.ts';
import { judgeTimes } from '../Samples.ts';
import { failed, type Step, type Verdict } from '../Step.ts';

export interface WatchFacts {
  /** From the acknowledgement of each write until its event; ms. */
  readonly delaysMs: readonly number[];
  /** The values that the object had one after the other, and those that the watches have shown. */
  readonly written: readonly string[];
  readonly seen: readonly string[];
  /** How long the server held a watch that was to last for `SHORT_SECONDS`; ms. */
  readonly shortWatchMs: number;
}

const CHANGES = 20;
const UNWATCHED_CHANGES = 3;
/** The watch that sees the changes, which is resumed if it ends before, and those that see the rest. */
const LONG_SECONDS = 10;
const SHORT_SECONDS = 3;
const CHANGES_PATIENCE_MS = 60_000;
/** Whoever writes asks so seldom whether somebody watches, so the first changes after the beginning of a watch come later. */
const UNTIL_KNOWN_MS = 4_000;
/** A watch that is open for so much longer than it should be has lost a change, or its end. */
const PATIENCE_MS = 30_000;

/** A watch that is left, resumed, ended by the server, and resumed again. */
export const watch: Step<WatchFacts> = {
  id: 'watch',
  expects: `Changes come while the watch is open, half of them within ${LATENCY_LIMITS['a change seen by a watcher'].p50} ms, and a watch that is resumed shows each change once, in order.`,
  observe: observeWatch,
  judge: judgeWatch,
};

async function observeWatch({ api, clock, namespace }: Place): Promise<WatchFacts> {
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const name = 'watched';
  await api.post(collection, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { at: '0' } });
  const written: string[] = [];
  const seen: string[] = [];
  const delaysMs: number[] = [];
  let acknowledgedMs: Promise<number> = Promise.resolve(0);
  const write = async () => {
    written.push(String(written.length + 1));
    await api.patch(`${collection}/${name}`, { data: { at: written.at(-1) } });
    return clock.now();
  };
  /** Each change that is seen while `CHANGES` are not is followed by the next. */
  const note = async (value: string) => {
    seen.push(value);
    const seenMs = clock.now();
    // The event may come before the answer to the write.
    const delayMs = Math.max(0, seenMs - (await acknowledgedMs));
    if (delaysMs.length < CHANGES) delaysMs.push(delayMs);
    if (written.length < CHANGES) acknowledgedMs = awaitedLater(write());
  };
  let { resourceVersion } = (await api.get<SeenList>(collection)).metadata;
  /** Watches until the server ends the watch: one that is left takes its place for longer. */
  const follow = async (timeoutSeconds: number) => {
    const silence = AbortSignal.timeout(timeoutSeconds * 1000 + PATIENCE_MS);
    const signal = AbortSignal.any([clock.signal, silence]);
    try {
      for await (const { type, object } of api.watch(collection, { resourceVersion, timeoutSeconds, signal })) {
        if (type === 'ERROR') throw new Error('the watch ends with an error');
        ({ resourceVersion } = object.metadata);
        if (type === 'MODIFIED' && object.metadata.name === name) await note(object.data?.['at'] ?? '');
      }
    } catch (error) {
      // What was not seen by then is judged.
      if (!silence.aborted || clock.signal.aborted) throw error;
    }
  };

  const begin = awaitedLater(clock.sleep(UNTIL_KNOWN_MS).then(() => (acknowledgedMs = awaitedLater(write()))));
  const untilMs = clock.now() + CHANGES_PATIENCE_MS;
  while (seen.length < CHANGES && clock.now() < untilMs) await follow(LONG_SECONDS);
  await begin;
  await acknowledgedMs;
  for (let at = 0; at < UNWATCHED_CHANGES; at += 1) await write();
  await follow(SHORT_SECONDS);
  const beganMs = clock.now();
  await follow(SHORT_SECONDS);
  const shortWatchMs = clock.now() - beganMs;
  await write();
  await follow(SHORT_SECONDS);
  return { delaysMs, written, seen, shortWatchMs };
}

/** If it is rejected before somebody waits for it, that is no reason to end the process. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** A server may end a watch later than asked, but not much. */
const LATE_MS = 10_000;

export function judgeWatch(
  { delaysMs, written, seen, shortWatchMs }: WatchFacts,
  { isLocal }: Pick<Place, 'isLocal'>,
): Verdict {
  const missing = written.filter((value) => !seen.includes(value));
  if (missing.length > 0) return failed(`${missing.length} of ${written.length} changes were never seen.`);
  if (seen.join() !== written.join()) {
    return failed(`The watch showed ${seen.length} changes of ${written.length}, or not in their order.`);
  }
  if (shortWatchMs > SHORT_SECONDS * 1000 + LATE_MS) {
    return failed(`A watch of ${SHORT_SECONDS} seconds was ended after ${Math.round(shortWatchMs / 1000)}.`);
  }
  const name = 'a change seen by a watcher';
  const { kind, seen: times } = judgeTimes([{ name, ms: delaysMs, limit: LATENCY_LIMITS[name] }], isLocal);
  return { kind, seen: `All ${written.length} changes came once and in order, over several resumed watches. ${times}` };
}
