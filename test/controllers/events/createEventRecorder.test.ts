import { describe, expect, it } from 'vitest';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { createEventRecorder } from '../../../lambdas/controllers/events/createEventRecorder.ts';
import { GuardedRegistry } from '../../../lambdas/controllers/GuardedWriters.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Event } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const REGARDING = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1', resourceVersion: '1', creationTimestamp: '' },
} as KubernetesObject;

const created = (pod: number): EventToRecord => ({
  regarding: REGARDING,
  type: 'Normal',
  reason: 'SuccessfulCreate',
  message: `Created pod: web-${pod}`,
});

async function startRecorder() {
  const bench = new ControllerBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const { registry, clock, ids } = bench;
  const created = createEventRecorder({ clock, ids, component: 'replicaset-controller' });
  const guarded = new GuardedRegistry(registry, () => Number.POSITIVE_INFINITY);
  const recorder = { record: (events: readonly EventToRecord[]) => created.record(events, guarded) };
  const told = async () => {
    const { items } = await bench.objectStore.list<Event>('events', { namespace: 'default' });
    return items.map(({ message, count }) => `${count} x ${message}`).sort();
  };
  return { bench, recorder, told };
}

describe('the event recorder', () => {
  it('writes the events of one call together, so that no sync waits for one event after the other', async () => {
    const { bench, recorder } = await startRecorder();
    const reader = bench.store.stream.open();
    await recorder.record([created(1), created(2), created(3)]);
    expect(await reader.next(AbortSignal.timeout(0))).toHaveLength(3);
    expect(await bench.names('events')).toHaveLength(3);
  });

  it('counts the same event twice when one call reports it twice', async () => {
    const { recorder, told } = await startRecorder();
    await recorder.record([created(1), created(2), created(1)]);
    expect(await told()).toEqual(['1 x Created pod: web-2', '2 x Created pod: web-1']);
  });

  it('counts on from one call to the next, also where it must create the event again', async () => {
    const { bench, recorder, told } = await startRecorder();
    await recorder.record([created(1)]);
    await recorder.record([created(1), created(1)]);
    expect(await told()).toEqual(['3 x Created pod: web-1']);
    const [name = ''] = await bench.names('events');
    await bench.registry.delete({ resource: 'events', namespace: 'default', name });
    await recorder.record([created(1), created(1)]);
    expect(await told()).toEqual(['5 x Created pod: web-1']);
    expect(await bench.names('events')).toEqual([name]);
  });

  it('counts what it drops as spam, and shows it in the next event that it writes', async () => {
    const { bench, recorder, told } = await startRecorder();
    await recorder.record(Array.from({ length: 30 }, () => created(1)));
    expect(await told()).toEqual(['25 x Created pod: web-1']);
    await recorder.record([created(2)]);
    bench.clock.advanceBy(300_000);
    await recorder.record([created(1)]);
    expect(await told()).toEqual(['31 x Created pod: web-1']);
    bench.clock.advanceBy(300_000);
    await recorder.record([created(2)]);
    expect(await told()).toEqual(['2 x Created pod: web-2', '31 x Created pod: web-1']);
    const { items } = await bench.objectStore.list<Event>('events', { namespace: 'default' });
    const late = items.find(({ count }) => count === 2);
    expect(Date.parse(late?.lastTimestamp ?? '') - Date.parse(late?.firstTimestamp ?? '')).toBe(600_000);
  });

  it('combines the tenth and all later different messages, even when one call reports them all', async () => {
    const { bench, recorder, told } = await startRecorder();
    await recorder.record(Array.from({ length: 12 }, (_, pod) => created(pod + 1)));
    const lines = await told();
    expect(lines).toHaveLength(10);
    expect(lines).toContain('3 x (combined from similar events): Created pod: web-12');
    const { items } = await bench.objectStore.list<Event>('events', { namespace: 'default' });
    expect(items.find(({ count }) => count === 3)).toMatchObject({
      source: { component: 'replicaset-controller' },
      reportingComponent: '',
      reportingInstance: '',
    });
  });

  it('names events so that they are listed in the order in which they were reported', async () => {
    const { bench, recorder } = await startRecorder();
    const pods = Array.from({ length: 9 }, (_, pod) => pod + 1);
    await recorder.record(pods.map(created));
    const { items } = await bench.objectStore.list<Event>('events', { namespace: 'default' });
    expect(items.map(({ message }) => message)).toEqual(pods.map((pod) => `Created pod: web-${pod}`));
  });

  it('writes the field path and the node of an event, and counts events about different parts separately', async () => {
    const { bench, recorder } = await startRecorder();
    const ofPart = (fieldPath: string) => ({ ...created(1), fieldPath, host: 'node-1' });
    await recorder.record([ofPart('spec.containers{a}'), ofPart('spec.containers{b}'), ofPart('spec.containers{a}')]);
    const { items } = await bench.objectStore.list<Event>('events', { namespace: 'default' });
    expect(items).toMatchObject([
      {
        involvedObject: { fieldPath: 'spec.containers{a}' },
        source: { host: 'node-1' },
        reportingInstance: 'node-1',
        count: 2,
      },
      { involvedObject: { fieldPath: 'spec.containers{b}' }, source: { host: 'node-1' }, count: 1 },
    ]);
  });
});
