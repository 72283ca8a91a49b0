import { expect, test } from 'vitest';
import { WORK_QUEUE } from '../../../infra/topology.ts';
import { FaultPlan, NO_FAULTS } from '../FaultPlan.ts';
import { Random } from '../Random.ts';
import { Scheduler } from '../Scheduler.ts';
import { IdleKeys } from './IdleKeys.ts';

const KEY = { controller: 'pod', namespace: 'a', name: 'web' } as const;
const DUE_MS = 10_000;
const { visibilityTimeoutMs } = WORK_QUEUE;

/** A run without faults: a function receives the key's message when it is due, and ends at `endedMs` without having looked at the key. Returns what the check says about it. */
function judge(run: { visibleAtMs: number; functionsEndMs?: number; endedMs: number }): string | undefined {
  const scheduler = new Scheduler(0, new Random(1));
  let failure: string | undefined;
  const queue = { messagesOf: () => [{ dueAtMs: DUE_MS, visibleAtMs: run.visibleAtMs }] };
  const idleKeys = new IdleKeys({ scheduler, faults: new FaultPlan(NO_FAULTS) }, queue, (found) => {
    failure = found;
  });
  scheduler.leap(DUE_MS);
  idleKeys.onReceive(KEY);
  if (run.functionsEndMs !== undefined) {
    scheduler.leap(run.functionsEndMs - scheduler.now());
    idleKeys.onFunctionsEnd();
  }
  scheduler.leap(run.endedMs - scheduler.now());
  idleKeys.onHandled(KEY);
  return failure;
}

const timedOutMs = DUE_MS + visibilityTimeoutMs;

test.each([
  { what: 'one that comes again soon', run: { visibleAtMs: 12_000, endedMs: 11_000 }, isFound: false },
  { what: 'one that nobody looks at', run: { visibleAtMs: timedOutMs, endedMs: 11_000 }, isFound: true },
  {
    what: 'one that was at hand when a deployment ended all functions',
    run: { visibleAtMs: timedOutMs, functionsEndMs: 11_000, endedMs: 11_000 },
    isFound: false,
  },
  {
    what: 'one that was received after a deployment',
    run: { visibleAtMs: timedOutMs + 2_000, functionsEndMs: 11_000, endedMs: 13_000 },
    isFound: true,
  },
  {
    what: 'one that is hidden for longer than a deployment can make it',
    run: { visibleAtMs: timedOutMs + 30_000, functionsEndMs: 11_000, endedMs: 11_000 },
    isFound: true,
  },
])('judges a key with work to do: $what', ({ run, isFound }) => {
  expect(judge(run)).toEqual(isFound ? expect.stringContaining('nobody looks at it before') : undefined);
});
