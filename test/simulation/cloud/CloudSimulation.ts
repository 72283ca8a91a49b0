import { REMEMBER_MS } from '../../../lambdas/functions/limits.ts';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbKeyLocks } from '../../../lambdas/adapters/aws/keys/DynamoDbKeyLocks.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { bootstrapCluster } from '../../../lambdas/functions/resync/bootstrapCluster.ts';
import type { CloudModel } from '../../model/cloud/CloudModel.ts';
import { MODEL_TABLES } from '../../model/cloud/environment.ts';
import type { TableRecord } from '../../model/dynamo/StreamShard.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import type { Release } from '../../releases/Release.ts';
import { Auditor } from '../Auditor.ts';
import { bootRegistry, bootstrap } from '../bootstrap.ts';
import { IdleKeys } from '../checks/IdleKeys.ts';
import { LateCreates } from '../checks/LateCreates.ts';
import { Client } from '../Client.ts';
import { describeOp, type Script } from '../ClientOp.ts';
import { drawWithKinds, EXTRA_KINDS } from '../extraKinds.ts';
import type { ExtraKind } from '../ExtraKind.ts';
import { Evictions } from '../Evictions.ts';
import { drawFaultRates, FaultPlan, NO_FAULTS } from '../FaultPlan.ts';
import { formatMs, Gate, type GateParts } from '../Gate.ts';
import { PodTroubles } from '../PodTroubles.ts';
import { Random } from '../Random.ts';
import { Scheduler } from '../Scheduler.ts';
import { Trace } from '../Trace.ts';
import { World } from '../World.ts';
import { createApiRegistry } from './ApiRegistry.ts';
import { CloudAudit, type CloudWrite, type ItemWrite } from './CloudAudit.ts';
import { CloudHistories } from './CloudHistories.ts';
import { passRest } from './CloudRest.ts';
import type { CloudMutation } from './CloudMutation.ts';
import { CloudQueue } from './CloudQueue.ts';
import { CloudQuiet } from './CloudQuiet.ts';
import { CloudWatcher } from './CloudWatcher.ts';
import { DirectStore } from './DirectStore.ts';
import { type CloudFaults, drawCloudFaults, NO_CLOUD_FAULTS } from './drawCloudFaults.ts';
import { drawRest, type Rest } from './drawRest.ts';
import { drawDeployments, type FunctionUpdate, MixedReleases } from './MixedReleases.ts';
import { openSimulatedCloud } from './openSimulatedCloud.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const TRACED_LINES = 20_000;
const SETTLE_LIMIT_MS = 4 * 3_600_000;
const EVENT_LIMIT = 300_000;
/** Distinguishes the draws of deployments from the others of a seed. */
const MIXED = 0x5eed;
const WATCHED = ['pods', 'pods', 'replicasets.apps', 'deployments.apps'] as const;

export interface CloudSimulationOptions {
  readonly seed: number;
  readonly withFaults: boolean;
  readonly mutation?: CloudMutation | undefined;
  /** The release before, which then runs beside this one. Without faults it does not. */
  readonly before?: Release | undefined;
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
  readonly #kinds: readonly ExtraKind[];
  readonly #withFaults: boolean;
  readonly #gateParts: GateParts;
  readonly #random: Random;
  readonly #dynamoDb: DynamoModel;
  readonly #cloud: CloudModel;
  readonly #direct: DirectStore;
  readonly #audit: CloudAudit;
  readonly #auditor: Auditor;
  readonly #lateCreates: LateCreates;
  readonly #idleKeys: IdleKeys;
  readonly #troubles: PodTroubles;
  readonly #client: Client;
  readonly #histories = new CloudHistories(() => this.scheduler.now() + this.#faults.worstClockErrorMs);
  readonly #watchers: readonly CloudWatcher[];
  #opsLeft = 0;
  #limitMs: number;
  readonly #quiet: CloudQuiet;
  readonly #keepsEvents: boolean;
  readonly #releases: MixedReleases | undefined;
  readonly #updates: readonly FunctionUpdate[];
  failure: string | undefined;

  constructor({ seed, withFaults, mutation, before }: CloudSimulationOptions) {
    const random = new Random(seed);
    this.#kinds = EXTRA_KINDS.filter((kind) => kind.isDrawn(seed));
    this.script = drawWithKinds(random.fork(), seed, EXTRA_KINDS);
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
    this.#auditor = new Auditor(this.world, REMEMBER_MS);
    this.#lateCreates = new LateCreates(this.world, rates);
    this.#audit = this.#createAudit();
    this.#dynamoDb = this.#createDynamoDb(random.fork());
    const ids = new SeededIds(random.integer(0, 0xffffffff));
    const { client } = this.#dynamoDb;
    this.#direct = new DirectStore(client, this.scheduler, ids);
    const calls = new DynamoDbCalls({ client, clock: this.scheduler, ids });
    this.keyLocks = new DynamoDbKeyLocks({ calls, tableName: 'keys' });
    // It draws from a seed of its own, so that a world is the same with one release and with two.
    const updates = new Random(seed ^ MIXED);
    this.#releases = withFaults && before ? new MixedReleases(before, updates.fork()) : undefined;
    this.#updates = this.#releases ? drawDeployments(updates, this.script.endMs) : [];
    this.#cloud = this.#openCloud(random.fork(), mutation);
    const { work, deadLetters } = this.#cloud.queues;
    this.queue = Object.assign(new CloudQueue(work, deadLetters), { seenKeys: this.#audit.seenKeys });
    const onFailure = (failure: string) => this.#fail(failure);
    this.#idleKeys = new IdleKeys(this.#gateParts, this.queue, onFailure);
    this.queue.observe((key, dueAtMs) => this.#idleKeys.onDelete(key, dueAtMs));
    this.#troubles = new PodTroubles(
      { ...this.#gateParts, random: random.fork() },
      this.#direct,
      this.world,
      this.queue,
    );
    const api = { api: this.#cloud.functions.api, random: random.fork(), rates: () => this.#faults.rates, onFailure };
    const registry = createApiRegistry({ ...api, scheduler: this.scheduler });
    const evictions = new Evictions(registry, this.scheduler, this.trace);
    this.#client = new Client(registry, evictions, this.scheduler, this.trace);
    const watched = withFaults ? [...WATCHED, ...(this.#keepsEvents ? ['events'] : [])] : WATCHED.slice(0, 1);
    this.#watchers = watched.map((resource, at) => this.#createWatcher(resource, `${resource}-${at}`, random.fork()));
    this.#limitMs = START_MS + this.script.endMs + SETTLE_LIMIT_MS;
    const { scheduler, trace, world, queue } = this;
    const [cloud, audit, watchers] = [this.#cloud, this.#audit, this.#watchers];
    this.#quiet = new CloudQuiet({ scheduler, trace, world, queue, cloud, audit, watchers, onFailure });
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
    for (const update of this.#updates) this.scheduler.after(update.atMs, () => this.#update(update));
    this.scheduler.after(this.script.endMs, () => this.#stopFaults());
    this.#quiet.notBefore(this.scheduler.now() + Math.max(this.script.endMs, this.#updates.at(-1)?.atMs ?? 0));
    this.#troubles.start();
    for (const watcher of this.#watchers) watcher.start();
    this.#cloud.startSchedules();
    await this.#becomeQuiet();
    if (this.#rest && !this.failure) await this.#goOnAfter(this.#rest);
    for (const watcher of this.#watchers) watcher.stop();
  }

  /** Lets everything happen until nothing is left to do. */
  async #becomeQuiet(): Promise<void> {
    while (!this.failure && (this.#isAtWork() || !this.#quiet.isReached())) await this.#step();
  }

  async #step(): Promise<void> {
    if (this.scheduler.eventCount > EVENT_LIMIT) this.#fail(`it is still busy after ${EVENT_LIMIT} events`);
    if (!(await this.scheduler.step(this.#limitMs)))
      this.#fail(
        `it does not come to rest: ${this.#opsLeft} requests of the client, ${this.scheduler.pendingWork} events, ${this.#quiet.describe()}`,
      );
  }

  /** Hours or days later users go on, and faults too. Without faults no time passes: it changes nothing. */
  async #goOnAfter(rest: Rest): Promise<void> {
    if (this.#withFaults && this.queue.size === 0) await passRest(rest, this.#restParts());
    else this.#plan(rest.unread?.ops ?? []);
    this.#quiet.notBefore(this.scheduler.now());
    await this.#becomeQuiet();
    if (this.#withFaults) this.#resumeFaults();
    this.#plan(rest.ops);
    this.scheduler.after(rest.endMs, () => this.#stopFaults());
    this.#quiet.notBefore(this.scheduler.now() + rest.endMs);
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
      endFunctions: () => this.#endFunctions(),
      onLeap: (durationMs: number) => {
        this.#limitMs += durationMs;
        for (const watcher of this.#watchers) watcher.disconnect();
      },
      onLost: (records: readonly TableRecord[]) => this.#histories.lose(records),
    };
  }

  #plan(ops: Script['ops']): void {
    this.#opsLeft += ops.length;
    for (const { atMs, op } of ops) this.scheduler.after(atMs, () => this.#begin(op));
  }

  async #bootstrap(): Promise<void> {
    await bootstrap(this.#direct, this.scheduler, this.#kinds);
    const served = ['namespaces', 'services', 'endpoints'];
    await bootstrapCluster(bootRegistry(this.#direct, this.scheduler), served, [], this.scheduler.now());
    await this.#direct.beat();
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
      onRelease: (...released: Parameters<IdleKeys['onRelease']>) => {
        this.queue.onRelease(...released);
        this.#idleKeys.onRelease(...released);
      },
    };
    return new CloudAudit(
      this.world,
      { now: () => this.scheduler.now(), rates: () => this.#faults.rates },
      locks,
      (write) => this.#judge(write),
      (failure) => this.#fail(failure),
    );
  }

  #judge(write: CloudWrite): void {
    this.#histories.append(write, this.scheduler.now());
    const violation = this.#lateCreates.onWrite(write) ?? this.#auditor.onWrite(write, this.scheduler.now());
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

  #openCloud(random: Random, mutation: CloudMutation | undefined): CloudModel {
    return openSimulatedCloud({
      gateParts: this.#gateParts,
      random,
      dynamoDb: this.#dynamoDb,
      direct: this.#direct,
      world: this.world,
      cloudFaults: this.#cloudFaults,
      audit: this.#audit,
      auditor: this.#auditor,
      idleKeys: () => this.#idleKeys,
      keepsEvents: this.#keepsEvents,
      mutation,
      releases: this.#releases,
      onLost: (records) => this.#histories.lose(records),
      hasLost: () => this.#histories.hasLost,
      onFailure: (failure) => this.#fail(failure),
    });
  }

  #createWatcher(resource: string, name: string, random: Random): CloudWatcher {
    let started = 0;
    return new CloudWatcher({
      ...this.#gateParts,
      random,
      name,
      history: this.#histories.of(resource),
      connect: (onDeath) => {
        started += 1;
        const process = `watch-${name}-${started}`;
        return this.#cloud.openApiStore(new Gate(process, this.#gateParts, 'worker', onDeath), process);
      },
      onFailure: (failure) => this.#fail(failure),
    });
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

  #update(update: FunctionUpdate): void {
    const { functionName, share } = update;
    this.trace.add(
      `${formatMs(this.scheduler.now())} ${share.toFixed(2)} of ${functionName} run this release from now on`,
    );
    this.#releases?.update(update);
    this.#cloud.functions[functionName].retireAll();
  }

  #killAll(): void {
    this.trace.add(`${formatMs(this.scheduler.now())} a deployment ends all functions`);
    this.#endFunctions();
  }

  #endFunctions(): void {
    this.#idleKeys.onFunctionsEnd();
    this.#cloud.killAll();
  }

  #resyncAll(): void {
    void this.#cloud.trigger('resync', { what: 'all' });
  }

  #isAtWork(): boolean {
    return this.#opsLeft > 0 || this.scheduler.pendingWork > 0;
  }

  #fail(failure: string): void {
    if (this.failure !== undefined) return;
    this.trace.add(`${formatMs(this.scheduler.now())} FAILURE: ${failure}`);
    this.failure = failure;
  }
}
