import type { Event } from '../../objects/kinds.ts';
import type { Ports } from '../../ports/Ports.ts';

/** `--event-ttl` of kube-apiserver. */
const EVENT_LIFETIME_MS = 60 * 60_000;
const PAGE_SIZE = 100;

/**
 * Removes the events that nothing has been added to for an hour, as etcd forgets them in Kubernetes: an hour after they were last written. Resolves to
 * the number removed. One that is written meanwhile stays.
 */
export async function expireEvents({ objectStore, clock }: Pick<Ports, 'objectStore' | 'clock'>): Promise<number> {
  const nowMs = clock.now();
  let removed = 0;
  let after: { namespace: string; name: string } | undefined;
  for (;;) {
    const page = await objectStore.list<Event>('events', { limit: PAGE_SIZE, ...(after && { after }) });
    const expired = page.items.filter((event) => lastChangeMs(event, nowMs) + EVENT_LIFETIME_MS <= nowMs);
    const outcomes = await Promise.all(
      expired.map(({ metadata: { namespace = '', name, uid, resourceVersion } }) =>
        objectStore.remove({ resource: 'events', namespace, name }, { uid, resourceVersion }),
      ),
    );
    removed += outcomes.filter(({ status }) => status === 'removed').length;
    const last = page.items.at(-1)?.metadata;
    if (!page.more || !last) return removed;
    after = { namespace: last.namespace ?? '', name: last.name };
  }
}

/** The latest of the times that an event has; one that lies ahead is its writer's mistake, and would keep it for ever. Pure. */
function lastChangeMs({ metadata, firstTimestamp, lastTimestamp, eventTime, series }: Event, nowMs: number): number {
  const times = [metadata.creationTimestamp, firstTimestamp, lastTimestamp, eventTime, series?.lastObservedTime];
  const past = times.map((time) => Date.parse(time ?? '')).filter((timeMs) => timeMs <= nowMs);
  return Math.max(Number.NEGATIVE_INFINITY, ...past);
}
