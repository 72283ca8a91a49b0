import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { Event } from '../../objects/kinds.ts';
import { type Clock, formatTime } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import { type Correlated, EventCorrelator } from './EventCorrelator.ts';

export interface EventRecorderDeps {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly ids: Ids;
  /** `source.component` and `reportingComponent`: `deployment-controller`. */
  readonly component: string;
  /** Hears of events that could not be written; they are dropped. */
  onDropped?(error: unknown): void;
}

type ToWrite = Extract<Correlated, { status: 'write' }>;

/** The recorder of one component; its memory of earlier events lives as long as it does. */
export function createEventRecorder(deps: EventRecorderDeps): EventRecorder {
  const correlator = new EventCorrelator();

  async function recordOne(event: EventToRecord): Promise<void> {
    const correlated = correlator.correlate(factsOf(deps.component, event), deps.clock.now());
    if (correlated.status === 'dropped') return;
    if (correlated.earlier && (await countUp(event, correlated))) return;
    await create(event, correlated.earlier ? { ...correlated, count: 1 } : correlated);
  }

  /** False if the earlier event is gone (events are kept for an hour). */
  async function countUp(event: EventToRecord, correlated: ToWrite): Promise<boolean> {
    const key = { resource: 'events', namespace: namespaceOf(event.regarding), name: correlated.earlier?.name ?? '' };
    const stored = await deps.registry.get<Event>(key);
    if (!stored) return false;
    const { count, message } = correlated;
    // Without a resourceVersion: the last word wins, as with client-go's patch.
    const { resourceVersion: _, ...metadata } = stored.metadata;
    const counted = { ...stored, metadata, count, message, lastTimestamp: formatTime(deps.clock.now()) };
    const outcome = await deps.registry.update('events', counted as unknown as Event);
    if (outcome.status === 'refused') return false;
    correlator.remember(correlated.key, { ...(correlated.earlier as NonNullable<ToWrite['earlier']>), count });
    return true;
  }

  async function create(event: EventToRecord, correlated: ToWrite): Promise<void> {
    const nowMs = deps.clock.now();
    const name = `${event.regarding.metadata.name}.${uniqueHex(nowMs, deps.ids)}`;
    const outcome = await deps.registry.create('events', newEvent(deps.component, event, correlated, name, nowMs));
    if (outcome.status === 'refused') {
      correlator.forget(correlated.key);
      deps.onDropped?.(outcome.error);
      return;
    }
    correlator.remember(correlated.key, { name, count: correlated.count, firstTimestampMs: nowMs });
  }

  async function recordAll(events: readonly EventToRecord[]): Promise<void> {
    // One after the other where they may be the same event, so that the second finds what the first wrote.
    for (const event of events) await recordOne(event).catch((error: unknown) => deps.onDropped?.(error));
  }

  return {
    async record(events) {
      await Promise.all(groupAlike(events).map(recordAll));
    },
  };
}

function groupAlike(events: readonly EventToRecord[]): EventToRecord[][] {
  const groups = new Map<string, EventToRecord[]>();
  for (const event of events) {
    const alike = `${event.regarding.metadata.uid}|${event.type}|${event.reason}`;
    groups.set(alike, [...(groups.get(alike) ?? []), event]);
  }
  return [...groups.values()];
}

function factsOf(component: string, { regarding, type, reason, message }: EventToRecord) {
  const { namespace = '', name, uid } = regarding.metadata;
  return {
    component,
    regarding: [regarding.kind, namespace, name, uid, regarding.apiVersion].join('/'),
    type,
    reason,
    message,
  };
}

/** Events on cluster-scoped objects stand in `default`. */
function namespaceOf(object: KubernetesObject): string {
  return object.metadata.namespace || 'default';
}

/** client-go takes the nanoseconds since the epoch; the digits below a millisecond are drawn here. */
function uniqueHex(nowMs: number, ids: Ids): string {
  return (BigInt(nowMs) * 1_000_000n + BigInt(Math.floor(ids.random() * 1_000_000))).toString(16);
}

function newEvent(
  component: string,
  event: EventToRecord,
  correlated: ToWrite,
  name: string,
  nowMs: number,
): NewObject {
  const { kind, apiVersion, metadata } = event.regarding;
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
    },
    reason: event.reason,
    message: correlated.message,
    source: { component },
    firstTimestamp: formatTime(nowMs),
    lastTimestamp: formatTime(nowMs),
    count: correlated.count,
    type: event.type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  };
}
