import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import { parseWorkKey } from '../../lambdas/ports/WorkKey.ts';
import { ENDS } from './ends/ENDS.ts';
import type { World } from './World.ts';

/** What is left when a run has ended. */
export interface EndedRun {
  readonly world: World;
  readonly scheduler: Pick<Clock, 'now'>;
  readonly keyLocks: Pick<KeyLocks, 'peek'>;
  readonly queue: {
    readonly seenKeys: ReadonlySet<string>;
    messagesOf(key: string): readonly unknown[];
  };
}

/** The controllers that the simulations run, and whose work they judge. */
const JUDGED: readonly ControllerName[] = [
  'deployment',
  'scheduler',
  'replicaset',
  'replicationcontroller',
  'job',
  'cronjob',
  'disruption',
  'daemonset',
  'statefulset',
  'garbagecollector',
  'namespace',
];

/** Once faults have stopped and nothing is left to do, everything is as the specs say. Returns the first thing that is not. */
export async function checkEnd(simulation: EndedRun): Promise<string | undefined> {
  const { world, scheduler } = simulation;
  for (const name of JUDGED) {
    const wrong = ENDS[name](world, scheduler.now());
    if (wrong !== undefined) return wrong;
  }
  return (await leftIntent(simulation)) ?? (await forgottenFailure(simulation));
}

/** No intent is left behind, also none of an object that is gone. The one of a CronJob is what its key remembers, and so is one of a DaemonSet without requests, and one of a StatefulSet that only names creates which may come late. */
async function leftIntent({ world, keyLocks, queue }: EndedRun): Promise<string | undefined> {
  for (const encoded of queue.seenKeys) {
    const key = parseWorkKey(encoded);
    const item = key && (await keyLocks.peek(key));
    const isMemory =
      (key?.controller === 'cronjob' && world.get('cronjobs.batch', key.namespace, key.name)) ||
      (item?.intent &&
        (key?.controller === 'daemonset' || 'late' in (item.intent.memory ?? {})) &&
        item.intent.count + item.intent.deletes.length === 0);
    if (item?.intent && !isMemory) return `an intent of ${encoded} was left behind`;
  }
  return undefined;
}

/** A key whose last sync failed is tried again: its message is still there. */
async function forgottenFailure({ keyLocks, queue }: EndedRun): Promise<string | undefined> {
  for (const encoded of queue.seenKeys) {
    const key = parseWorkKey(encoded);
    const failures = (key && (await keyLocks.peek(key)))?.failures ?? 0;
    if (failures > 0 && queue.messagesOf(encoded).length === 0)
      return `${encoded} has failed ${failures} times in a row, and nobody tries it again`;
  }
  return undefined;
}
