import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { Event } from '../../objects/kinds.ts';
import { type Clock, formatTime } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import { type Correlated, EventCorrelator, type WrittenEvent } from './EventCorrelator.ts';
import { EventNames } from './EventNames.ts';

export interface EventRecorderDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  /** `source.component` and `reportingComponent`: `deployment-controller`. */
  readonly component: string;
  /** Shared by the recorders of one process; absent: this one's own. */
  readonly names?: EventNames;
  /** Events of one call are written one after the other, where the order of the log is that of acknowledged writes, not that of writes begun. */
  readonly inTurn?: boolean;
  /** Hears of events that could not be written; they are dropped. */
  onDropped?(error: unknown): void;
}

type ToWrite = Extract<Correlated, { status: 'write' }>;

/** Events of one call that are the same event: the last of them, and its count with all of them. */
interface Repeated {
  readonly event: EventToRecord;
  readonly correlated: ToWrite;
}

/** The recorder of one component; its memory of earlier events lives as long as it does. */
export function createEventRecorder(deps: EventRecorderDeps): EventRecorder {
  const correlator = new EventCorrelator();
  const names = deps.names ?? new EventNames(deps);

  /** Everything is correlated before anything is written, so that what differs can be written at once, in one flush of the store. */
  function correlate(events: readonly EventToRecord[]): Iterable<Repeated> {
    const nowMs = deps.clock.now();
    const byKey = new Map<string, Repeated>();
    for (const event of events) {
      const correlated = correlator.correlate(factsOf(deps.component, event), nowMs);
      if (correlated.status === 'dropped') continue;
      const same = byKey.get(correlated.key)?.correlated;
      byKey.set(correlated.key, { event, correlated: same ? { ...correlated, count: same.count + 1 } : correlated });
    }
    return byKey.values();
  }

  async function write({ event, correlated }: Repeated, registry: GuardedRegistry): Promise<void> {
    const { earlier, count } = correlated;
    if (earlier && (await countUp(event, correlated, earlier, registry))) return;
    await create(event, { ...correlated, count: count - (earlier?.count ?? 0) }, registry);
  }

  /** False if the earlier event is gone (events are kept for an hour). */
  async function countUp(
    event: EventToRecord,
    correlated: ToWrite,
    earlier: WrittenEvent,
    registry: GuardedRegistry,
  ): Promise<boolean> {
    const key = { resource: 'events', namespace: namespaceOf(event.regarding), name: earlier.name };
    const stored = await registry.get<Event>(key);
    if (!stored) return false;
    const { count, message } = correlated;
    // Without a resourceVersion: the last word wins, as with client-go's patch.
    const { resourceVersion: _, ...metadata } = stored.metadata;
    const counted = { ...stored, metadata, count, message, lastTimestamp: formatTime(deps.clock.now()) };
    const outcome = await registry.update('events', counted as unknown as Event);
    if (outcome.status === 'refused') return false;
    correlator.remember(correlated.key, { ...earlier, count });
    return true;
  }

  async function create(event: EventToRecord, correlated: ToWrite, registry: GuardedRegistry): Promise<void> {
    const nowMs = deps.clock.now();
    const name = names.next(event.regarding.metadata.name);
    const outcome = await registry.create('events', newEvent(deps.component, event, correlated, name, nowMs));
    if (outcome.status === 'refused') {
      correlator.forget(correlated.key);
      deps.onDropped?.(outcome.error);
      return;
    }
    correlator.remember(correlated.key, { name, count: correlated.count, firstTimestampMs: nowMs });
  }

  return {
    async record(events, registry) {
      const writes: Promise<void>[] = [];
      for (const repeated of correlate(events)) {
        const written = write(repeated, registry).catch((error) => deps.onDropped?.(error));
        if (deps.inTurn) await written;
        else writes.push(written);
      }
      await Promise.all(writes);
    },
  };
}

function factsOf(component: string, { regarding, type, reason, message, fieldPath }: EventToRecord) {
  const { namespace = '', name, uid } = regarding.metadata;
  return {
    component,
    regarding: [regarding.kind, namespace, name, uid, regarding.apiVersion].join('/'),
    type,
    reason,
    message,
    fieldPath,
  };
}

/** Events on cluster-scoped objects stand in `default`. */
function namespaceOf(object: KubernetesObject): string {
  return object.metadata.namespace || 'default';
}

function newEvent(
  component: string,
  event: EventToRecord,
  correlated: ToWrite,
  name: string,
  nowMs: number,
): NewObject {
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
    message: correlated.message,
    source: { component, ...(host !== undefined && { host }) },
    firstTimestamp: formatTime(nowMs),
    lastTimestamp: formatTime(nowMs),
    count: correlated.count,
    type: event.type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: host ?? '',
  };
}
