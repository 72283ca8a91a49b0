import { NO_SERVICE_FAULTS } from '../model/NO_SERVICE_FAULTS.ts';
import { TABLES } from '../../infra/cdk/createTables.ts';
import type { TableName } from '../../infra/cdk/TableName.ts';
import type { DriftlessStackProps } from '../../infra/cdk/DriftlessStackProps.ts';
import { planConcurrency } from '../../infra/cdk/planConcurrency.ts';
import { usedBetween } from '../../infra/emulation/bill/billOf.ts';
import type { Usage } from '../../infra/emulation/bill/Meter.ts';
import type { CloudApi } from '../../lambdas/functions/api/composeApi.ts';
import { bootstrapCluster } from '../../lambdas/functions/resync/bootstrapCluster.ts';
import type { SpanSink } from '../../lambdas/ports/Tracing.ts';
import { type ApiStore, CloudModel, type CloudModelOptions } from '../model/cloud/CloudModel.ts';
import type { TableChange } from '../model/dynamo/DynamoTable.ts';
import { DynamoModel } from '../model/DynamoModel.ts';
import { PUBLISHED_LATENCIES } from '../model/publishedLatencies.ts';
import { Random } from '../simulation/Random.ts';
import { Scheduler } from '../simulation/Scheduler.ts';
import { companions } from './benchPods.ts';
import { letPass } from './letPass.ts';
import { ModelProcess } from './ModelProcess.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const POLL_MS = 1_000;
const QUIET_MS = 5_000;
const MINUTE_MS = 60_000;
/** The quota of most accounts that asked for one. */
const ACCOUNT_CONCURRENCY = 1_000;
/** What Powertools' logger adds to a line, seen with its version 2: the timestamp, the service (a stack's id), the sampling rate and the id of the trace. */
const LOGGER_BYTES = 146;
/** What AWS leaves open. The time to live deletes within minutes, usually; more would only take longer to simulate. Records of the stream are dropped early, to spare memory. */
const PHYSICS = {
  streamLagMs: PUBLISHED_LATENCIES.streamMs,
  indexLagMs: [1, 20],
  timeToLiveLagMs: [MINUTE_MS, 10 * MINUTE_MS],
  streamRetentionMs: 10 * MINUTE_MS,
} as const;

/** What a story adds to the stack. */
export type StackParts = Pick<CloudModelOptions, 'sqsOf'> & { readonly spans?: SpanSink };

/** The stack over models of its services, in simulated time. */
export class ModelStack {
  readonly scheduler: Scheduler;
  readonly dynamoDb: DynamoModel;
  readonly cloud: CloudModel;
  readonly api: ApiStore;
  /** How many batches of keys are synced at the same time at most. */
  readonly syncMaxConcurrency: number;
  readonly #isKeptWarm: boolean;
  readonly #random: Random;

  /** `onObject` is called with each change of the objects table. */
  constructor(
    knobs: DriftlessStackProps,
    onObject: (change: TableChange, atMs: number) => void,
    seed = 1,
    parts: StackParts = {},
  ) {
    const random = new Random(seed);
    this.#random = random;
    this.scheduler = new Scheduler(START_MS, random.fork());
    this.dynamoDb = new DynamoModel({ clock: this.scheduler, random: random.fork(), physics: PHYSICS });
    for (const [name, definition] of Object.entries(TABLES)) {
      const warm = knobs.warmThroughput[name as TableName] ?? {};
      const onChange = (change: TableChange) => onObject(change, this.scheduler.now());
      this.dynamoDb.createTable(name, definition, { warm, ...(name === 'objects' && { onChange }) });
    }
    this.#isKeptWarm = knobs.keepWarm;
    const { accountConcurrency = ACCOUNT_CONCURRENCY, memoryMb, config, nodes, tracing } = knobs;
    this.syncMaxConcurrency = planConcurrency({ ...knobs, accountConcurrency }).syncMaxConcurrency;
    this.cloud = new CloudModel({
      scheduler: this.scheduler,
      random: random.fork(),
      dynamoDb: this.dynamoDb,
      faults: () => NO_SERVICE_FAULTS,
      createProcess: () => new ModelProcess(this.scheduler, random),
      hooks: { what: () => '' },
      concurrencyLimit: accountConcurrency,
      syncMaxConcurrency: this.syncMaxConcurrency,
      memoryMb,
      coldStartMs: PUBLISHED_LATENCIES.coldStartMs,
      latencies: PUBLISHED_LATENCIES,
      nodes,
      config,
      traceSampleRate: typeof tracing === 'object' ? `${tracing.sampleRate}` : undefined,
      seams: { ...(parts.spans && { spans: parts.spans }) },
      sqsOf: parts.sqsOf,
      isRaw: true,
      log: (_, line) => this.cloud.meter.logged(LOGGER_BYTES + Buffer.byteLength(JSON.stringify(line))),
    });
    this.api = this.cloud.openApiStore(new ModelProcess(this.scheduler, random), 'bench');
  }

  /** Opens the API of a process as requests reach it. */
  openApi(name: string): CloudApi {
    return this.cloud.openApi(new ModelProcess(this.scheduler, this.#random), name);
  }

  /** Creates what a new control plane has, and these namespaces. */
  async bootstrap(namespaces: readonly string[], nodes: number): Promise<void> {
    const { registry } = this.api;
    const served = ['namespaces', 'services', 'endpoints', 'nodes'];
    const all = Array.from({ length: nodes }, () => ({}));
    await this.finish(async () => {
      await bootstrapCluster(registry, served, all, this.scheduler.now());
      for (const name of namespaces) {
        await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
        for (const [resource, object] of Object.entries(companions(name))) await registry.create(resource, object);
      }
    });
    this.cloud.startSchedules();
    if (this.#isKeptWarm) this.cloud.startWarming();
    // Each deployment triggers this.
    await this.finish(() => this.cloud.trigger('resync', { what: 'all' }));
  }

  /** All that was used so far. DynamoDB's units are those since `dynamoDb.usage` was last reset. */
  usage(): Usage {
    const units: Record<string, number> = {};
    for (const { table, readUnits, writeUnits } of this.dynamoDb.usage.rows) {
      units[`read units/${table}`] = (units[`read units/${table}`] ?? 0) + readUnits;
      units[`write units/${table}`] = (units[`write units/${table}`] ?? 0) + writeUnits;
    }
    return { ...this.cloud.meter.usage(), ...units };
  }

  /** What is used while `act` goes on. */
  async used(act: () => Promise<void>): Promise<Usage> {
    this.dynamoDb.usage.reset();
    const before = this.usage();
    await act();
    return usedBetween(before, this.usage());
  }

  /** Lets time pass until the work is done. */
  async finish(work: () => Promise<unknown>): Promise<void> {
    await letPass(this.scheduler, work);
  }

  /** Lets time pass. */
  async pass(durationMs: number): Promise<void> {
    await this.finish(async () => await this.scheduler.wait(durationMs));
  }

  /** Lets everything end that follows: events, the log, cleaning up. */
  async rest(): Promise<void> {
    await this.finish(async () => {
      for (let quietMs = 0; quietMs < QUIET_MS; ) {
        await this.scheduler.wait(POLL_MS);
        quietMs = this.cloud.isBusy || this.cloud.queues.work.visibleCount > 0 ? 0 : quietMs + POLL_MS;
      }
    });
  }
}
