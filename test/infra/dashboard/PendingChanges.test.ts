import { describe, expect, test } from 'vitest';
import type { ClusterMirror } from '../../../infra/dashboard/server/ClusterMirror.ts';
import type { PageTopic } from '../../../infra/dashboard/server/PageTopic.ts';
import { PendingChanges } from '../../../infra/dashboard/server/PendingChanges.ts';

type Watch = PageTopic['watches'][number];

function watch(isKnown: boolean, problem?: string): Watch {
  return { follow: () => () => {}, isKnown, problem };
}

/** The changes of a page about objects that are their own views, on a clock that the test sets. */
function pending(watches: readonly Watch[] = [watch(true)]) {
  const clock = { nowMs: 0 };
  const topic: PageTopic = {
    watches,
    all: () => new Map([['first', { list: 'pods', view: { id: 'first' } }]]),
    changed: (object) => new Map([[(object as { id: string }).id, { list: 'pods', view: object as { id: string } }]]),
  };
  const changes = new PendingChanges({ nowMs: () => clock.nowMs } as unknown as ClusterMirror, topic, true);
  const steps = () => changes.take().map(({ pods }) => pods.length);
  return { changes, clock, steps };
}

describe('what a page has not been told', () => {
  test('begins with everything, and goes on with steps of ten changes', () => {
    const { changes, steps } = pending();
    expect(changes.take()).toMatchObject([{ isStart: true, pods: [{ id: 'first' }] }]);
    for (let index = 0; index < 25; index += 1) changes.add({ id: `pod-${index}` });
    expect(steps()).toEqual([10, 10, 5]);
    expect(steps()).toEqual([]);
  });

  test('keeps what happened at other times apart', () => {
    const { changes, clock, steps } = pending();
    changes.take();
    changes.add({ id: 'a' });
    clock.nowMs = 1_000;
    changes.add({ id: 'b' });
    expect(steps()).toEqual([1, 1]);
  });

  test('does not grow without end for a page that does not read', () => {
    const { changes, steps } = pending();
    changes.take();
    for (let index = 0; index < 10_000; index += 1) changes.add({ id: `pod-${index}` });
    expect(steps()).toHaveLength(50);
  });

  test('tells the time when a clock has moved', () => {
    const { changes, clock } = pending();
    changes.take();
    expect(changes.beatIfMoved()).toBe(false);
    clock.nowMs = 5_000;
    expect(changes.beatIfMoved()).toBe(true);
    expect(changes.take()).toMatchObject([{ nowMs: 5_000, pods: [] }]);
  });

  test.each([
    ['the first has no list yet', [watch(false), watch(true)], []],
    ['the first is refused', [watch(false, 'forbidden'), watch(true)], [{ problem: 'forbidden', pods: [] }]],
    ['another has no list yet', [watch(true), watch(false)], []],
    [
      'another is refused',
      [watch(true), watch(false, 'forbidden')],
      [{ problem: 'forbidden', pods: [{ id: 'first' }] }],
    ],
  ])('says of its watches, if %s, what it knows', (_, watches, told) => {
    expect(pending(watches).changes.take()).toMatchObject(told);
  });
});
