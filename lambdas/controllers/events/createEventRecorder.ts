import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { Event } from '../../objects/kinds.ts';
import { type Clock, formatTime } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { type Correlated, EventCorrelator } from './EventCorrelator.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000;

export interface EventRecorderDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  /** `source.component` and `reportingComponent`: `deployment-controller`. */
  readonly component: string;
  /** Shared by the recorders of one process. Absent: this recorder has its own. */
  readonly names?: EventNames;
  /** Called for each event that could not be written. It is dropped. */
  onDropped?(error: unknown): void;
}

type ToWrite = Extract<Correlated, { status: 'write' }>;

/** The same event, reported several times in one call: the last report, which counts them all. */
interface Repeated {
  readonly event: EventToRecord;
  readonly correlated: ToWrite;
  /** True if none of them was observed before. */
  readonly isNew: boolean;
}

/** Creates the recorder of one component. It remembers earlier events as long as it lives. */
export function createEventRecorder(deps: EventRecorderDeps): EventRecorder {
  const correlator = new EventCorrelator();
  const names = deps.names ?? new EventNames(deps);

  /** Correlates all events before any is written, so that different events can be written together, in one flush of the store. */
  function correlate(events: readonly EventToRecord[]): Iterable<Repeated> {
    const nowMs = deps.clock.now();
    const byKey = new Map<string, Repeated>();
    for (const event of events) {
      const newName = () => names.next(event.regarding.metadata.name);
      const correlated = correlator.correlate(factsOf(deps.component, event), nowMs, newName);
      if (correlated.status === 'dropped') continue;
      const isNew = byKey.get(correlated.key)?.isNew ?? correlated.count === 1;
      byKey.set(correlated.key, { event, correlated, isNew });
    }
    return byKey.values();
  }

  async function write({ event, correlated, isNew }: Repeated, registry: GuardedRegistry): Promise<void> {
    if (!isNew && (await countUp(event, correlated, registry))) return;
    const outcome = await registry.create('events', newEvent(deps.component, event, correlated, deps.clock.now()));
    if (outcome.status === 'refused') deps.onDropped?.(outcome.error);
  }

  /** Returns false if the event does not exist: it was dropped, or removed after its hour. Then it is created with its whole count. */
  async function countUp(
    { regarding }: EventToRecord,
    { name, count, message }: ToWrite,
    registry: GuardedRegistry,
  ): Promise<boolean> {
    const stored = await registry.get<Event>({ resource: 'events', namespace: namespaceOf(regarding), name });
    if (!stored) return false;
    // Without a resourceVersion the last write wins, as with client-go's patch.
    const { resourceVersion: _, ...metadata } = stored.metadata;
    const counted = { ...stored, metadata, count, message, lastTimestamp: formatTime(deps.clock.now()) };
    const outcome = await registry.update('events', counted as unknown as Event);
    if (outcome.status === 'stored') return true;
    if (outcome.error.reason === 'NotFound') return false;
    deps.onDropped?.(outcome.error);
    return true;
  }

  return {
    async record(events, registry) {
      const writes: Promise<void>[] = [];
      for (const repeated of correlate(events)) {
        writes.push(write(repeated, registry).catch((error) => deps.onDropped?.(error)));
      }
      await Promise.all(writes);
    },
  };
}

function factsOf(component: string, { regarding, type, reason, message, fieldPath, host }: EventToRecord) {
  const { namespace = '', name, uid } = regarding.metadata;
  return {
    component,
    host,
    regarding: [regarding.kind, namespace, name, uid, regarding.apiVersion].join('/'),
    type,
    reason,
    message,
    fieldPath,
  };
}

/** Returns the namespace of events about an object. Events about cluster-scoped objects are in `default`. */
function namespaceOf(object: KubernetesObject): string {
  return object.metadata.namespace || 'default';
}

/** As in client-go, an event that combines others does not say who reports it, besides its source. */
function newEvent(component: string, event: EventToRecord, correlated: ToWrite, nowMs: number): NewObject {
  const { name, count, message, firstTimestampMs, isCombined } = correlated;
  const { regarding, fieldPath, host } = event;
  const { kind, apiVersion, metadata } = regarding;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: namespaceOf(event.regarding) },
    involvedObject: {
      kind,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      name: metadata.name,
      uid: metadata.uid,
      apiVersion,
      resourceVersion: metadata.resourceVersion,
      ...(fieldPath !== undefined && { fieldPath }),
    },
    reason: event.reason,
    message,
    source: { component, ...(host !== undefined && { host }) },
    firstTimestamp: formatTime(firstTimestampMs),
    lastTimestamp: formatTime(nowMs),
    count,
    type: event.type,
    eventTime: null,
    reportingComponent: isCombined ? '' : component,
    reportingInstance: isCombined ? '' : (host ?? ''),
  };
}

/** Names events. client-go uses the nanoseconds since the epoch. Here the digits below a millisecond are random, since other processes name events in the same millisecond. */
export class EventNames {
  readonly #clock: Clock;
  readonly #ids: Ids;
  #lastNs = 0n;

  constructor({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Returns names that sort in the order of the calls: lists are ordered by name, and kubectl shows events of the same second in the order of the list. */
  next(regarding: string): string {
    const drawn = BigInt(Math.floor(this.#ids.random() * NANOSECONDS_PER_MILLISECOND));
    const ns = BigInt(this.#clock.now()) * BigInt(NANOSECONDS_PER_MILLISECOND) + drawn;
    this.#lastNs = ns > this.#lastNs ? ns : this.#lastNs + 1n;
    return `${regarding}.${this.#lastNs.toString(16)}`;
  }
}
