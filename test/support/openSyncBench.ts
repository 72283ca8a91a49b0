import { WORK_QUEUE } from '../../infra/topology.ts';
import { EmbeddedKeyLocks } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { createSyncs } from '../../lambdas/functions/sync/createSyncs.ts';
import { SyncHistory } from '../../lambdas/explain/SyncHistory.ts';
import { steadyClock } from '../../lambdas/ports/Clock.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage } from '../../lambdas/ports/WorkQueue.ts';
import { FakeController } from './FakeController.ts';

/** The key of the Deployment `web`. */
export const WEB: WorkKey = { controller: 'deployment', namespace: 'default', name: 'web' };

const CONFIG = {
  syncTimeoutMs: 30_000,
  lockMarginMs: 15_000,
  clockMarginMs: 0,
  renewAfterReceives: 50,
  messageLastsMs: 45_000,
};

/** The sync function over an embedded queue and embedded locks, with a controller whose syncs a test decides. */
export function openSyncBench(maxRetries?: number) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const queue = new EmbeddedWorkQueue({ ...WORK_QUEUE, clock: steadyClock(clock) });
  const locks = new EmbeddedKeyLocks();
  const controller = new FakeController(maxRetries);
  const history = new SyncHistory();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const alarms: string[] = [];
  let holders = 0;
  const { sync: handler, followUps } = createSyncs({
    ports: {
      clock,
      workClock: steadyClock(clock),
      workQueue: queue,
      keyLocks: locks,
      ids: { uid: () => `holder-${(holders += 1)}`, nameSuffix: () => 'bcdfg', random: () => 0 },
    },
    controllers: [controller],
    config: CONFIG,
    metrics: { began: () => () => {}, retried: () => {}, alarmed: (key) => alarms.push(key.name) },
    log: (line) => lines.push(line),
    onSync: (record) => history.add(record),
  });

  async function receive(): Promise<readonly ReceivedMessage[]> {
    const stop = new AbortController();
    const asked = Array.from({ length: 10 }, () => queue.receive('deployment', stop.signal));
    stop.abort();
    return (await Promise.all(asked)).filter((message) => message !== undefined);
  }

  /** Handles the messages that are visible now, acknowledges those that the handler acknowledges, and returns the outcomes by key. */
  async function work(): Promise<Record<string, string>> {
    const outcomes = await handler(await receive());
    for (const { message, outcome } of outcomes) if (outcome === 'acknowledge') queue.acknowledge(message);
    return Object.fromEntries(outcomes.map(({ message, outcome }) => [message.key.name, outcome]));
  }

  return { clock, queue, locks, controller, history, lines, alarms, handler, followUps, receive, work };
}
