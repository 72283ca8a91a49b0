import { LATENCY_LIMITS } from '../../promises.ts';
import type { SeenEvent, SeenList } from '../ClusterApi.ts';
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
const SHORT_SECONDS = 2;
/** Whoever writes asks so seldom whether somebody watches, so the first changes after the beginning of a watch come later. */
const UNTIL_KNOWN_MS = 4_000;
/** A watch that says nothing for so long has lost the change. */
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
  const write = async () => {
    written.push(String(written.length + 1));
    await api.patch(`${collection}/${name}`, { data: { at: written.at(-1) } });
    return clock.now();
  };
  let { resourceVersion } = (await api.get<SeenList>(collection)).metadata;
  const note = ({ type, object }: SeenEvent) => {
    ({ resourceVersion } = object.metadata);
    if (type === 'MODIFIED' && object.metadata.name === name) seen.push(object.data?.['at'] ?? '');
    if (type === 'ERROR') throw new Error('the watch ends with an error');
  };
  /** Watches until `isDone` says so of what was seen, or the server ends the watch. */
  const follow = async (timeoutSeconds: number, isDone: () => boolean | Promise<boolean>) => {
    const ended = new AbortController();
    const signal = AbortSignal.any([
      ended.signal,
      clock.signal,
      AbortSignal.timeout(timeoutSeconds * 1000 + PATIENCE_MS),
    ]);
    for await (const event of api.watch(collection, { resourceVersion, timeoutSeconds, signal })) {
      note(event);
      if (await isDone()) break;
    }
    ended.abort();
  };

  const delaysMs: number[] = [];
  const acknowledged = new Map<string, number>();
  const change = async () => void acknowledged.set(String(written.length + 1), await write());
  const writing = (async () => {
    await clock.sleep(UNTIL_KNOWN_MS);
    await change();
  })();
  await follow(60, async () => {
    const seenMs = clock.now();
    await writing;
    delaysMs.push(Math.max(0, seenMs - (acknowledged.get(seen.at(-1) ?? '') ?? seenMs)));
    if (seen.length >= CHANGES) return true;
    await change();
    return false;
  });
  await writing;
  for (let at = 0; at < UNWATCHED_CHANGES; at += 1) await write();
  await follow(60, () => seen.length >= written.length);
  const beganMs = clock.now();
  await follow(SHORT_SECONDS, () => false);
  const shortWatchMs = clock.now() - beganMs;
  await write();
  await follow(60, () => seen.length >= written.length);
  return { delaysMs, written, seen, shortWatchMs };
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
  return { kind, seen: `All ${written.length} changes came once and in order, over three resumed watches. ${times}` };
}
