import type { Controller } from '../../controllers/Controller.ts';
import type { Causes } from '../../ports/Causes.ts';
import type { ChangeWaits } from '../../ports/ChangeWaits.ts';
import type { Intent, KeyItem } from '../../ports/KeyLocks.ts';
import type { Ports } from '../../ports/Ports.ts';
import { encodeWorkKey, type WorkKey } from '../../ports/WorkKey.ts';
import { MAX_QUEUE_DELAY_MS, type ReceivedMessage } from '../../ports/WorkQueue.ts';
import { ALARM_AFTER_FAILURES } from '../limits.ts';
import { decideRelease, type MessageFate, type ReleaseDecision, type SyncEnd } from './decideRelease.ts';
import type { SyncConfig } from './SyncConfig.ts';
import type { SyncRun } from './runSync.ts';
import type { MessageOutcome, SyncDependencies } from './SyncDependencies.ts';
import type { WorkTime } from './WorkTime.ts';
import { isNewChange, type Moments, momentsOf, spansOf, type SyncTrace, waitsOf, wakeUpTraces } from './SyncTrace.ts';
import { summarizeWrites } from './summarizeWrites.ts';
import type { SyncRecord } from '../../explain/SyncHistory.ts';

/** The lock of one key, as its holder knows it. */
export interface HeldLock {
  readonly holder: string;
  /** The sync's deadline, by the worker's own clock: no write may begin from here on. */
  readonly deadlineMs: number;
  readonly untilMs: number;
  readonly time: WorkTime;
  /** The changes that a sync under this lock reads, because their messages were received before. */
  readonly causes: Causes;
  /** The key's item when the lock was acquired. */
  readonly item: KeyItem;
  /** See SyncRecord. */
  readonly edgeMs: number | undefined;
  /** The trace to which the sync belongs, if any. */
  readonly trace?: SyncTrace | undefined;
}

/**
 * Ends a sync: sends the key's wake-up, releases its lock, reports the sync, then deletes or keeps its message. The order matters: wherever this worker dies, the message or a
 * substitute for it is still in the queue.
 */
export async function concludeSync(
  dependencies: SyncDependencies,
  controller: Controller,
  message: ReceivedMessage,
  lock: HeldLock,
  run: SyncRun,
  recorded: { readonly intent: Intent | undefined; readonly isLost: boolean },
): Promise<MessageOutcome['outcome']> {
  const traced = lock.trace && tracedEnd(dependencies, lock.trace, run);
  if (run.status === 'stalled') {
    report(dependencies, message, lock, run, traced, { outcome: 'stalled', failures: lock.item.failures });
    await bringBack(dependencies, message, lock.time, leftOf(lock));
    return 'keep';
  }
  const decision = withWaits(decide(dependencies, controller, message, lock, run, recorded.intent), lock, traced);
  if (recorded.isLost || (await releaseOrBringBack(dependencies, message, lock, decision)) === 'lost') {
    report(dependencies, message, lock, run, traced, { outcome: 'lost', failures: lock.item.failures });
    return 'keep';
  }
  const failures = decision.message.fate === 'bury' ? decision.message.failures : decision.item.failures;
  const { wakeAtMs } = decision.item;
  report(dependencies, message, lock, run, traced, {
    outcome: run.status === 'failed' ? 'failed' : run.report.outcome.status,
    failures,
    ...(wakeAtMs !== undefined && { wakeAtMs }),
    ...(decision.message.fate === 'bury' && { buried: true }),
  });
  count(dependencies, controller, message, decision, failures);
  return await carryOut(dependencies, message, lock.time, decision.message);
}

type EndedRun = Exclude<SyncRun, { status: 'stalled' }>;

function decide(
  { config }: SyncDependencies,
  controller: Controller,
  message: ReceivedMessage,
  { item, time, causes }: HeldLock,
  run: EndedRun,
  intent: Intent | undefined,
): ReleaseDecision {
  return decideRelease({
    end: endOf(run),
    item,
    intent,
    causes,
    beganAtMs: time.at(run.beganSteadyMs),
    syncedFromMs: time.queueTimeBy(run.beganSteadyMs),
    nowMs: time.now(),
    receiveCount: message.receiveCount,
    maxRetries: controller.maxRetries,
    renewAfterReceives: config.renewAfterReceives,
    mayBeGone: mayBeGone(config, time),
    clockMarginMs: config.clockMarginMs,
  });
}

function endOf(run: EndedRun): SyncEnd {
  if (run.status === 'failed') return { status: 'failed' };
  const { outcome } = run.report;
  // After a row of conflicts the key is tried again with backoff, as after a failure.
  return outcome.status === 'conflict' ? { status: 'failed' } : outcome;
}

/** Nobody knows whether a release that fails has taken effect. If it has, no lock that ends brings the key back. */
async function releaseOrBringBack(
  dependencies: SyncDependencies,
  message: ReceivedMessage,
  lock: HeldLock,
  decision: ReleaseDecision,
): Promise<'released' | 'lost'> {
  try {
    return await release(dependencies, message, lock, decision);
  } catch (error) {
    await bringBack(dependencies, message, lock.time, leftOf(lock));
    throw error;
  }
}

function leftOf({ untilMs, time }: HeldLock): number {
  return Math.max(0, untilMs - time.now());
}

/**
 * Lets the key come again after a delay, because its sync has left something to do. The message that is kept for that may be gone: when its visibility timeout passed during the sync, another worker may have deleted it, since for
 * the message itself an earlier sync was enough. Then a fresh message takes its place. Whether it is gone is not asked where the time alone says that it may be: the answer could be lost.
 */
async function bringBack(
  { ports: { workQueue }, config }: SyncDependencies,
  message: ReceivedMessage,
  time: WorkTime,
  delayMs: number,
): Promise<void> {
  if (!mayBeGone(config, time) && (await workQueue.hide(message, delayMs)) === 'hidden') return;
  const { key, traces } = message;
  await workQueue.send([{ key, delayMs: Math.min(delayMs, MAX_QUEUE_DELAY_MS), ...(traces && { traces }) }]);
}

function mayBeGone({ messageLastsMs }: SyncConfig, time: WorkTime): boolean {
  return time.handledForMs() >= messageLastsMs;
}

async function release(
  { ports }: SyncDependencies,
  { key }: ReceivedMessage,
  { holder, trace }: HeldLock,
  { item, wakeInMs }: ReleaseDecision,
): Promise<'released' | 'lost'> {
  if (wakeInMs !== undefined) {
    const traces = wakeUpTraces(trace, ports.clock.now(), wakeInMs);
    await ports.workQueue.send([{ key, delayMs: wakeInMs, ...(traces.length > 0 && { traces }) }]);
  }
  return await releaseKey(ports, key, holder, item);
}

async function carryOut(
  dependencies: SyncDependencies,
  message: ReceivedMessage,
  time: WorkTime,
  fate: MessageFate,
): Promise<MessageOutcome['outcome']> {
  switch (fate.fate) {
    case 'acknowledge':
      return 'acknowledge';
    case 'hide':
      await bringBack(dependencies, message, time, fate.delayMs);
      return 'keep';
    case 'bury':
      await dependencies.ports.workQueue.bury(message, `failed ${fate.failures} times in a row`);
      return 'acknowledge';
  }
}

function count(
  { metrics }: SyncDependencies,
  controller: Controller,
  { key }: ReceivedMessage,
  decision: ReleaseDecision,
  failures: number,
): void {
  const isRetried = decision.wakeInMs !== undefined || decision.item.failures > 0;
  if (isRetried) metrics.retried(controller.name);
  const isGivenUp = decision.message.fate === 'bury';
  if (isGivenUp || (controller.maxRetries === undefined && failures === ALARM_AFTER_FAILURES)) {
    metrics.alarmed(key, failures);
  }
}

/** What there is to say of a sync that belongs to a trace. */
interface TracedEnd {
  readonly trace: SyncTrace;
  readonly moments: Moments;
  /** Absent if the sync did not end well, so that the change is not done with. */
  readonly waited?: ChangeWaits;
}

function tracedEnd({ ports }: SyncDependencies, trace: SyncTrace, run: SyncRun): TracedEnd {
  const { clock, workClock } = ports;
  const { beganAtMs, beganSteadyMs } = run;
  const endedAtMs = beganAtMs + clock.steadyMs() - beganSteadyMs;
  const moments = momentsOf(trace, { beganAtMs, endedAtMs }, workClock.now() - clock.now());
  const isDone = run.status === 'ended' && run.report.outcome.status !== 'conflict';
  const waited = isDone ? waitsOf(trace, moments) : undefined;
  return { trace, moments, ...(waited && { waited }) };
}

/** The key remembers what the sync for the last traced change has waited for. */
function withWaits(decision: ReleaseDecision, { item }: HeldLock, traced: TracedEnd | undefined): ReleaseDecision {
  const isNew = traced?.waited !== undefined && isNewChange(traced.trace.cause, item);
  const waited = isNew ? traced.waited : item.waited;
  return waited ? { ...decision, item: { ...decision.item, waited } } : decision;
}

function report(
  { ports, log, onSync, tracing }: SyncDependencies,
  { key }: ReceivedMessage,
  { edgeMs }: HeldLock,
  run: SyncRun,
  traced: TracedEnd | undefined,
  ended: Pick<SyncRecord, 'outcome' | 'failures' | 'wakeAtMs' | 'buried'>,
): void {
  const ofRun = run.status === 'ended' ? run.report : undefined;
  const record: SyncRecord = {
    key,
    beganAtMs: run.beganAtMs,
    durationMs: ports.clock.steadyMs() - run.beganSteadyMs,
    ...(edgeMs !== undefined && { edgeMs }),
    conflicts: run.conflicts,
    why: ofRun?.why ?? [],
    ...(ofRun?.observed && { observed: ofRun.observed }),
    writes: summarizeWrites(ofRun?.writes ?? []),
    ...(run.status === 'failed' && { error: run.error.message }),
    ...(traced && { traceId: traced.trace.context.traceId }),
    ...(traced?.waited && { waited: traced.waited }),
    ...ended,
  };
  onSync?.(record);
  const { observed: _, key: __, ...line } = record;
  const isWell = ['done', 'requeueAfter', 'conflict'].includes(ended.outcome) && ended.buried !== true;
  const level = isWell ? 'info' : 'warn';
  log({ level, msg: 'sync', key: encodeWorkKey(key), ...line });
  if (!tracing || !traced) return;
  const { outcome, error } = record;
  const attributes = { key: encodeWorkKey(key), outcome, writes: record.writes.join('; ') };
  const sync = { name: `sync ${key.controller}`, attributes, error };
  for (const span of spansOf(traced.trace, traced.moments, sync, ports.ids)) tracing.add(span);
}

/**
 * Releases a key's lock. Workers that met the lock have marked it, and their messages wait until the lock would have ended. So the key is sent again before the release. This is
 * repeated while there are new marks, because another worker may receive the message before the release, mark the lock and wait too. A worker that dies in between causes
 * one sync too many, never one too few.
 */
export async function releaseKey(
  ports: Pick<Ports, 'workQueue' | 'keyLocks'>,
  key: WorkKey,
  holder: string,
  item: KeyItem,
): Promise<'released' | 'lost'> {
  let coveredMarks = 0;
  for (;;) {
    const outcome = await ports.keyLocks.release(key, holder, item, coveredMarks);
    if (outcome.status !== 'dirty') return outcome.status;
    const { traces } = outcome;
    await ports.workQueue.send([{ key, ...(traces && { traces }) }]);
    coveredMarks = outcome.marks;
  }
}
