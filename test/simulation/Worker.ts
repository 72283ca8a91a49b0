import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { createControllers } from '../../lambdas/functions/sync/createControllers.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { SimulatedPodRuntime } from '../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import type { Controller } from '../../lambdas/controllers/Controller.ts';
import { createEnqueueHandler, type EnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import { createResyncHandler, type ResyncHandler } from '../../lambdas/functions/resync/createResyncHandler.ts';
import { createSyncHandler, type SyncHandler } from '../../lambdas/functions/sync/createSyncHandler.ts';
import { EMBEDDED_SYNC_CONFIG } from '../../lambdas/functions/sync/SyncConfig.ts';
import { PLAIN_HOLD_MS } from '../../lambdas/functions/limits.ts';
import { CONTROLLER_NAMES, type ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import { encodeWorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { ReceivedMessage } from '../../lambdas/ports/WorkQueue.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { SIMULATED_ENTRIES } from './bootstrap.ts';
import type { AuditedKeyLocks } from './AuditedKeyLocks.ts';
import type { AuditedStore } from './AuditedStore.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Gate, type GateParts } from './Gate.ts';
import { type CurrentLogs, gatedLog } from './gatedLog.ts';
import { GatedKeyLocks } from './GatedKeyLocks.ts';
import { GatedObjectStore, type Rivals } from './GatedObjectStore.ts';
import { GatedWorkQueue } from './GatedWorkQueue.ts';
import type { Mutation, Seams } from './Mutation.ts';
import type { Sender, SimulatedQueue } from './SimulatedQueue.ts';
import { currentTrail, SyncTrail } from './SyncTrail.ts';
import { watchSlowStart } from './watchSlowStart.ts';

/** Service accounts are left out: no rule here is about them. */
const CONTROLLERS: readonly ControllerName[] = [
  'deployment',
  'replicaset',
  'replicationcontroller',
  'pod',
  'scheduler',
  'garbagecollector',
  'namespace',
  'resourcequota',
];

/** The resources that the script touches: the garbage collector looks through all that is served. */
export const SERVED_RESOURCES = [
  'namespaces',
  'nodes',
  'pods',
  'replicationcontrollers',
  'deployments.apps',
  'replicasets.apps',
  'resourcequotas',
  'configmaps',
] as const;

function served(kinds: readonly ExtraKind[]) {
  const resources = new Set<string>([...SERVED_RESOURCES, ...kinds.flatMap((kind) => kind.resources)]);
  return SIMULATED_ENTRIES.filter(({ groupResource }) => resources.has(groupResource));
}

/** As on a cloud, where clocks differ: by two seconds at most. */
const SYNC_CONFIG = { ...EMBEDDED_SYNC_CONFIG, clockMarginMs: 2_000 };
/** So few deliveries that messages are replaced by fresh ones now and then. */
const FEW_RECEIVES = 3;

export interface WorkerParts extends GateParts {
  /** Those that the script has, besides the kinds of every script. */
  readonly kinds: readonly ExtraKind[];
  readonly store: AuditedStore;
  readonly keyLocks: AuditedKeyLocks;
  readonly queue: SimulatedQueue;
  readonly mutation: Mutation | undefined;
  readonly logs: CurrentLogs;
  readonly rivals: Rivals;
  /** The messages of failed syncs are replaced by fresh ones after a few deliveries. */
  readonly renewsEarly: boolean;
  /** Called when a sync has ended, unless it failed or met a conflict; `hasSettled` if it left nothing unfinished. */
  readonly onSyncEnd: (trail: SyncTrail, hasSettled: boolean) => void;
  readonly onFailure: (failure: string) => void;
}

export interface Worker {
  readonly name: string;
  readonly isDead: boolean;
  /** Called if it dies while it is at work. */
  onDeath: () => void;
  /** Ends it at once, as the end of its process would. */
  kill(): void;
  readonly sync: SyncHandler;
  readonly enqueue: EnqueueHandler;
  readonly resync: ResyncHandler;
}

/** One instance of the functions, with all real handlers and controllers in it. Its own gate stands before everything that it reaches. */
export function createWorker(name: string, parts: WorkerParts): Worker {
  const { trace } = parts;
  const seams = parts.mutation?.seams() ?? {};
  let isDead = false;
  const gate = new Gate(name, parts, 'worker', () => {
    isDead = true;
    worker.onDeath();
  });
  const ids = new SeededIds(parts.random.integer(0, 0xffffffff));
  const keyLocks = new GatedKeyLocks(parts.keyLocks, gate);
  const queueOf = (sender: Sender) => {
    const queue = new GatedWorkQueue(parts.queue, gate, sender);
    return seams.workQueue?.(queue) ?? queue;
  };
  const ports = {
    keyLocks: seams.keyLocks?.(keyLocks) ?? keyLocks,
    workQueue: queueOf('sync'),
    podRuntime: new SimulatedPodRuntime(),
    clock: gate,
    workClock: gate,
    ids,
  };
  const log = (line: Readonly<Record<string, unknown>>) => trace.add(`  ${name} ${JSON.stringify(line)}`);
  const names = namesOf(parts.kinds);
  const controllers = names.flatMap((controller) => createController(controller, parts, seams, gate, ports, log));
  const metrics = { began: () => () => {}, retried: () => {}, alarmed: () => {} };
  const asked = { ...SYNC_CONFIG, ...(parts.renewsEarly && { renewAfterReceives: FEW_RECEIVES }) };
  const config = seams.syncConfig?.(asked) ?? asked;
  const sync = createSyncHandler({ ports, controllers, config, metrics, log });
  const enqueue = createEnqueueHandler({ workQueue: queueOf('change'), controllers, clock: gate, log });
  const objectStore = new GatedObjectStore(parts.store, gate, 'resync', parts.rivals);
  const worker: Worker = {
    name,
    get isDead() {
      return isDead;
    },
    onDeath: () => {},
    kill: () => gate.kill(),
    sync: seams.syncHandler?.(sync, (message) => parts.queue.acknowledge(message)) ?? sync,
    enqueue: seams.enqueueHandler?.(enqueue) ?? enqueue,
    resync: createResyncHandler({ ports: { ...ports, objectStore }, controllers, log }),
  };
  return worker;
}

function namesOf(kinds: readonly ExtraKind[]): readonly ControllerName[] {
  return [...CONTROLLERS, ...kinds.flatMap(({ controllers }) => controllers)];
}

type WorkerPorts = Omit<Parameters<typeof createControllers>[0]['ports'], 'objectStore'>;

/** Each controller has a store of its own, so that the audit knows whose write it is. */
function createController(
  name: ControllerName,
  parts: WorkerParts,
  seams: Seams,
  gate: Gate,
  ports: WorkerPorts,
  log: (line: Readonly<Record<string, unknown>>) => void,
): readonly Controller[] {
  const gated = new GatedObjectStore(parts.store, gate, name, parts.rivals);
  const objectStore = seams.objectStore?.(gated, name) ?? gated;
  const exactLog = gatedLog(parts.logs, gate, name);
  const real = createRegistry({
    objectStore,
    clock: gate,
    ids: ports.ids,
    catalog: createResourceCatalog(SIMULATED_ENTRIES),
  });
  const watched = watchSlowStart(real, parts.onFailure);
  const registry = seams.registry?.(watched, name) ?? watched;
  const controllers = createControllers({
    ports: { ...ports, objectStore },
    registry,
    catalog: createResourceCatalog(served(parts.kinds)),
    config: CONFIGS[name],
    lateCreatesMs: 1_000,
    sharesObjects: true,
    exactLog: seams.exactLog?.(exactLog, name) ?? exactLog,
    plainHoldMs: PLAIN_HOLD_MS,
    log,
  });
  return controllers
    .filter((controller) => controller.name === name)
    .map((controller) => tracked(seams.controller?.(controller) ?? controller, parts));
}

/** The controller, each of whose syncs leaves a trail. */
export function tracked(
  controller: Controller,
  { scheduler, onSyncEnd }: Pick<WorkerParts, 'scheduler' | 'onSyncEnd'>,
): Controller {
  return {
    ...controller,
    sync: async (key, context) => {
      const trail = new SyncTrail(key, scheduler.now(), context.item.intent);
      const report = await currentTrail.run(trail, () => controller.sync(key, context));
      const { outcome } = report;
      const isUnfinished = outcome.status === 'requeueAfter' && outcome.delayMs === 0;
      if (outcome.status !== 'conflict') onSyncEnd(trail, !isUnfinished);
      return report;
    },
  };
}

/** Each of these has to know that the other runs. */
const TOGETHER: readonly ControllerName[] = ['pod', 'scheduler'];

/** For each controller the configuration in which it is the only one, but for the one that it works with. */
const CONFIGS = Object.fromEntries(
  CONTROLLER_NAMES.map((name) => {
    const isEnabled = (other: ControllerName) =>
      other === name || (TOGETHER.includes(name) && TOGETHER.includes(other));
    const controllers = CONTROLLER_NAMES.map((other) => [other, { enabled: isEnabled(other) }] as const);
    return [name, parseConfig({ controllers: Object.fromEntries(controllers) })];
  }),
) as Record<ControllerName, ReturnType<typeof parseConfig>>;

/** `replicaset:a/web-1`, for the trace. */
export function messagesText(messages: readonly ReceivedMessage[]): string {
  return messages.map(({ key, receiveCount }) => `${encodeWorkKey(key)} (${receiveCount})`).join(', ');
}
