import type { Event } from '../../objects/kinds.ts';
import { EVENT_LIFETIME_MS } from '../../ports/ObjectStore.ts';
import type { Ports } from '../../ports/Ports.ts';

const PAGE_SIZE = 100;

/**
 * Removes the events that were last written an hour ago, as etcd does in Kubernetes, from a store that does not do so by itself. Resolves to the number removed. An event that is written meanwhile
 * stays.
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

/**
 * Returns the latest of an event's times. A time in the future is ignored: it is its writer's mistake, and could keep the event for ever. The creation counts in any case: it is in the future only if the
 * clock was set back since, and then the event is not old. Pure.
 */
function lastChangeMs({ metadata, firstTimestamp, lastTimestamp, eventTime, series }: Event, nowMs: number): number {
  const times = [firstTimestamp, lastTimestamp, eventTime, series?.lastObservedTime];
  const past = times.map((time) => Date.parse(time ?? '')).filter((timeMs) => timeMs <= nowMs);
  return Math.max(Date.parse(metadata.creationTimestamp), ...past);
}
