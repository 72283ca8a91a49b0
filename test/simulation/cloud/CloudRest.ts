import type { CloudModel } from '../../model/cloud/CloudModel.ts';
import type { TableRecord } from '../../model/dynamo/StreamShard.ts';
import type { TimedOp } from '../ClientOp.ts';
import { formatMs } from '../Gate.ts';
import type { Scheduler } from '../Scheduler.ts';
import type { Trace } from '../Trace.ts';
import type { Rest } from './drawRest.ts';

/** What a rest needs of the simulation. */
export interface RestParts {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly cloud: CloudModel;
  /** Carries out what users do. Resolves when all is answered. */
  readonly carryOut: (ops: readonly TimedOp[]) => Promise<void>;
  /** Lets events happen until the work is done, or the run has failed. */
  readonly finish: (work: () => Promise<unknown>) => Promise<void>;
  /** Ends all functions, as a deployment does. */
  readonly endFunctions: () => void;
  /** Called before time leaps. */
  readonly onLeap: (durationMs: number) => void;
  /** Called with records that the stream has dropped before `record` got them. */
  readonly onLost: (records: readonly TableRecord[]) => void;
}

const HOUR_MS = 3_600_000;
/** The daily resync, and what follows from it, is over by then. */
const RESYNC_MS = 120_000;
const PATIENCE_MS = 600_000;
/** So many hours pass at once, with a heartbeat after each piece. Fewer if a trigger reads nothing, since it must meet one that is about as old as the oldest record. */
const PIECE_HOURS = 12;
const UNREAD_PIECE_HOURS = 1;

/**
 * Lets hours or days pass in which nobody does anything: no function keeps its process, each day has its resync, and what expires does so. A trigger may read nothing meanwhile, so that the stream drops records that
 * its function never got. Somebody switches it on again, and nobody does more: the stack must notice what it has missed.
 */
export async function passRest({ hours, unread }: Rest, parts: RestParts): Promise<void> {
  const { cloud, carryOut, finish } = parts;
  if (unread) {
    cloud.stopReading(unread.by);
    say(parts, `the trigger of ${unread.by} reads nothing any more`);
    await finish(() => carryOut(unread.ops));
  }
  for (const some of hours) {
    await passHours(some, unread, parts);
    await finish(() => cloud.trigger('resync', { what: 'all' }));
    await finish(() => parts.scheduler.wait(RESYNC_MS));
  }
  if (!unread) return;
  const lost = cloud.readOn(unread.by);
  say(parts, `the trigger of ${unread.by} reads again, and has missed ${lost.length} records`);
  if (unread.by === 'record') parts.onLost(lost);
  await finish(() => cloud.trigger('resync', { what: 'heartbeat' }));
}

async function passHours(hours: number, unread: Rest['unread'], parts: RestParts): Promise<void> {
  const { cloud, finish } = parts;
  const pieceHours = unread ? UNREAD_PIECE_HOURS : PIECE_HOURS;
  for (let left = hours; left > 0; left -= pieceHours) {
    await finish(() => untilIdle(parts));
    const isSilent = unread?.isSilent === true;
    const some = isSilent ? left : Math.min(left, pieceHours);
    leap(parts, some * HOUR_MS);
    if (isSilent) return;
    await finish(() => cloud.trigger('resync', { what: 'heartbeat' }));
  }
}

/** Waits until no request is under way: none takes hours. */
async function untilIdle({ scheduler, cloud }: RestParts): Promise<void> {
  const endMs = scheduler.now() + PATIENCE_MS;
  // The wait itself is over when it is looked at.
  do await scheduler.wait(1_000);
  while ((scheduler.pendingWork > 0 || cloud.isServingQueues) && scheduler.now() < endMs);
}

function leap(parts: RestParts, durationMs: number): void {
  const { scheduler, endFunctions, onLeap } = parts;
  say(parts, `nothing happens for ${durationMs / HOUR_MS} hours`);
  endFunctions();
  onLeap(durationMs);
  scheduler.leap(durationMs);
}

function say({ trace, scheduler }: RestParts, what: string): void {
  trace.add(`${formatMs(scheduler.now())} ${what}`);
}
