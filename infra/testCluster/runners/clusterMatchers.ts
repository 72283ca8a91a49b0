import type { ClusterInNamespace } from '../Cluster.ts';
import { eventLines, objectOfEvent, type ReadEvent } from './eventLines.ts';
import { conditionsOf, conditionText, type JudgedObject, progressOf } from './progressOf.ts';

/** Which event is expected. A field that is absent fits every event. */
export interface ExpectedEvent {
  /** What the event is about: `deployment/web`. */
  readonly on?: string;
  readonly type?: 'Normal' | 'Warning';
  readonly reason?: string;
  /** A part of the message, or a pattern. */
  readonly message?: string | RegExp;
}

/** The matchers that `driftless-k8s/vitest` and `driftless-k8s/jest` add to `expect`. Those of objects judge what was read: `expect(await cluster.get('deployment/web')).toBeAvailable()`. */
export interface ClusterMatchers<Result = void> {
  /** A Deployment has its condition `Available`; other workloads have all their replicas available; a pod, a node or any other object is ready. */
  toBeAvailable(): Result;
  /** The object is neither complete nor has failed: a rollout is under way within its deadline, a Job runs, a pod is not ready yet. */
  toBeProgressing(): Result;
  /** A rollout has ended as `kubectl rollout status` says, a Job is complete, a pod is ready or has succeeded. */
  toBeComplete(): Result;
  /** The object has this condition. `status`: default `True`. */
  toHaveCondition(type: string, status?: 'True' | 'False' | 'Unknown', reason?: string): Result;
  /** The cluster has such an event, in the namespace of the test: `await expect(cluster).toHaveEvent({ reason: 'Killing' })`. */
  toHaveEvent(event: ExpectedEvent): Promise<void>;
}

/** What a matcher answers, in Vitest as in Jest. */
interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

const EVENTS_SHOWN = 10;

/** The functions of ClusterMatchers as `expect.extend` takes them. Each throws a TypeError for a value that it cannot judge. */
export const clusterMatchers = {
  toBeAvailable: (received: unknown) =>
    matched(received, 'to be available', (object) => progressOf(object).isAvailable),
  toBeProgressing: (received: unknown) =>
    matched(received, 'to be progressing', (object) => progressOf(object).phase === 'progressing'),
  toBeComplete: (received: unknown) =>
    matched(received, 'to be complete', (object) => progressOf(object).phase === 'complete'),
  toHaveCondition,
  toHaveEvent,
};

function matched(received: unknown, wanted: string, judge: (object: JudgedObject) => boolean): Matched {
  const object = objectFrom(received, wanted);
  const { phase, why } = progressOf(object);
  const pass = judge(object);
  return {
    pass,
    message: () => `expected ${nameOf(object)} ${pass ? 'not ' : ''}${wanted}, but it is ${phase}: ${why}`,
  };
}

function toHaveCondition(received: unknown, type: string, status = 'True', reason?: string): Matched {
  const wanted = `to have the condition ${type} with status ${status}${reason === undefined ? '' : ` and reason ${reason}`}`;
  const object = objectFrom(received, wanted);
  const conditions = conditionsOf(object);
  const pass = conditions.some(
    (one) => one.type === type && one.status === status && (reason === undefined || one.reason === reason),
  );
  const has = conditions.length === 0 ? 'no conditions' : conditions.map(conditionText).join('; ');
  return { pass, message: () => `expected ${nameOf(object)} ${pass ? 'not ' : ''}${wanted}; it has ${has}` };
}

async function toHaveEvent(received: unknown, expected: ExpectedEvent): Promise<Matched> {
  if (!isCluster(received))
    throw new TypeError('toHaveEvent is asked of a cluster: await expect(cluster).toHaveEvent(…)');
  const events: readonly ReadEvent[] = await received.list('events');
  const pass = events.some((event) => fits(event, expected));
  const lines = eventLines(events, EVENTS_SHOWN);
  const has = lines.length === 0 ? 'there are no events' : `the last events are\n  ${lines.join('\n  ')}`;
  return {
    pass,
    message: () => `expected the cluster ${pass ? 'not ' : ''}to have an event ${wantedEvent(expected)}; ${has}`,
  };
}

function fits(event: ReadEvent, { on, type, reason, message }: ExpectedEvent): boolean {
  const text = event.message ?? '';
  return (
    (on === undefined || objectOfEvent(event) === on.toLowerCase()) &&
    (type === undefined || event.type === type) &&
    (reason === undefined || event.reason === reason) &&
    (message === undefined || (typeof message === 'string' ? text.includes(message) : text.search(message) >= 0))
  );
}

function wantedEvent(expected: ExpectedEvent): string {
  const fields = Object.entries(expected).map(([field, value]) => `${field} ${String(value)}`);
  return fields.length === 0 ? 'of any kind' : `with ${fields.join(', ')}`;
}

function objectFrom(received: unknown, wanted: string): JudgedObject {
  if (typeof received === 'object' && received !== null && 'kind' in received) return received as JudgedObject;
  throw new TypeError(`expected an object of the cluster ${wanted}, such as await cluster.get('deployment/web')`);
}

function isCluster(received: unknown): received is ClusterInNamespace {
  return typeof received === 'object' && received !== null && 'list' in received && typeof received.list === 'function';
}

function nameOf({ kind = 'object', metadata }: JudgedObject): string {
  const place = metadata?.namespace === undefined ? '' : `${metadata.namespace}/`;
  return `${kind.toLowerCase()} ${place}${metadata?.name ?? ''}`;
}
