import { describe, expect, test } from 'vitest';
import { RolloutHistory } from '../../../infra/dashboard/page/RolloutHistory.ts';
import { nothingTold, takeMessage } from '../../../infra/dashboard/page/Told.ts';
import type { PageMessage, PodState } from '../../../infra/dashboard/views/PageViews.ts';

const EMPTY = { isVirtual: false, workloads: [], replicaSets: [], pods: [], events: [], gone: [], samples: [] };

function pod(name: string, state: PodState) {
  return { id: name, name, owner: 'set', state };
}

/** A history of these messages, a second apart. */
function historyOf(messages: readonly Partial<PageMessage>[], history = new RolloutHistory()) {
  const told = nothingTold();
  for (const [second, message] of messages.entries()) {
    const whole = { ...EMPTY, nowMs: second * 1_000, ...message };
    takeMessage(told, whole);
    history.add(whole, told);
  }
  return history;
}

function podsAt(history: RolloutHistory, moment: number): string[] {
  return [...history.at(moment).pods.values()].map(({ name, state }) => `${name} ${state}`);
}

const STORY = [
  { isStart: true, pods: [pod('a', 'created')] },
  { pods: [pod('a', 'running'), pod('b', 'created')] },
  { gone: ['a'], pods: [pod('b', 'ready')] },
];

describe('RolloutHistory', () => {
  test('shows each moment as it was', () => {
    const history = historyOf(STORY);
    expect([history.first, history.last]).toEqual([0, 2]);
    expect([0, 1, 2].map((moment) => podsAt(history, moment))).toEqual([
      ['a created'],
      ['a running', 'b created'],
      ['b ready'],
    ]);
  });

  test('leaves out what changed nothing', () => {
    expect(historyOf([...STORY, {}, { samples: [] }]).last).toBe(2);
  });

  test('begins anew where the page was told everything anew', () => {
    const history = historyOf([...STORY, { isStart: true, pods: [pod('c', 'created')] }]);
    expect(podsAt(history, 3)).toEqual(['c created']);
    expect(podsAt(history, 2)).toEqual(['b ready']);
  });

  test('keeps whole chapters of the newest moments, under their numbers', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      pods: [pod('a', index % 2 === 0 ? 'running' : 'ready')],
    }));
    const history = historyOf([STORY[0] ?? {}, ...many], new RolloutHistory(20, 8));
    expect(history.last).toBe(50);
    expect(history.first).toBe(32);
    expect(podsAt(history, 33)).toEqual(['a running']);
    expect(podsAt(history, 34)).toEqual(['a ready']);
    expect(podsAt(history, 3)).toEqual(podsAt(history, 32));
  });

  test.each([
    [-5, 0],
    [0, 0],
    [1_500, 1],
    [2_000, 2],
    [99_000, 2],
  ])('at %i ms is moment %i', (timeMs, moment) => {
    expect(historyOf(STORY).momentAt(timeMs)).toBe(moment);
  });

  test('has no moment before the first message', () => {
    const history = new RolloutHistory();
    expect(history.last).toBe(history.first - 1);
    expect(history.at(0).pods.size).toBe(0);
  });
});
