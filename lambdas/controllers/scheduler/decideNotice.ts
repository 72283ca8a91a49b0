import type { Schedule } from './decideSchedule.ts';
import type { SchedulerNotice } from './SchedulerNotice.ts';

/** How long it takes until every process has noticed, in milliseconds. */
export interface NoticeDelays {
  /** Until every process that asks what pods wait for sees the answer that was written. */
  readonly seenMs: number;
  /** Until no process binds a plain pod any more by what it had read before. */
  readonly heldMs: number;
}

export interface NoticeDecision {
  readonly notice: SchedulerNotice;
  /** In how many milliseconds the scheduler has to look again, because what it decided now may have been too early for others. Absent: it need not. */
  readonly recheckMs?: number;
}

/** Whether a pod may keep others away at this time: plain pods have been held for long enough. Pure. */
export function mayRepel({ plainPods }: SchedulerNotice, { heldMs }: NoticeDelays, nowMs: number): boolean {
  return plainPods?.state === 'held' && nowMs - plainPods.sinceMs >= heldMs;
}

/**
 * Decides what the notice has to say after these decisions.
 * - A pod waits for a plugin that was not named before. Something that helps may have happened before the notice says so, and then nobody has woken the scheduler: it looks again as soon as everybody knows.
 * - A pod wants to keep others away. Plain pods are held; the pod is decided about once that is known everywhere.
 * - No such pod is left. Plain pods are released, and as long as a process may still leave them to the scheduler, it takes them.
 * Pure.
 */
export function decideNotice(
  before: SchedulerNotice,
  schedule: Pick<Schedule, 'waitsFor' | 'repels' | 'left'>,
  delays: NoticeDelays,
  nowMs: number,
): NoticeDecision {
  // Pods beyond the limit may wait for the same as before.
  const waitsFor = schedule.left > 0 ? (schedule.waitsFor ?? before.waitsFor) : schedule.waitsFor;
  const plainPods = plainPodsAfter(before, schedule.repels, delays, nowMs);
  const rechecksMs = [
    ...(namesMore(before.waitsFor, waitsFor) ? [delays.seenMs] : []),
    ...holdLeftMs(before.plainPods, plainPods, delays, nowMs),
  ];
  return {
    notice: { ...(waitsFor && { waitsFor }), ...(plainPods && { plainPods }) },
    ...(rechecksMs.length > 0 && { recheckMs: Math.min(...rechecksMs) }),
  };
}

type Plugins = SchedulerNotice['waitsFor'];

function namesMore(before: Plugins, after: Plugins): boolean {
  return after !== undefined && (before === undefined || [...after].some((plugin) => !before.has(plugin)));
}

/** Returns how long others may still not know whether plain pods are held: at least one more sync, if that has just been decided. */
function holdLeftMs(
  before: SchedulerNotice['plainPods'],
  after: SchedulerNotice['plainPods'],
  { heldMs }: NoticeDelays,
  nowMs: number,
): readonly number[] {
  if (!after) return [];
  const leftMs = after.sinceMs + heldMs - nowMs;
  return leftMs > 0 || after !== before ? [Math.max(0, leftMs)] : [];
}

function plainPodsAfter(
  { plainPods }: SchedulerNotice,
  repels: boolean,
  { heldMs }: NoticeDelays,
  nowMs: number,
): SchedulerNotice['plainPods'] {
  // A time that is further ahead than that was written before a clock was set back.
  const known = plainPods && plainPods.sinceMs <= nowMs + heldMs ? plainPods : undefined;
  if (repels) return known?.state === 'held' ? known : { state: 'held', sinceMs: nowMs };
  if (plainPods?.state === 'held') return { state: 'released', sinceMs: nowMs };
  return known && nowMs - known.sinceMs < heldMs ? known : undefined;
}
