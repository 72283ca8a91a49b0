import { describe, expect, it } from 'vitest';
import { EventCorrelator, type EventFacts } from '../../../lambdas/controllers/events/EventCorrelator.ts';

const created = (pod: number): EventFacts => ({
  component: 'replicaset-controller',
  regarding: 'ReplicaSet/default/web/uid-1/apps/v1',
  type: 'Normal',
  reason: 'SuccessfulCreate',
  message: `Created pod: web-${pod}`,
});

/** Correlates, and names events after the time of their first occurrence. */
function write(correlator: EventCorrelator, event: EventFacts, nowMs: number) {
  return correlator.correlate(event, nowMs, () => `e-${nowMs}`);
}

describe('event correlation, as client-go does it', () => {
  it('writes the first event of its kind unchanged', () => {
    expect(write(new EventCorrelator(), created(1), 0)).toMatchObject({ message: 'Created pod: web-1', count: 1 });
  });

  it('counts up the same event', () => {
    const correlator = new EventCorrelator();
    write(correlator, created(1), 0);
    expect(write(correlator, created(1), 5)).toMatchObject({ count: 2, name: 'e-0', firstTimestampMs: 0 });
  });

  it('combines the tenth different message and all that follow into one event', () => {
    const correlator = new EventCorrelator();
    const messages = Array.from({ length: 12 }, (_, pod) => write(correlator, created(pod + 1), pod));
    expect(messages[8]).toMatchObject({ message: 'Created pod: web-9', count: 1 });
    expect(messages[9]).toMatchObject({ message: '(combined from similar events): Created pod: web-10', count: 1 });
    expect(messages[11]).toMatchObject({ message: '(combined from similar events): Created pod: web-12', count: 3 });
  });

  it('stops combining after ten quiet minutes', () => {
    const correlator = new EventCorrelator();
    for (let pod = 1; pod <= 10; pod++) write(correlator, created(pod), 0);
    expect(write(correlator, created(11), 600_001)).toMatchObject({ message: 'Created pod: web-11' });
  });

  it('lets a source send 25 events about an object at once, then one every five minutes', () => {
    const correlator = new EventCorrelator();
    const statuses = Array.from({ length: 26 }, (_, pod) => write(correlator, created(pod), 0).status);
    expect(statuses.lastIndexOf('write')).toBe(24);
    expect(write(correlator, created(30), 299_999).status).toBe('dropped');
    expect(write(correlator, created(31), 300_000).status).toBe('write');
  });

  it('counts what it drops, as the spam filter comes after the counting', () => {
    const correlator = new EventCorrelator();
    for (let at = 0; at < 40; at++) write(correlator, created(1), at);
    const next = write(correlator, created(1), 400_000);
    expect(next).toMatchObject({ status: 'write', name: 'e-0', firstTimestampMs: 0, count: 41 });
  });

  it('counts on from an event that was dropped at its first occurrence', () => {
    const correlator = new EventCorrelator();
    for (let at = 0; at < 25; at++) write(correlator, created(1), at);
    expect(write(correlator, created(2), 100).status).toBe('dropped');
    const next = write(correlator, created(2), 400_000);
    expect(next).toMatchObject({ status: 'write', name: 'e-100', firstTimestampMs: 100, count: 2 });
  });

  it.each<[string, Partial<EventFacts>]>([
    ['type', { type: 'Warning' }],
    ['component', { component: 'garbage-collector' }],
    ['host', { host: 'node-2' }],
  ])('limits events of another %s by themselves', (_, other) => {
    const correlator = new EventCorrelator();
    for (let at = 0; at < 25; at++) write(correlator, created(1), 0);
    expect(write(correlator, created(1), 0).status).toBe('dropped');
    expect(write(correlator, { ...created(1), ...other }, 0)).toMatchObject({ status: 'write', count: 1 });
  });

  it('drops nothing because the clock was set back', () => {
    const correlator = new EventCorrelator();
    write(correlator, created(1), 7_200_000);
    expect(write(correlator, created(2), 0)).toMatchObject({ status: 'write' });
  });

  it('limits the events about each object separately', () => {
    const correlator = new EventCorrelator();
    for (let pod = 0; pod < 26; pod++) write(correlator, created(pod), 0);
    expect(write(correlator, { ...created(1), regarding: 'ReplicaSet/default/api/uid-2/apps/v1' }, 0).status).toBe(
      'write',
    );
  });
});
