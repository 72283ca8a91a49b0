import type { SQSRecord } from 'aws-lambda';
import { decodeStreamRecord } from '../../../lambdas/adapters/aws/decodeStreamRecord.ts';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbKeyLocks } from '../../../lambdas/adapters/aws/DynamoDbKeyLocks.ts';
import { decodeQueueMessage } from '../../../lambdas/adapters/aws/queueMessage.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { bootstrapCluster } from '../../../lambdas/functions/resync/bootstrapCluster.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { encodeWorkKey, parseWorkKey } from '../../../lambdas/ports/WorkKey.ts';
import { CloudModel } from '../../model/cloud/CloudModel.ts';
import { MODEL_TABLES } from '../../model/cloud/environment.ts';
import type { RequestHooks } from '../../model/cloud/modelClients.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { Auditor } from '../Auditor.ts';
import { bootRegistry, bootstrap } from '../bootstrap.ts';
import { canRun } from '../checkEnd.ts';
import { IdleKeys } from '../checks/IdleKeys.ts';
import { Client } from '../Client.ts';
import { describeOp, type Script } from '../ClientOp.ts';
import { createRivals } from '../createRivals.ts';
import { drawScript } from '../drawScript.ts';
import { drawFaultRates, FaultPlan, NO_FAULTS } from '../FaultPlan.ts';
import { formatMs, Gate, type GateParts } from '../Gate.ts';
import { PodTroubles } from '../PodTroubles.ts';
import { Random } from '../Random.ts';
import { Scheduler } from '../Scheduler.ts';
import { Trace } from '../Trace.ts';
import { watchSlowStart } from '../watchSlowStart.ts';
import { tracked } from '../Worker.ts';
import { World } from '../World.ts';
import { createApiRegistry } from './ApiRegistry.ts';
import { CloudAudit, type ItemWrite } from './CloudAudit.ts';
import { CloudHistory } from './CloudHistory.ts';
import { passRest } from './CloudRest.ts';
import type { CloudMutation } from './CloudMutation.ts';
import { CloudQueue } from './CloudQueue.ts';
import { CloudWatcher } from './CloudWatcher.ts';
import { DirectStore } from './DirectStore.ts';
import { type CloudFaults, drawCloudFaults, NO_CLOUD_FAULTS } from './drawCloudFaults.ts';
import { drawRest, type Rest } from './drawRest.ts';
import { ObservedStore } from './ObservedStore.ts';
import { describeRequest } from './describeRequest.ts';
import { currentRequest } from './RequestContext.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const TRACED_LINES = 20_000;
const SETTLE_LIMIT_MS = 4 * 3_600_000;
const EVENT_LIMIT = 300_000;
/** How long a watcher may be behind when nothing happens any more: longer than its instance of the API may stand still. */
const WATCHER_PATIENCE_MS = 300_000;

const MEMORY_MB = { api: 512, authorize: 256, record: 512, enqueue: 512, sync: 512, resync: 512 };

/** Groups of the API that no check is about are switched off: with them every look of the garbage collector takes longer. */
const CONFIG = {
  controllers: { serviceaccount: { enabled: false } },
  apiVersions: { 'rbac.authorization.k8s.io/v1': false, 'coordination.k8s.io/v1': false },
};

const WATCHED = ['pods', 'pods', 'replicasets.apps', 'deployments.apps'] as const;

export interface CloudSimulationOptions {
  readonly seed: number;
  readonly withFaults: boolean;
  readonly mutation?: CloudMutation | undefined;
}

/** The stack over models of AWS' services, in simulated time and by one seed: the product's functions and adapters, a client, watchers, and everything that may go wrong between them. */
export class CloudSimulation {
  readonly trace = new Trace(TRACED_LINES);
  readonly script: Script;
  readonly world = new World();
  readonly scheduler: Scheduler;
  readonly keyLocks: DynamoDbKeyLocks;
  readonly queue: CloudQueue & { readonly seenKeys: ReadonlySet<string> };
  readonly #faults: FaultPlan;
  readonly #cloudFaults: CloudFaults;
  readonly #rest: Rest | undefined;
  readonly #withFaults: boolean;
  readonly #gateParts: GateParts;
  readonly #random: Random;
  readonly #dynamoDb: DynamoModel;
  readonly #cloud: CloudModel;
  readonly #direct: DirectStore;
  readonly #audit: CloudAudit;
  readonly #auditor: Auditor;
  readonly #idleKeys: IdleKeys;
  readonly #troubles: PodTroubles;
  readonly #client: Client;
  readonly #histories = new Map<string, CloudHistory>();
  readonly #watchers: readonly CloudWatcher[];
  #opsLeft = 0;
  #limitMs: number;
  #quietFromMs = 0;
  readonly #keepsEvents: boolean;
  #restingSinceMs: number | undefined;
  failure: string | undefined;

  constructor({ seed, withFaults, mutation }: CloudSimulationOptions) {
    const random = new Random(seed);
    this.script = drawScript(random.fork());
    const rates = drawFaultRates(random.fork(), this.script, seed);
    this.#faults = new FaultPlan(withFaults ? rates : NO_FAULTS);
    this.#cloudFaults = drawCloudFaults(random.fork(), !this.#faults.isOver, this.script.endMs);
    this.#rest = drawRest(random.fork(), this.script);
    this.#withFaults = withFaults;
    this.scheduler = new Scheduler(START_MS, random.fork());
    this.#random = random.fork();
    this.#keepsEvents = this.#random.chance(this.#rest ? 0.4 : 0.15);
    this.#gateParts = {
      scheduler: this.scheduler,
      random: random.fork(),
      faults: this.#faults,
      trace: this.trace,
      throttling: { untilMs: 0 },
      underWay: new Map(),
    };
    this.#auditor = new Auditor(this.world);
    this.#audit = this.#createAudit();
    this.#dynamoDb = this.#createDynamoDb(random.fork());
    const ids = new SeededIds(random.integer(0, 0xffffffff));
    const { client } = this.#dynamoDb;
    this.#direct = new DirectStore(client, this.scheduler, ids);
    const calls = new DynamoDbCalls({ client, clock: this.scheduler, ids });
    this.keyLocks = new DynamoDbKeyLocks({ calls, tableName: 'keys' });
    this.#cloud = this.#createCloud(random.fork(), mutation);
    const { work, deadLetters } = this.#cloud.queues;
    this.queue = Object.assign(new CloudQueue(work, deadLetters), { seenKeys: this.#audit.seenKeys });
    const onFailure = (failure: string) => this.#fail(failure);
    this.#idleKeys = new IdleKeys(this.#gateParts, this.queue, onFailure);
    this.#troubles = new PodTroubles(
      { ...this.#gateParts, random: random.fork() },
      this.#direct,
      this.world,
      this.queue,
    );
    const api = { api: this.#cloud.functions.api, random: random.fork(), rates: () => this.#faults.rates, onFailure };
    this.#client = new Client(createApiRegistry({ ...api, scheduler: this.scheduler }), this.scheduler, this.trace);
    const watched = withFaults ? [...WATCHED, ...(this.#keepsEvents ? ['events'] : [])] : WATCHED.slice(0, 1);
    this.#watchers = watched.map((resource, at) => this.#createWatcher(resource, `${resource}-${at}`, random.fork()));
    this.#limitMs = START_MS + this.script.endMs + SETTLE_LIMIT_MS;
  }

  /** Runs the script with its faults, and then without until nothing is left to do. `failure` says what went wrong. */
  async run(): Promise<void> {
    await this.#finish(() => this.#bootstrap());
    this.#plan(this.script.ops);
    for (const { atMs, what } of this.script.upkeep) {
      this.scheduler.after(atMs, () => (what === 'restart' ? this.#killAll() : this.#resyncAll()));
    }
    for (const { atMs, luck } of this.#cloudFaults.splits) {
      this.scheduler.after(atMs, () => this.#dynamoDb.splitPartition('objects', luck));
    }
    this.scheduler.after(this.script.endMs, () => this.#stopFaults());
    this.#quietFromMs = this.scheduler.now() + this.script.endMs;
    this.#troubles.start();
    for (const watcher of this.#watchers) watcher.start();
    this.#cloud.startSchedules();
    await this.#becomeQuiet();
    if (this.#rest) await this.#goOnAfter(this.#rest);
    for (const watcher of this.#watchers) watcher.stop();
  }

  /** Lets everything happen until nothing is left to do. */
  async #becomeQuiet(): Promise<void> {
    while (!this.failure && (this.#isAtWork() || !this.#isQuiet())) await this.#step();
  }

  async #step(): Promise<void> {
    if (this.scheduler.eventCount > EVENT_LIMIT) this.#fail(`it is still busy after ${EVENT_LIMIT} events`);
    if (!(await this.scheduler.step(this.#limitMs))) this.#fail(this.#restlessness());
  }

  /** Hours or days later users go on, and faults too. Without faults no time passes: it changes nothing. */
  async #goOnAfter(rest: Rest): Promise<void> {
    if (this.#withFaults && this.queue.size === 0) await passRest(rest, this.#restParts());
    else this.#plan(rest.unread?.ops ?? []);
    await this.#becomeQuiet();
    if (this.#withFaults) this.#resumeFaults();
    this.#plan(rest.ops);
    this.scheduler.after(rest.endMs, () => this.#stopFaults());
    this.#quietFromMs = this.scheduler.now() + rest.endMs;
    await this.#becomeQuiet();
  }

  #restParts() {
    return {
      scheduler: this.scheduler,
      trace: this.trace,
      cloud: this.#cloud,
      carryOut: async (ops: Script['ops']) => {
        this.#plan(ops);
        while (this.#opsLeft > 0) await this.scheduler.wait(1_000);
      },
      finish: (work: () => Promise<unknown>) => this.#finish(work),
      onLeap: (durationMs: number) => {
        this.#limitMs += durationMs;
        for (const watcher of this.#watchers) watcher.disconnect();
        for (const history of this.#histories.values()) history.age();
      },
      onLost: (records: readonly Parameters<typeof decodeStreamRecord>[0][]) => {
        for (const record of records) this.#lose(record);
      },
    };
  }

  #plan(ops: Script['ops']): void {
    this.#opsLeft += ops.length;
    for (const { atMs, op } of ops) this.scheduler.after(atMs, () => this.#begin(op));
  }

  async #bootstrap(): Promise<void> {
    await bootstrap(this.#direct, this.scheduler);
    const served = ['namespaces', 'services', 'endpoints'];
    await bootstrapCluster(bootRegistry(this.#direct, this.scheduler), served, [], this.scheduler.now());
  }

  /** Lets events happen until the work is done. */
  async #finish(work: () => Promise<unknown>): Promise<void> {
    const state = { isOver: false };
    const over = work().finally(() => {
      state.isOver = true;
    });
    while (!state.isOver && !this.failure) await this.#step();
    if (!this.failure) await over;
  }

  #createAudit(): CloudAudit {
    const locks = {
      onIntent: (...recorded: Parameters<Auditor['onIntent']>) => this.#auditor.onIntent(...recorded),
      onAcquire: (...acquired: Parameters<IdleKeys['onAcquire']>) => this.#idleKeys.onAcquire(...acquired),
      onRelease: (...released: Parameters<IdleKeys['onRelease']>) => this.#idleKeys.onRelease(...released),
    };
    return new CloudAudit(
      this.world,
      { now: () => this.scheduler.now(), rates: () => this.#faults.rates },
      locks,
      (write) => this.#judge(write),
      (failure) => this.#fail(failure),
    );
  }

  #judge(write: AuditedWrite): void {
    this.#historyOf(write.change.resource).append(write.change);
    const violation = this.#auditor.onWrite(write, this.scheduler.now());
    if (violation !== undefined) this.#fail(violation);
  }

  #createDynamoDb(random: Random): DynamoModel {
    const dynamoDb = new DynamoModel({ clock: this.scheduler, random, physics: this.#cloudFaults.physics });
    const onChange = {
      objects: (change: ItemWrite) => this.#audit.onObjectItem(change),
      keys: (change: ItemWrite) => this.#audit.onKeyItem(change),
    } as Readonly<Record<string, (change: ItemWrite) => void>>;
    for (const [name, definition] of Object.entries(MODEL_TABLES)) {
      const observe = onChange[name];
      dynamoDb.createTable(name, definition, observe && { onChange: observe });
    }
    return dynamoDb;
  }

  #createCloud(random: Random, mutation: CloudMutation | undefined): CloudModel {
    const broken = mutation?.create();
    const { account, streams } = this.#cloudFaults;
    return new CloudModel({
      ...account,
      streamMaxAgeMs: streams.maxAgeMs,
      scheduler: this.scheduler,
      random,
      dynamoDb: this.#dynamoDb,
      faults: () => ({ ...this.#faults.rates, restingShard: this.#faults.isOver ? 0 : streams.restingShard }),
      createProcess: (name, onDeath) => new Gate(name, this.#gateParts, 'worker', onDeath),
      hooks: HOOKS,
      dynamoDbOf: broken?.dynamoDb,
      sqsOf: broken?.sqs,
      invokeOf: broken?.invoke,
      seams: this.#seams(),
      memoryMb: MEMORY_MB,
      coldStartMs: 400,
      nodes: 2,
      config: CONFIG,
      log: (name, line) => this.trace.add(`  ${name} ${JSON.stringify(line)}`),
      onGivenUp: (name, records) => {
        if (name === 'record') for (const record of records) this.#lose(record);
      },
      onReceive: (records) => {
        for (const key of keysOf(records)) this.#idleKeys.onReceive(key);
      },
      onHandled: (records) => {
        for (const key of keysOf(records)) this.#idleKeys.onHandled(key);
      },
    });
  }

  #seams() {
    const rivals = createRivals(this.#gateParts, this.#direct, this.world);
    const landing = new Gate('landing', this.#gateParts, 'client');
    const parts = {
      rivals,
      nextOrder: () => this.#audit.nextOrder(),
      landFirst: (what: string) => landing.landFirst(what),
      keepsEvents: this.#keepsEvents,
    };
    const onSyncEnd = (...ended: [Parameters<Auditor['onSyncEnd']>[0], boolean]) =>
      this.#auditor.onSyncEnd(...ended, this.scheduler.now());
    return {
      objectStore: (store: ConstructorParameters<typeof ObservedStore>[0]) => new ObservedStore(store, parts),
      registry: (registry: Parameters<typeof watchSlowStart>[0]) =>
        watchSlowStart(registry, (failure) => this.#fail(failure)),
      controller: (controller: Parameters<typeof tracked>[0]) =>
        tracked(controller, { scheduler: this.scheduler, onSyncEnd }),
    };
  }

  #createWatcher(resource: string, name: string, random: Random): CloudWatcher {
    let started = 0;
    return new CloudWatcher({
      ...this.#gateParts,
      random,
      name,
      history: this.#historyOf(resource),
      connect: (onDeath) => {
        started += 1;
        const process = `watch-${name}-${started}`;
        return this.#cloud.openApiStore(new Gate(process, this.#gateParts, 'worker', onDeath), process);
      },
      onFailure: (failure) => this.#fail(failure),
    });
  }

  #lose(record: Parameters<typeof decodeStreamRecord>[0]): void {
    const decoded = decodeStreamRecord(record);
    if (decoded.status === 'change') this.#historyOf(decoded.change.resource).lose(decoded.change.version);
  }

  #historyOf(resource: string): CloudHistory {
    const history = this.#histories.get(resource) ?? new CloudHistory(resource);
    this.#histories.set(resource, history);
    return history;
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
    this.#dynamoDb.change(NO_CLOUD_FAULTS);
  }

  #resumeFaults(): void {
    this.#faults.resume();
    const { slowShard = 0, busyPartition = 0 } = this.#cloudFaults.physics;
    this.#dynamoDb.change({ slowShard, busyPartition });
  }

  #killAll(): void {
    this.trace.add(`${formatMs(this.scheduler.now())} a deployment ends all functions`);
    this.#cloud.killAll();
  }

  #resyncAll(): void {
    void this.#cloud.trigger('resync', { what: 'all' });
  }

  #isAtWork(): boolean {
    return this.#opsLeft > 0 || this.scheduler.pendingWork > 0;
  }

  /** Nobody has anything left to do, now or later, and every watcher knows all. Keys that were given up are redriven once the faults are over. */
  #isQuiet(): boolean {
    if (!this.#isResting()) {
      this.#restingSinceMs = undefined;
      return false;
    }
    this.#restingSinceMs ??= this.scheduler.now();
    const behind = this.#watchers.map((watcher) => watcher.behind()).find((place) => place !== undefined);
    if (behind !== undefined && this.scheduler.now() - this.#restingSinceMs > WATCHER_PATIENCE_MS)
      this.#fail(`a watcher does not get to know the end of ${behind}`);
    return behind === undefined;
  }

  #isResting(): boolean {
    const nowMs = this.scheduler.now();
    if (nowMs < this.#quietFromMs || this.#cloud.isBusy) return false;
    const isEndless = (encoded: string) => this.#isEndless(encoded);
    if (this.queue.size > 0 && !(this.queue.keys.every(isEndless) && this.queue.keysVisibleBy(nowMs).length === 0))
      return false;
    const given = this.queue.takeDeadLetters();
    if (given.length > 0) {
      this.trace.add(`the operator redrives ${given.map(encodeWorkKey).join(', ')}`);
      this.queue.send(given.map((key) => ({ key })));
      return false;
    }
    if (this.#cloud.queues.givenUp.size > 0) return false;
    return [...this.#audit.wakingKeys].every(isEndless);
  }

  #isEndless(encoded: string): boolean {
    const key = parseWorkKey(encoded);
    const pod = key?.controller === 'pod' ? this.world.get<Pod>('pods', key.namespace, key.name) : undefined;
    return pod !== undefined && pod.metadata.deletionTimestamp === undefined && !canRun(pod.spec && { spec: pod.spec });
  }

  #restlessness(): string {
    return `it does not come to rest: ${this.#opsLeft} requests of the client, ${this.scheduler.pendingWork} events, in the queue ${this.queue.keys.join(', ') || 'nothing'}, ${this.#cloud.queues.givenUp.size} notices, and ${this.#cloud.isBusy ? 'functions' : 'no function'} at work`;
  }

  #fail(failure: string): void {
    if (this.failure !== undefined) return;
    this.trace.add(`${formatMs(this.scheduler.now())} FAILURE: ${failure}`);
    this.failure = failure;
  }
}

const HOOKS: RequestHooks = {
  what: describeRequest,
  beforeEffect: (command) => {
    const request = currentRequest.getStore();
    const before = request?.before;
    if (!request || !before || !describeRequest(command).startsWith('[')) return undefined;
    request.before = undefined;
    return before();
  },
};

function keysOf(records: readonly SQSRecord[]) {
  return records.flatMap((record) => decodeQueueMessage(record)?.key ?? []);
}
