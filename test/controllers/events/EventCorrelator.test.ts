import { describe, expect, it } from 'vitest';
import { EventCorrelator, type EventFacts } from '../../../lambdas/controllers/events/EventCorrelator.ts';

const created = (pod: number): EventFacts => ({
  component: 'replicaset-controller',
  regarding: 'ReplicaSet/default/web/uid-1/apps/v1',
  type: 'Normal',
  reason: 'SuccessfulCreate',
  message: `Created pod: web-${pod}`,
});

/** Correlates and remembers, as the recorder does. */
function write(correlator: EventCorrelator, event: EventFacts, nowMs: number) {
  const correlated = correlator.correlate(event, nowMs);
  if (correlated.status === 'write') {
    const { key, count, earlier } = correlated;
    correlator.remember(key, earlier ? { ...earlier, count } : { name: `e-${nowMs}`, count, firstTimestampMs: nowMs });
  }
  return correlated;
}

describe('event correlation, as client-go does it', () => {
  it('writes the first event of its kind unchanged', () => {
    expect(write(new EventCorrelator(), created(1), 0)).toMatchObject({ message: 'Created pod: web-1', count: 1 });
  });

  it('counts up the same event', () => {
    const correlator = new EventCorrelator();
    write(correlator, created(1), 0);
    expect(write(correlator, created(1), 5)).toMatchObject({ count: 2, earlier: { name: 'e-0' } });
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

  it('limits the events about each object separately', () => {
    const correlator = new EventCorrelator();
    for (let pod = 0; pod < 26; pod++) write(correlator, created(pod), 0);
    expect(write(correlator, { ...created(1), regarding: 'ReplicaSet/default/api/uid-2/apps/v1' }, 0).status).toBe(
      'write',
    );
  });
});
