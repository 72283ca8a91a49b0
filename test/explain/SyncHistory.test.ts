import { describe, expect, test } from 'vitest';
import { SyncHistory } from '../../lambdas/explain/SyncHistory.ts';
import { WEB } from '../support/openSyncBench.ts';

describe('the history of syncs', () => {
  const record = (name: string, beganAtMs: number) => ({
    key: { ...WEB, name },
    beganAtMs,
    durationMs: 1,
    outcome: 'done' as const,
    conflicts: 0,
    why: [],
    writes: [],
    failures: 0,
  });

  test('keeps the last ten of a key', () => {
    const history = new SyncHistory();
    for (let at = 0; at < 12; at += 1) history.add(record('web', at));
    expect(history.of(WEB).map(({ beganAtMs }) => beganAtMs)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('forgets the keys whose last sync is the oldest', () => {
    const history = new SyncHistory(2);
    for (const name of ['a', 'b', 'a', 'c']) history.add(record(name, 0));
    expect(['a', 'b', 'c'].map((name) => history.of({ ...WEB, name }).length)).toEqual([2, 0, 1]);
  });
});
