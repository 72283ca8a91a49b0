import type { Controller } from '../../controllers/Controller.ts';
import { type Causes, joinCauses } from '../../ports/Causes.ts';
import type { Intent, KeyItem } from '../../ports/KeyLocks.ts';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyTrace } from '../../ports/TraceContext.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';
import { chooseSyncTrace, type SyncTrace } from './SyncTrace.ts';
import { decideMessage, isSatisfied } from './decideMessage.ts';
import { concludeSync, type HeldLock, releaseKey } from './concludeSync.ts';
import { runSync } from './runSync.ts';
import { WorkTime } from './WorkTime.ts';
import type { MessageOutcome, SyncDependencies } from './SyncDependencies.ts';

export type SyncHandler = (messages: readonly ReceivedMessage[]) => Promise<readonly MessageOutcome[]>;

/**
 * Creates the worker of client-go's controllers (`processNextWorkItem`), on a durable queue: it syncs the keys of a batch of messages, each under its lock. Messages of the same key count as one: the
 * sync for the message that was due last satisfies all of them. If that message is kept, it brings the key back, so the others can be acknowledged. Never rejects: a message whose handling fails
 * is kept.
 */
export function createSyncHandler(dependencies: SyncDependencies): SyncHandler {
  return async (messages) => {
    const groups = new Map<string, ReceivedMessage[]>();
    for (const message of messages) {
      const encoded = encodeWorkKey(message.key);
      groups.set(encoded, [...(groups.get(encoded) ?? []), message]);
    }
    const outcomes = await Promise.all([...groups.values()].map((group) => handleGroup(dependencies, group)));
    return outcomes.flat();
  };
}

async function handleGroup(
  dependencies: SyncDependencies,
  group: readonly ReceivedMessage[],
): Promise<readonly MessageOutcome[]> {
  const [first, ...others] = [...group].sort((a, b) => b.dueAtMs - a.dueAtMs) as [ReceivedMessage];
  try {
    const receivedAtMs = Math.max(...group.map((message) => message.receivedAtMs));
    const outcome = await handleMessage(dependencies, first, {
      time: new WorkTime(dependencies.ports, receivedAtMs),
      ...causesOf(group),
      ...traceOf(dependencies, group),
    });
    return [{ message: first, outcome }, ...others.map((message) => ({ message, outcome: 'acknowledge' as const }))];
  } catch (error) {
    dependencies.log({ level: 'error', msg: 'message kept', key: encodeWorkKey(first.key), error: String(error) });
    return group.map((message) => ({ message, outcome: 'keep' as const }));
  }
}

/** What is known of the messages of a key together. */
interface Group {
  readonly time: WorkTime;
  /** The changes for which they were sent, as far as they are known. */
  readonly known: Causes;
  /** The same; absent if one of the messages was sent for another reason. */
  readonly causes?: Causes;
  /** The trace to which their sync belongs, if any. */
  readonly trace?: SyncTrace;
}

function causesOf(messages: readonly ReceivedMessage[]): Pick<Group, 'known' | 'causes'> {
  const known = messages.map(({ causes }) => causes ?? new Set<string>()).reduce(joinCauses);
  return { known, ...(messages.every(({ causes }) => causes !== undefined) && { causes: known }) };
}

function traceOf(
  { tracing, ports }: SyncDependencies,
  group: readonly ReceivedMessage[],
): { readonly trace?: SyncTrace } {
  const trace = tracing && chooseSyncTrace(group, ports.clock.now(), ports.ids);
  return trace ? { trace } : {};
}

async function handleMessage(
  dependencies: SyncDependencies,
  message: ReceivedMessage,
  { time, known, causes, trace }: Group,
): Promise<MessageOutcome['outcome']> {
  const { ports, config } = dependencies;
  const controller = dependencies.controllers.find(({ name }) => name === message.key.controller);
  // The controller is switched off. When it is switched on again, every key is queued.
  if (!controller) return 'acknowledge';
  const nowMs = time.now();
  const { dueAtMs } = message;
  const asked = { dueAtMs, ...(causes && { causes }) };
  if (message.receiveCount > 1 && (await isDone(dependencies, message.key, asked, nowMs))) return 'acknowledge';
  const holder = ports.ids.uid();
  const deadlineMs = ports.workClock.now() + config.syncTimeoutMs;
  const untilMs = nowMs + config.syncTimeoutMs + config.lockMarginMs;
  const acquired = await ports.keyLocks.acquire(message.key, holder, nowMs, untilMs, tracesOf(trace));
  const decision = decideMessage(asked, acquired, nowMs, config.clockMarginMs);
  switch (decision.action) {
    case 'wait':
      await ports.workQueue.hide(message, decision.hideMs);
      return 'keep';
    case 'satisfied':
      return (await releaseKey(ports, message.key, holder, decision.item)) === 'lost' ? 'keep' : 'acknowledge';
    case 'sync':
      return await syncUnderLock(dependencies, controller, message, {
        holder,
        deadlineMs,
        untilMs,
        time,
        causes: known,
        item: decision.item,
        edgeMs: edgeMsOf(message, known, decision.item, time),
        trace,
      });
  }
}

/** How long the changes of this message have waited; `undefined` if it was sent for none, or comes back after a failure. */
function edgeMsOf(
  { dueAtMs }: ReceivedMessage,
  causes: Causes,
  { failures }: KeyItem,
  time: WorkTime,
): number | undefined {
  return causes.size === 0 || failures > 0 ? undefined : Math.max(0, time.now() - dueAtMs);
}

/**
 * Says whether a message that comes again is satisfied by now. A message that met a held lock waits until the lock ends. By then the holder has sent the key again, so most of those messages are satisfied. A sync
 * that ended well stays so, even if another worker has the lock now, so it is enough to read. If all of these messages tried to take the lock, they would come at one time, meet each other, mark the lock,
 * cause one more sync each time, and wait together again.
 */
async function isDone(
  { ports, config }: SyncDependencies,
  key: ReceivedMessage['key'],
  asked: Pick<ReceivedMessage, 'dueAtMs' | 'causes'>,
  nowMs: number,
): Promise<boolean> {
  const item = await ports.keyLocks.peek(key);
  return item !== undefined && isSatisfied(asked, item, nowMs, config.clockMarginMs);
}

async function syncUnderLock(
  dependencies: SyncDependencies,
  controller: Controller,
  message: ReceivedMessage,
  lock: HeldLock,
): Promise<MessageOutcome['outcome']> {
  const { ports, metrics, tracing } = dependencies;
  const { key } = message;
  const recorded = { intent: lock.item.intent, isLost: false };
  const ended = metrics.began(key.controller, Math.max(0, lock.time.now() - message.dueAtMs));
  const start: Parameters<typeof runSync>[3] = {
    deadlineMs: lock.deadlineMs,
    // A sync that met a conflict begins anew, and must know what it has recorded itself.
    get item() {
      return withIntent(lock.item, recorded.intent);
    },
    recordIntent: async (intent) => {
      // Clearing is left to the release, which writes the item anyway. If this worker dies before that, the next holder reads an intent that has nothing left to settle.
      if (intent) recorded.isLost ||= (await ports.keyLocks.recordIntent(key, lock.holder, intent)) === 'lost';
      if (recorded.isLost) throw new Error(`the lock of ${encodeWorkKey(key)} ended and another worker has it`);
      recorded.intent = intent;
    },
  };
  const sync = () => runSync(ports, controller, key, start);
  // A follow-up must not belong to the trace of the sync that sent it, unless its own messages say so.
  const run = await (tracing ? tracing.run(lock.trace?.context, sync) : sync());
  ended();
  return await concludeSync(dependencies, controller, message, lock, run, recorded);
}

function tracesOf(trace: SyncTrace | undefined): readonly KeyTrace[] | undefined {
  return trace && [trace.cause, ...trace.links];
}

function withIntent(item: KeyItem, intent: Intent | undefined): KeyItem {
  const { intent: _, ...rest } = item;
  return intent ? { ...rest, intent } : rest;
}
