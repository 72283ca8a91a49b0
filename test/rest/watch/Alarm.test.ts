import { expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { Alarm } from '../../../lambdas/rest/watch/Alarm.ts';

function open() {
  const clock = new VirtualClock(0);
  const watch = new AbortController();
  return { clock, watch, alarm: new Alarm(clock, watch.signal) };
}

test('an alarm rings at its moment, and not before', () => {
  const { clock, alarm } = open();
  const signal = alarm.setFor(100);
  clock.advanceBy(99);
  expect(signal.aborted).toBe(false);
  clock.advanceBy(1);
  expect(signal.aborted).toBe(true);
});

test('for the same moment it gives the same signal, until that has rung', () => {
  const { clock, alarm } = open();
  const signal = alarm.setFor(100);
  expect(alarm.setFor(100)).toBe(signal);
  clock.advanceBy(100);
  expect(alarm.setFor(100).aborted).toBe(false);
});

test('for another moment it gives another signal, and one timer is left', () => {
  const { clock, alarm } = open();
  const first = alarm.setFor(100);
  const second = alarm.setFor(50);
  clock.advanceBy(50);
  expect([first.aborted, second.aborted]).toEqual([false, true]);
  expect(clock.nextDueMs()).toBeUndefined();
});

test('the end of the watch rings it and frees the timer, and what is set afterwards has rung already', () => {
  const { clock, watch, alarm } = open();
  const signal = alarm.setFor(100);
  watch.abort();
  expect(signal.aborted).toBe(true);
  expect(clock.nextDueMs()).toBeUndefined();
  expect(alarm.setFor(200).aborted).toBe(true);
  expect(clock.nextDueMs()).toBeUndefined();
});
