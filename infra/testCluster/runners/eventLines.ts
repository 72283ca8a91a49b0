/** What is read of an event. */
export interface ReadEvent {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly eventTime?: string | null;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly involvedObject: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
}

/** `deployment/web`: the object that an event is about. Pure. */
export function objectOfEvent({ involvedObject: { kind = '', name = '' } }: ReadEvent): string {
  return `${kind.toLowerCase()}/${name}`;
}

/** Returns the last events in their order, one a line: `2026-01-01T00:00:05Z Warning Failed pod/web-1: Error: ErrImagePull (3 times)`. Pure. */
export function eventLines(events: readonly ReadEvent[], most: number): readonly string[] {
  return events
    .map((event) => ({ event, at: event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? '' }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : versionOf(a.event) - versionOf(b.event)))
    .slice(-most)
    .map(({ event, at }) => {
      const { type = '', reason = '', message = '', count = 1 } = event;
      const times = count > 1 ? ` (${count} times)` : '';
      return `${at} ${type} ${reason} ${objectOfEvent(event)}: ${message}${times}`;
    });
}

/** Many events happen within one second. Their versions say in which order they were written. */
function versionOf({ metadata }: ReadEvent): number {
  return Number(metadata?.resourceVersion ?? 0);
}
