import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { RemoteClock } from '../../../infra/dashboard/server/RemoteClock.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';

const TODAY = '2026-11-23T04:00:00.000Z';
const LONG = { timeout: 15_000 };
const iso = (clock: RemoteClock) => new Date(clock.nowMs()).toISOString();

function writtenAt(time: string): KubernetesObject {
  const managedFields = [{ manager: 'test', time }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', uid: 'a', managedFields } } as never;
}

describe('the time of a server with a clock of its own', () => {
  function virtualClock() {
    const state = { time: '2026-01-01T00:00:00.000Z' };
    const clock = new RemoteClock(async () => Response.json({ status: { type: 'Virtual', time: state.time } }));
    const told: (object | undefined)[] = [];
    const leave = clock.follow((object) => told.push(object));
    onTestFinished(leave);
    return { state, clock, told, leave };
  }

  test('is read while somebody follows it, and told when it moves', async () => {
    const { state, clock, told, leave } = virtualClock();
    expect(clock.isKnown).toBe(false);
    await vi.waitFor(() => expect([clock.isKnown, iso(clock), told]).toEqual([true, state.time, [undefined]]), LONG);
    state.time = '2026-01-01T01:00:00.000Z';
    await vi.waitFor(() => expect([iso(clock), told.length]).toEqual([state.time, 2]), LONG);
    leave();
    expect(clock.isKnown).toBe(false);
  });

  test('is at least that at which an object was written', async () => {
    const { state, clock } = virtualClock();
    await vi.waitFor(() => expect(clock.isKnown).toBe(true), LONG);
    clock.saw(writtenAt('2026-01-01T00:30:00Z'));
    clock.saw(writtenAt('2025-01-01T00:30:00Z'));
    expect(iso(clock)).toBe('2026-01-01T00:30:00.000Z');
    state.time = '2026-01-01T00:45:00.000Z';
    await vi.waitFor(() => expect(iso(clock)).toBe(state.time), LONG);
  });
});

describe('the time of any other server', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse(TODAY), toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
  const withDate = (date: string | undefined) =>
    new RemoteClock(async () => new Response('{}', { status: 404, ...(date && { headers: { date } }) }));

  test.each([403, 404])('is known when the server answers %i to who asks for its clock', async (status) => {
    let asked = 0;
    const clock = new RemoteClock(async () => {
      asked += 1;
      return new Response('{}', { status });
    });
    onTestFinished(clock.follow(() => {}));
    await vi.waitFor(() => expect([clock.isKnown, asked]).toEqual([true, 1]), LONG);
  });

  test.each([
    ['a server that says nothing', undefined, TODAY],
    ['a server that agrees within seconds', 'Mon, 23 Nov 2026 03:59:57 GMT', TODAY],
    ['a server that knows better', 'Mon, 23 Nov 2026 05:00:00 GMT', '2026-11-23T05:00:00.000Z'],
  ])('is this machine`s, unless it is far off: %s', async (_, date, expected) => {
    const clock = withDate(date);
    await clock.send('/version');
    expect(iso(clock)).toBe(expected);
    clock.saw(writtenAt('2027-01-01T00:00:00Z'));
    expect(iso(clock)).toBe(expected);
  });
});
