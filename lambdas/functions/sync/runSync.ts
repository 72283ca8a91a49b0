import type { Controller, SyncReport, SyncStart } from '../../controllers/Controller.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';

/** How often a sync that met a conflict observes again at once. After that its key waits for its backoff, as after a failure. */
const MAX_CONFLICTS = 3;

interface Attempted {
  /** The time of day when the last attempt began to observe. */
  readonly beganAtMs: number;
  /** The same by the clock that never steps. */
  readonly beganSteadyMs: number;
  readonly conflicts: number;
}

export type SyncRun = Attempted &
  (
    | { readonly status: 'ended'; readonly report: SyncReport }
    | { readonly status: 'failed'; readonly error: Error }
    /** The sync was still running at the deadline. A write that it began may still be under way, so its lock must not be released. */
    | { readonly status: 'stalled' }
  );

/** Runs a key's sync until it ends, fails or reaches its deadline. A report whose outcome is still a conflict is the last of a row of conflicts. Never rejects. */
export async function runSync(
  { clock, workClock }: Pick<Ports, 'clock' | 'workClock'>,
  controller: Controller,
  key: WorkKey,
  start: Omit<SyncStart, 'nowMs'>,
): Promise<SyncRun> {
  const writes: string[] = [];
  for (let conflicts = 0; ; conflicts += 1) {
    const began = { beganAtMs: clock.now(), beganSteadyMs: clock.steadyMs(), conflicts };
    const ended = await untilDeadline(workClock, start.deadlineMs, () =>
      controller.sync(key, { ...start, nowMs: began.beganAtMs }),
    );
    if (ended.status !== 'returned') return { ...ended, ...began };
    writes.push(...ended.report.writes);
    const report = { ...ended.report, writes };
    const isLast = report.outcome.status !== 'conflict' || conflicts === MAX_CONFLICTS;
    if (isLast) return { status: 'ended', report, ...began };
  }
}

type Returned =
  | { readonly status: 'returned'; readonly report: SyncReport }
  | { readonly status: 'failed'; readonly error: Error }
  | { readonly status: 'stalled' };

async function untilDeadline(clock: Clock, deadlineMs: number, sync: () => Promise<SyncReport>): Promise<Returned> {
  return await new Promise((resolve) => {
    const cancel = clock.setTimer(Math.max(0, deadlineMs - clock.now()), () => resolve({ status: 'stalled' }));
    const end = (returned: Returned) => {
      cancel();
      resolve(returned);
    };
    // The wrapping function turns a sync that throws before its first await into a rejection too.
    (async () => await sync())().then(
      (report) => end({ status: 'returned', report }),
      (error: unknown) => end({ status: 'failed', error: error instanceof Error ? error : new Error(String(error)) }),
    );
  });
}
