import { FUNCTIONS, OVERDUE_GRACE_MS } from '../../infra/topology.ts';
import { EmbeddedKeyLocks } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { encodeWorkKey, parseWorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { EnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../lambdas/objects/kinds.ts';
import type { ChangeLog } from '../../lambdas/ports/ChangeLog.ts';
import type { ReceivedMessage } from '../../lambdas/ports/WorkQueue.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { AuditedKeyLocks } from './AuditedKeyLocks.ts';
import { type AuditedWrite, AuditedStore } from './AuditedStore.ts';
import { Auditor } from './Auditor.ts';
import { Client } from './Client.ts';
import { describeOp, type Script } from './ClientOp.ts';
import { drawWithKinds, EXTRA_KINDS } from './extraKinds.ts';
import { Evictions } from './Evictions.ts';
import { drawFaultRates, FaultPlan, NO_FAULTS } from './FaultPlan.ts';
import { bootstrap, SIMULATED_ENTRIES } from './bootstrap.ts';
import { canRun } from './ends/canRun.ts';
import { IdleKeys } from './checks/IdleKeys.ts';
import { createRivals } from './createRivals.ts';
import { formatMs, Gate, type GateParts } from './Gate.ts';
import { GatedObjectStore, NO_RIVALS } from './GatedObjectStore.ts';
import { StoredIntents } from './StoredIntents.ts';
import type { Mutation, Watch } from './Mutation.ts';
import { PodTroubles } from './PodTroubles.ts';
import { Random } from './Random.ts';
import { Scheduler } from './Scheduler.ts';
import { SimulatedQueue } from './SimulatedQueue.ts';
import { SimulatedStream } from './SimulatedStream.ts';
import { Trace } from './Trace.ts';
import { messagesText, SERVED_RESOURCES, type WorkerParts } from './Worker.ts';
import { WorkerPool } from './WorkerPool.ts';
import { History } from './History.ts';
import { Watcher } from './Watcher.ts';
import { watchOf } from './watchOf.ts';
import { World } from './World.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const OVERDUE_PERIOD_MS = FUNCTIONS.resync.trigger.periods.overdueMs;
const CONCURRENT_SYNCS = 6;
/** Enough for most runs as a whole. */
const TRACED_LINES = 8_000;
/** Few, so that a watcher that was away comes too late now and then. */
const RETAINED_CHANGES = 40;
/** Longer than any deadline, backoff or stall lasts, one after the other. */
const SETTLE_LIMIT_MS = 4 * 3_600_000;
const EVENT_LIMIT = 80_000;

/** The watches: of each resource as a whole, and of the pods that one label `app` selects. */
const WATCHED: readonly (readonly [resource: string, app: string])[] = [
  ['pods', 'web'],
  ...SERVED_RESOURCES.map((resource) => [resource, ''] as const),
];

export interface SimulationOptions {
  readonly seed: number;
  readonly withFaults: boolean;
  readonly mutation?: Mutation | undefined;
  /** More events than these count as endless work. Absent: more than any sound world needs. */
  readonly maxEvents?: number | undefined;
}

/** One world: a store, a queue, a stream, clients, and any number of workers with the real handlers in them, all in simulated time and by one seed. */
export class Simulation {
  readonly trace = new Trace(TRACED_LINES);
  readonly script: Script;
  readonly world = new World();
  readonly scheduler: Scheduler;
  readonly keyLocks: AuditedKeyLocks;
  readonly queue: SimulatedQueue;
  readonly #auditor: Auditor;
  readonly #idleKeys: IdleKeys;
  readonly #journal = new MemoryJournal();
  readonly #intents = new StoredIntents();
  readonly #logs: { changeLog: ChangeLog };
  readonly #faults: FaultPlan;
  readonly #parts: WorkerParts;
  readonly #workers: WorkerPool;
  readonly #stream: SimulatedStream;
  readonly #troubles: PodTroubles;
  readonly #client: Client;
  readonly #histories = new Map<string, History>();
  readonly #watchers: readonly Watcher[];
  readonly #maxEvents: number;
  #syncs = 0;
  #opsLeft: number;
  failure: string | undefined;

  constructor(options: SimulationOptions) {
    const { seed, withFaults, mutation, maxEvents = EVENT_LIMIT } = options;
    this.#maxEvents = maxEvents;
    const random = new Random(seed);
    this.script = drawWithKinds(random.fork(), seed, EXTRA_KINDS);
    const rates = drawFaultRates(random.fork(), this.script, seed);
    this.#faults = new FaultPlan(withFaults ? rates : NO_FAULTS);
    this.scheduler = new Scheduler(START_MS, random.fork());
    const throttling = { untilMs: 0 };
    const gateParts: GateParts = {
      scheduler: this.scheduler,
      random: random.fork(),
      faults: this.#faults,
      trace: this.trace,
      throttling,
      underWay: new Map(),
    };
    const { objectStore, changeLog } = this.#open();
    this.#logs = { changeLog };
    this.keyLocks = new AuditedKeyLocks(new EmbeddedKeyLocks(this.#intents), {
      onIntent: (trail, intent) => this.#auditor.onIntent(trail, intent),
      onAcquire: (key) => this.#idleKeys.onAcquire(key),
      onRelease: (key, item) => {
        this.queue.onRelease(key, item);
        this.#idleKeys.onRelease(key, item);
      },
    });
    const store = new AuditedStore(objectStore, this.world, (write) => this.#audit(write));
    this.queue = new SimulatedQueue({ ...gateParts, random: random.fork() }, () => this.#dispatch());
    this.#parts = {
      ...gateParts,
      store,
      keyLocks: this.keyLocks,
      queue: this.queue,
      mutation,
      logs: this.#logs,
      kinds: EXTRA_KINDS.filter((kind) => kind.isDrawn(seed)),
      rivals: createRivals(gateParts, store, this.world),
      renewsEarly: seed % 3 === 2,
      onSyncEnd: (trail, hasSettled) => {
        const violation = this.#auditor.onSyncEnd(trail, hasSettled, this.scheduler.now());
        if (violation !== undefined) this.#fail(violation);
      },
      onFailure: (failure) => this.#fail(failure),
    };
    this.#workers = new WorkerPool(this.#parts);
    this.#idleKeys = new IdleKeys(gateParts, this.queue, (failure) => this.#fail(failure));
    this.#stream = new SimulatedStream({ ...gateParts, random: random.fork() }, (onDeath) => this.#enqueue(onDeath));
    this.#troubles = new PodTroubles({ ...gateParts, random: random.fork() }, store, this.world, this.queue);
    this.#client = this.#createClient(store, gateParts, random, options);
    this.#watchers = WATCHED.map(([resource, app]) =>
      this.#createWatcher(store, { ...gateParts, random: random.fork() }, resource, app, watchOf(options)),
    );
    this.#auditor = new Auditor(this.world);
    this.#opsLeft = this.script.ops.length;
  }

  /** Runs the script with its faults, and then without until nothing is left to do. `failure` says what went wrong. */
  async run(): Promise<void> {
    await bootstrap(this.#parts.store, this.scheduler, this.#parts.kinds);
    for (const { atMs, op } of this.script.ops) this.scheduler.after(atMs, () => this.#begin(op));
    for (const { atMs, what } of this.script.upkeep) {
      this.scheduler.after(atMs, () => (what === 'restart' ? this.#restart() : this.#resyncAll()));
    }
    this.scheduler.after(this.script.endMs, () => this.#stopFaults());
    this.#troubles.start();
    for (const watcher of this.#watchers) watcher.start();
    this.#lookForOverdue();
    const limitMs = START_MS + this.script.endMs + SETTLE_LIMIT_MS;
    while (!this.failure && (this.#isAtWork() || !(await this.#isQuiet()))) {
      if (this.scheduler.eventCount > this.#maxEvents) this.#fail(`it is still busy after ${this.#maxEvents} events`);
      if (!(await this.scheduler.step(limitMs))) this.#fail(this.#restlessness());
    }
    for (const watcher of this.#watchers) watcher.stop();
  }

  #begin(op: Script['ops'][number]['op']): void {
    const done = async () => {
      await this.#client.begin(op);
      this.#opsLeft -= 1;
    };
    done().catch((error: unknown) => this.#fail(`${describeOp(op)} was answered with ${String(error)}`));
  }

  #stopFaults(): void {
    this.trace.add(`${formatMs(this.scheduler.now())} from here on nothing goes wrong any more`);
    this.#faults.stop(this.scheduler.now());
  }

  #open() {
    return openEmbeddedStore({
      journal: this.#journal,
      clock: this.scheduler,
      retainedChanges: RETAINED_CHANGES,
    });
  }

  /** The one process that everything runs in ends and starts again: from the journal and the intents, with no lock, no message and no change under way. */
  #restart(): void {
    this.trace.add(`${formatMs(this.scheduler.now())} everything restarts`);
    this.#workers.kill();
    const { objectStore, changeLog } = this.#open();
    this.#parts.store.reopen(objectStore);
    this.#logs.changeLog = changeLog;
    for (const watcher of this.#watchers) watcher.disconnect();
    this.keyLocks.reopen(new EmbeddedKeyLocks(this.#intents));
    this.queue.clear();
    this.#stream.clear();
    this.#idleKeys.clear();
    this.#resyncAll();
  }

  /** Queues every key, and tries again until that has succeeded. */
  #resyncAll(): void {
    let isOver = false;
    const again = () => {
      if (!isOver) this.scheduler.after(1_000, () => this.#resyncAll());
      isOver = true;
    };
    const worker = this.#workers.take(again);
    const resync = async () => {
      await worker.resync({ what: 'all' });
      isOver = true;
    };
    resync()
      .catch(again)
      .finally(() => this.#workers.giveBack(worker));
  }

  #createClient(store: AuditedStore, parts: GateParts, random: Random, { mutation }: SimulationOptions): Client {
    const gate = new Gate('client', parts, 'client');
    const objectStore = new GatedObjectStore(store, gate, 'client', NO_RIVALS);
    const registry = this.#registry(objectStore, random.integer(0, 0xffffffff));
    const evicting = mutation?.seams().evictions?.(registry) ?? registry;
    const evictions = new Evictions(evicting, gate, this.trace);
    return new Client(registry, evictions, this.scheduler, this.trace);
  }

  #createWatcher(store: AuditedStore, parts: GateParts, resource: string, app: string, watch?: Watch): Watcher {
    const gate = new Gate('watcher', parts, 'client');
    const objectStore = new GatedObjectStore(store, gate, 'watcher', NO_RIVALS);
    const registry = this.#registry(objectStore, 0);
    const history = this.#histories.get(resource) ?? new History(resource);
    this.#histories.set(resource, history);
    const matches = ({ metadata }: KubernetesObject) => app === '' || metadata.labels?.['app'] === app;
    const onFailure = (failure: string) => this.#fail(failure);
    const logs = this.#logs;
    const dependencies = {
      registry,
      get changeLog() {
        return logs.changeLog;
      },
    };
    return new Watcher({ ...parts, dependencies, history, resource, matches, onFailure, watch });
  }

  #registry(objectStore: GatedObjectStore, seed: number): Registry {
    const catalog = createResourceCatalog(SIMULATED_ENTRIES);
    return createRegistry({ objectStore, clock: this.scheduler, ids: new SeededIds(seed), catalog });
  }

  #audit(write: AuditedWrite): void {
    this.#histories.get(write.change.resource)?.append(write.change);
    const violation = this.#auditor.onWrite(write, this.scheduler.now());
    if (violation !== undefined) this.#fail(violation);
    if (write.change.resource !== 'nodes' || this.#parts.kinds.some(({ changesNodes }) => changesNodes))
      this.#stream.append(write.change);
  }

  #enqueue(onDeath: () => void): EnqueueHandler {
    const worker = this.#workers.take(onDeath);
    return async (changes) => {
      const failed = await worker.enqueue(changes);
      this.#workers.giveBack(worker);
      return failed;
    };
  }

  /** Starts a function for each batch of messages, a few at a time, as an event source mapping does. */
  #dispatch(): void {
    while (this.#syncs < CONCURRENT_SYNCS && !this.failure) {
      const messages = this.queue.receive();
      if (messages.length === 0) return;
      this.#sync(messages);
    }
  }

  #sync(messages: ReceivedMessage[]): void {
    let isOver = false;
    this.#syncs += 1;
    const end = () => {
      if (!isOver) this.#syncs -= 1;
      isOver = true;
      this.scheduler.after(0, () => this.#dispatch());
    };
    const worker = this.#workers.take(end);
    for (const { key } of messages) this.#idleKeys.onReceive(key);
    this.trace.add(`${formatMs(this.scheduler.now())} ${worker.name} gets ${messagesText(messages)}`);
    const work = async () => {
      for (const { message, outcome } of await worker.sync(messages))
        if (outcome === 'acknowledge') this.queue.acknowledge(message);
      for (const { key } of messages) this.#idleKeys.onHandled(key);
      this.#workers.giveBack(worker);
      end();
    };
    void work();
  }

  #lookForOverdue(): void {
    this.scheduler.setTimer(OVERDUE_PERIOD_MS, () => {
      const worker = this.#workers.take(() => {});
      worker
        .resync({ what: 'overdue', graceMs: OVERDUE_GRACE_MS })
        .catch(() => 0)
        .finally(() => this.#workers.giveBack(worker));
      this.#lookForOverdue();
    });
  }

  #isAtWork(): boolean {
    return this.#opsLeft > 0 || this.scheduler.pendingWork > 0;
  }

  /**
   * Nobody has anything left to do, now or later, but for kubelets that try again and again to pull an image which cannot be pulled. Keys that were given up after too many failures
   * are redriven once the faults are over, as the operator whom the alarm calls would do.
   */
  async #isQuiet(): Promise<boolean> {
    const isEndless = (encoded: string) => this.#isEndless(encoded);
    const nowMs = this.scheduler.now();
    if (this.queue.size > 0 && !(this.queue.keys.every(isEndless) && this.queue.keysVisibleBy(nowMs).length === 0))
      return false;
    const given = this.queue.deadLetters.splice(0);
    if (given.length > 0) {
      this.trace.add(`the operator redrives ${given.map(encodeWorkKey).join(', ')}`);
      this.queue.send(
        given.map((key) => ({ key })),
        'operator',
      );
      return false;
    }
    const waking = await this.keyLocks.overdue(Number.POSITIVE_INFINITY, 1_000);
    return this.#syncs === 0 && waking.map(encodeWorkKey).every(isEndless);
  }

  #isEndless(encoded: string): boolean {
    const key = parseWorkKey(encoded);
    const pod = key?.controller === 'pod' ? this.world.get<Pod>('pods', key.namespace, key.name) : undefined;
    return pod !== undefined && pod.metadata.deletionTimestamp === undefined && !canRun(pod.spec && { spec: pod.spec });
  }

  #restlessness(): string {
    return `it does not come to rest: ${this.#opsLeft} requests of the client, ${this.scheduler.pendingWork} events, and in the queue ${this.queue.keys.join(', ') || 'nothing'}`;
  }

  #fail(failure: string): void {
    if (this.failure !== undefined) return;
    this.trace.add(`${formatMs(this.scheduler.now())} FAILURE: ${failure}`);
    this.failure = failure;
  }
}
