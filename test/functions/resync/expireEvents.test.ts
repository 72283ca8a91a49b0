import { describe, expect, it } from 'vitest';
import { createResyncHandler } from '../../../lambdas/functions/resync/createResyncHandler.ts';
import { expireEvents } from '../../../lambdas/functions/resync/expireEvents.ts';
import { formatMicroTime, formatTime } from '../../../lambdas/ports/Clock.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const MINUTE_MS = 60_000;

async function startBench() {
  const bench = new ControllerBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const addEvent = (name: string, fields: object) =>
    bench.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
      ...fields,
    });
  return { bench, addEvent };
}

describe('events', () => {
  it('are removed an hour after the latest of their times', async () => {
    const { bench, addEvent } = await startBench();
    const laterMs = bench.clock.now() + MINUTE_MS;
    const reported = {
      action: 'Told',
      reportingController: 'a',
      reportingInstance: 'b',
      type: 'Normal',
      reason: 'Told',
    };
    await addEvent('untimed', {});
    await addEvent('counted', { lastTimestamp: formatTime(laterMs) });
    await addEvent('timed', { ...reported, reportingComponent: 'a.b/c', eventTime: formatMicroTime(laterMs) });
    await addEvent('ahead', { lastTimestamp: '2999-01-01T00:00:00Z' });
    bench.clock.advanceBy(60 * MINUTE_MS - 1);
    expect(await expireEvents(bench)).toBe(0);
    bench.clock.advanceBy(1);
    expect(await expireEvents(bench)).toBe(2);
    expect(await bench.names('events')).toEqual(['counted', 'timed']);
    bench.clock.advanceBy(MINUTE_MS);
    expect(await expireEvents(bench)).toBe(2);
  });

  it('stay when the clock is set back', async () => {
    const { bench, addEvent } = await startBench();
    await addEvent('counted', { lastTimestamp: formatTime(bench.clock.now()) });
    bench.clock.step(-120 * MINUTE_MS);
    expect(await expireEvents(bench)).toBe(0);
  });

  it('are read page by page', async () => {
    const { bench, addEvent } = await startBench();
    for (let number = 0; number < 205; number++) await addEvent(`e-${number}`, {});
    bench.clock.advanceBy(30 * MINUTE_MS);
    await addEvent('fresh', {});
    bench.clock.advanceBy(30 * MINUTE_MS);
    expect(await expireEvents(bench)).toBe(205);
    expect(await bench.names('events')).toEqual(['fresh']);
  });

  it('are gone within ten minutes after their hour if resync runs every minute', async () => {
    const { bench, addEvent } = await startBench();
    bench.clock.advanceBy(30_000);
    const { objectStore, clock } = bench;
    const workQueue = { send: async () => {} } as never;
    const keyLocks = { overdue: async () => [] } as never;
    const resync = createResyncHandler({
      ports: { objectStore, clock, workClock: clock, workQueue, keyLocks },
      controllers: [],
      log: () => {},
    });
    await addEvent('a', {});
    for (let minute = 0; minute < 59; minute++) {
      bench.clock.advanceBy(MINUTE_MS);
      await resync({ what: 'overdue', graceMs: 0 });
    }
    expect(await bench.names('events')).toEqual(['a']);
    for (let minute = 0; minute < 11; minute++) {
      bench.clock.advanceBy(MINUTE_MS);
      await resync({ what: 'overdue', graceMs: 0 });
    }
    expect(await bench.names('events')).toEqual([]);
  });
});
