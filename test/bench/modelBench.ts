/**
 * Measures the stack over models of its services, in simulated time: how long rollouts take, what they cost, and what the tables bear. `npm run bench -- --model --pods N --watches M --namespaces K`.
 * The functions' own computing takes no simulated time here; it is part of neither the seconds nor the dollars.
 */
import { TABLES, type TableName } from '../../infra/cdk/createTables.ts';
import type { DriftlessStackProps } from '../../infra/cdk/DriftlessStackProps.ts';
import { billOf, totalOf, usedBetween } from '../../infra/emulation/bill/billOf.ts';
import type { Usage } from '../../infra/emulation/bill/Meter.ts';
import { PRICES } from '../../infra/emulation/bill/prices.ts';
import { bootstrapCluster } from '../../lambdas/functions/resync/bootstrapCluster.ts';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { type ApiStore, CloudModel } from '../model/cloud/CloudModel.ts';
import { DynamoModel } from '../model/DynamoModel.ts';
import { Random } from '../simulation/Random.ts';
import { Scheduler } from '../simulation/Scheduler.ts';
import { benchDeployment } from './benchDeployment.ts';
import { ModelProcess } from './ModelProcess.ts';
import { ModelWatchers } from './ModelWatchers.ts';

export interface ModelBenchOptions {
  readonly pods: number;
  readonly watches: number;
  readonly namespaces: number;
  /** The account's concurrent executions. */
  readonly accountConcurrency: number;
  /** The stack's knobs, of which those count that have an effect here: `warmThroughput`, `syncMaxConcurrency`, `memoryMb`, `config` and `nodes`. */
  readonly knobs: DriftlessStackProps;
}

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const LIMIT_MS = 24 * 3_600_000;
const POLL_MS = 1_000;
const QUIET_MS = 5_000;
const NO_FAULTS = {
  duplicateMessage: 0,
  lateMessage: 0,
  redelivery: 0,
  lostWakeUp: 0,
  skewMs: 0,
  duplicateBatch: 0,
  lateBatch: 0,
};

/** The highest acceptable cost of 1,000 pods that are created and rolled, everything included. */
const MOST_DOLLARS_PER_1000 = 0.05;
/** Nothing may be throttled for longer. */
const LONGEST_THROTTLED_MS = 1_000;

/** Prints the figures. Resolves to a line for each figure above its limit. */
export async function modelBench(options: ModelBenchOptions): Promise<readonly string[]> {
  const bench = new ModelBench(options);
  console.log(
    `${options.pods} pods in ${options.namespaces} namespaces, ${options.watches} watches; ${PRICES.region}'s list prices of ${PRICES.asOf}, without free allowances`,
  );
  return await bench.run();
}

class ModelBench {
  readonly #options: ModelBenchOptions;
  readonly #scheduler: Scheduler;
  readonly #dynamoDb: DynamoModel;
  readonly #cloud: CloudModel;
  readonly #api: ApiStore;
  readonly #watchers: ModelWatchers;

  constructor(options: ModelBenchOptions) {
    const random = new Random(1);
    this.#options = options;
    this.#scheduler = new Scheduler(START_MS, random.fork());
    const physics = { streamLagMs: [100, 300] as const, indexLagMs: [1, 20] as const, streamRetentionMs: 600_000 };
    this.#dynamoDb = new DynamoModel({ clock: this.#scheduler, random: random.fork(), physics });
    const { warmThroughput, syncMaxConcurrency, memoryMb, config, nodes } = options.knobs;
    for (const [name, definition] of Object.entries(TABLES)) {
      this.#dynamoDb.createTable(name, definition, { warm: warmThroughput[name as TableName] ?? {} });
    }
    this.#cloud = new CloudModel({
      scheduler: this.#scheduler,
      random: random.fork(),
      dynamoDb: this.#dynamoDb,
      faults: () => NO_FAULTS,
      createProcess: () => new ModelProcess(this.#scheduler, random),
      hooks: { what: () => '' },
      concurrencyLimit: options.accountConcurrency,
      syncMaxConcurrency,
      memoryMb,
      coldStartMs: 600,
      nodes,
      config,
      isRaw: true,
      log: (_, line) => this.#cloud.meter.logged(Buffer.byteLength(JSON.stringify(line))),
    });
    this.#api = this.#cloud.openApiStore(new ModelProcess(this.#scheduler, random), 'bench');
    this.#watchers = new ModelWatchers(this.#cloud.functions.api, this.#scheduler);
  }

  async run(): Promise<readonly string[]> {
    const { registry } = this.#api;
    await this.#finish(() => this.#bootstrap(registry));
    this.#cloud.scheduleOverdue();
    this.#watchers.start(this.#options.watches);
    const dollars: number[] = [];
    for (const [scenario, image, act] of [
      ['created', 'nginx:1', (name: string) => this.#create(registry, name)],
      ['rolled', 'nginx:2', (name: string) => this.#roll(registry, name)],
    ] as const) {
      dollars.push(await this.#measure(scenario, image, act));
    }
    this.#watchers.stop();
    return this.#aboveLimits(dollars.reduce((sum, one) => sum + one, 0));
  }

  async #measure(scenario: string, image: string, act: (namespace: string) => Promise<void>): Promise<number> {
    const before = this.#usage();
    const realMs = performance.now();
    const cpu = process.cpuUsage();
    const beganMs = this.#scheduler.now();
    this.#dynamoDb.usage.reset();
    await this.#finish(async () => {
      for (const namespace of this.#namespaces()) await act(namespace);
    });
    await this.#until(image);
    const seconds = (this.#scheduler.now() - beganMs) / 1_000;
    await this.#rest();
    const usage = usedBetween(before, this.#usage());
    const bill = billOf({ ...usage, ...this.#units() });
    console.log(
      `${scenario}: ${seconds.toFixed(0)} s, ${Math.round(this.#options.pods / seconds)} pods a second, $${totalOf(bill).toFixed(4)} ($${((totalOf(bill) / this.#options.pods) * 1000).toFixed(4)} for 1,000 pods); ${((performance.now() - realMs) / 1000).toFixed(0)} s of real time, ${cpuSeconds(cpu).toFixed(1)} s of CPU time`,
    );
    for (const { item, quantity, dollars } of bill) {
      if (dollars > totalOf(bill) / 100)
        console.log(`  ${item.padEnd(30)} ${Math.round(quantity).toString().padStart(12)}  $${dollars.toFixed(5)}`);
    }
    console.log(
      `  log bytes ${Math.round(usage['log bytes'] ?? 0)}, deepest lag of the stream ${this.#cloud.deepestLagMs} ms, changes seen by watches ${this.#watchers.changeCount}`,
    );
    this.#printThrottling();
    return totalOf(bill);
  }

  #printThrottling(): void {
    const { rows, longestThrottledMs } = this.#dynamoDb.usage;
    for (const { table, index, operation, throttled, calls } of rows) {
      if (throttled > 0)
        console.log(
          `  throttled: ${throttled} of ${calls + throttled} ${operation} calls of ${table}${index === undefined ? '' : `/${index}`}`,
        );
    }
    for (const [where, longestMs] of longestThrottledMs)
      if (longestMs > 0) console.log(`  ${where} throttled for up to ${longestMs} ms`);
    for (const [name, count] of this.#cloud.throttled)
      console.log(`  ${name} refused ${count} times by the account's concurrency`);
  }

  #aboveLimits(dollars: number): readonly string[] {
    const most = (MOST_DOLLARS_PER_1000 * this.#options.pods) / 1_000;
    const longest = Math.max(0, ...this.#dynamoDb.usage.longestThrottledMs.values());
    return [
      ...(dollars > most ? [`created and rolled: $${dollars.toFixed(4)}, above $${most.toFixed(4)}`] : []),
      ...(longest > LONGEST_THROTTLED_MS ? [`a partition was throttled for ${longest} ms`] : []),
    ];
  }

  #usage(): Usage {
    return this.#cloud.meter.usage();
  }

  #units(): Usage {
    const units: Record<string, number> = {};
    for (const { table, readUnits, writeUnits } of this.#dynamoDb.usage.rows) {
      units[`read units/${table}`] = (units[`read units/${table}`] ?? 0) + readUnits;
      units[`write units/${table}`] = (units[`write units/${table}`] ?? 0) + writeUnits;
    }
    return units;
  }

  #namespaces(): readonly string[] {
    return Array.from({ length: this.#options.namespaces }, (_, at) => `bench-${at}`);
  }

  async #bootstrap(registry: Registry): Promise<void> {
    const served = ['namespaces', 'services', 'endpoints', 'nodes'];
    await bootstrapCluster(registry, served, [{}, {}, {}], this.#scheduler.now());
    for (const name of this.#namespaces())
      await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  async #create(registry: Registry, namespace: string): Promise<void> {
    const deployment = benchDeployment('web', this.#options.pods / this.#options.namespaces, 'nginx:1');
    const created = await registry.create('deployments.apps', { ...deployment, metadata: { name: 'web', namespace } });
    if (created.status === 'refused') throw created.error;
  }

  async #roll(registry: Registry, namespace: string): Promise<void> {
    for (;;) {
      const deployment = await this.#deployment(namespace);
      const { template } = deployment.spec ?? {};
      const containers = (template?.spec?.containers ?? []).map((container) => ({ ...container, image: 'nginx:2' }));
      const spec = { ...deployment.spec, template: { ...template, spec: { ...template?.spec, containers } } };
      const updated = await registry.update('deployments.apps', { ...deployment, spec } as Deployment);
      if (updated.status !== 'refused') return;
    }
  }

  async #deployment(namespace: string): Promise<Deployment> {
    const key = { resource: 'deployments.apps', namespace, name: 'web' };
    const found = await this.#api.registry.get<Deployment>(key);
    if (!found) throw new Error(`the Deployment of ${namespace} is gone`);
    return found;
  }

  /** Lets time pass until every Deployment is complete. */
  async #until(image: string): Promise<void> {
    const left = new Set(this.#namespaces());
    await this.#finish(async () => {
      while (left.size > 0) {
        for (const namespace of left) if (isComplete(await this.#deployment(namespace), image)) left.delete(namespace);
        await this.#scheduler.wait(POLL_MS);
        if (this.#scheduler.now() > START_MS + LIMIT_MS) throw new Error('it takes more than a day');
      }
    });
  }

  /** Lets everything end that follows: events, the log, cleaning up. */
  async #rest(): Promise<void> {
    await this.#finish(async () => {
      for (let quietMs = 0; quietMs < QUIET_MS; ) {
        await this.#scheduler.wait(POLL_MS);
        quietMs = this.#cloud.isBusy || this.#cloud.queues.work.visibleCount > 0 ? 0 : quietMs + POLL_MS;
      }
    });
  }

  /** Lets events happen until the work is done. */
  async #finish(work: () => Promise<void>): Promise<void> {
    const working = work();
    const state = { isOver: false };
    const over = working.finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) await this.#scheduler.step(Number.POSITIVE_INFINITY);
    await over;
  }
}

function cpuSeconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

function isComplete({ spec, status, metadata }: Deployment, image: string): boolean {
  const replicas = spec?.replicas ?? 1;
  const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
  const isObserved = status?.observedGeneration === metadata.generation;
  return (
    isObserved && spec?.template?.spec?.containers[0]?.image === image && counts.every((count) => count === replicas)
  );
}
