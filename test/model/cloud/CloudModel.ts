import type { SQSRecord } from 'aws-lambda';
import { CountingMeter } from '../../../infra/emulation/bill/Meter.ts';
import { FUNCTIONS, type FunctionName, OVERDUE_GRACE_MS, WORK_QUEUE } from '../../../infra/topology.ts';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import type { StreamsSender } from '../../../lambdas/adapters/aws/log/readStreamBatch.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { type CloudApi, composeApi } from '../../../lambdas/functions/api/composeApi.ts';
import type { Controller } from '../../../lambdas/controllers/Controller.ts';
import type { Cloud } from '../../../lambdas/functions/openCloud.ts';
import { isWarmEvent, type WarmEvent } from '../../../lambdas/functions/WarmEvent.ts';
import { type Release, THIS_RELEASE } from '../../releases/Release.ts';
import type { Random } from '../../simulation/Random.ts';
import type { Scheduler } from '../../simulation/Scheduler.ts';
import { QUEUE_TRIGGER } from '../publishedLimits.ts';
import type { TableRecord } from '../dynamo/StreamShard.ts';
import { StreamsModel } from '../dynamo/StreamsModel.ts';
import { streamEventRecord } from '../dynamo/streamEvent.ts';
import type { DynamoModel } from '../DynamoModel.ts';
import { type AccountParts, FunctionModel, type Instance, type InvokeOutcome } from '../lambda/FunctionModel.ts';
import { Processor } from '../lambda/Processor.ts';
import { QueueMapping } from '../lambda/QueueMapping.ts';
import { type GivenUp, StreamMapping, type StreamMappingFaults } from '../lambda/StreamMapping.ts';
import type { QueueFaults, QueueModel } from '../sqs/QueueModel.ts';
import { drawRecordsMs, type Latencies } from '../publishedLatencies.ts';
import type { Spread } from '../Spread.ts';
import { SqsModel } from '../sqs/SqsModel.ts';
import { MODEL_QUEUES, modelEnvironment } from './environment.ts';
import { MessagesAtHand } from './MessagesAtHand.ts';
import { modelClients, type RequestHooks, type Service } from './modelClients.ts';
import type { Process } from './Process.ts';
import { modelAuthorizer, warmStore } from './warming.ts';

/** What an instance of the API answers from. */
export type ApiStore = ReturnType<Release['composeApiStore']> & { readonly release: Release; readonly clock: Process };

export interface CloudModelOptions {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly dynamoDb: DynamoModel;
  readonly faults: () => QueueFaults & StreamMappingFaults;
  readonly createProcess: (name: string, onDeath: () => void) => Process;
  readonly hooks: RequestHooks;
  /** What a process has between itself and DynamoDB, by the process' name: `sync-3`. */
  readonly dynamoDbOf?: ((service: Service, processName: string) => Service) | undefined;
  readonly sqsOf?: ((service: Service, processName: string) => Service) | undefined;
  /** What lies between a trigger and its function. */
  readonly invokeOf?: ((functionName: string, invoke: FunctionModel['invoke']) => FunctionModel['invoke']) | undefined;
  readonly seams?: Cloud['seams'];
  /** Which release's code a process runs, by its name: `sync-3`. This one's if absent. */
  readonly releaseOf?: (processName: string) => Release;
  /** Functions get the stream's records without a copy as JSON: cheaper. */
  readonly isRaw?: boolean;
  /** The age at which a record of the stream is given up; the stack's if absent. */
  readonly streamMaxAgeMs?: number;
  readonly concurrencyLimit: number;
  readonly syncMaxConcurrency: number;
  readonly memoryMb: Readonly<Record<FunctionName, number>>;
  readonly coldStartMs: Spread;
  /** Published times of the functions and their triggers. Absent: those that the models have of their own, and computing takes no time. */
  readonly latencies?: Latencies;
  readonly nodes: number;
  readonly config: object;
  /** As the functions' environment says it. Absent: nothing is traced. */
  readonly traceSampleRate?: string | undefined;
  readonly log: (processName: string, line: Readonly<Record<string, unknown>>) => void;
  /** Called when messages of the work queue are handed to a function, by its trigger or because it asked, with their bodies. */
  readonly onReceive?: (bodies: readonly string[]) => void;
  /** Called with records of the stream that one of its functions will never get. */
  readonly onGivenUp?: (functionName: string, records: readonly TableRecord[]) => void;
  /** Called when the function has ended with them, or has died. */
  readonly onHandled?: (bodies: readonly string[]) => void;
}

/** The functions that read the stream of the objects. */
export type StreamReader = 'record' | 'enqueue';

type Handler = (event: never) => Promise<unknown>;
type Compose = (cloud: Cloud, release: Release) => Handler;

const LATE_NOTICE_SECONDS = [1, 60] as const;
const MS_PER_SCHEDULE_RETRY = 60_000;
const SCHEDULE_RETRIES = 2;

/** The stack over models of its services: the product's own functions, their triggers, tables and queues. */
export class CloudModel {
  readonly meter = new CountingMeter();
  readonly queues: Readonly<Record<keyof typeof MODEL_QUEUES, QueueModel>>;
  readonly functions: Readonly<Record<FunctionName, FunctionModel>>;
  /** How often the account's concurrency limit refused each function. */
  readonly throttled = new Map<string, number>();
  readonly #options: CloudModelOptions;
  readonly #sqs: SqsModel;
  readonly #streams: StreamsModel;
  readonly #streamMappings: Readonly<Record<StreamReader, StreamMapping>>;
  readonly #queueMappings: readonly QueueMapping[];
  readonly #atHand: MessagesAtHand;

  constructor(options: CloudModelOptions) {
    this.#options = options;
    const { random, scheduler: clock, faults, onReceive = () => {}, onHandled = () => {} } = options;
    this.#atHand = new MessagesAtHand(onReceive, onHandled);
    this.#streams = new StreamsModel(options.dynamoDb.stream('objects'), clock);
    this.#sqs = new SqsModel({
      clock,
      random,
      faults,
      onRequest: (operation, count) => this.#countSqs(operation, count),
    });
    this.queues = this.#createQueues();
    this.functions = this.#createFunctions();
    this.#streamMappings = { record: this.#mapStream('record'), enqueue: this.#mapStream('enqueue') };
    this.#queueMappings = this.#mapQueues();
  }

  /** True while a batch is under way somewhere. */
  get isBusy(): boolean {
    return Object.values(this.#streamMappings).some(({ isBusy }) => isBusy) || this.isServingQueues;
  }

  /** The most batches of keys that were at functions at the same time, as the trigger handed them out. */
  get mostSyncs(): number {
    return this.#queueMappings[0]?.mostRunning ?? 0;
  }

  /** True while a message is at a function. */
  get isServingQueues(): boolean {
    return this.#queueMappings.some(({ running }) => running > 0);
  }

  /** How long the stream's records waited for a function: the longest; milliseconds. */
  get deepestLagMs(): number {
    return Math.max(...Object.values(this.#streamMappings).map((mapping) => mapping.deepestLagMs));
  }

  /** The function's trigger reads nothing of the stream until `readOn` is called. */
  stopReading(name: StreamReader): void {
    this.#streamMappings[name].stopReading();
  }

  /** The function's trigger reads again. Returns the records that the stream has dropped before the function got them. */
  readOn(name: StreamReader): readonly TableRecord[] {
    return this.#streamMappings[name].readOn();
  }

  /** Invokes `resync` from now on as the stack's rules do, but for the daily one. */
  startSchedules(): void {
    const { overdueMs, heartbeatMs } = FUNCTIONS.resync.trigger.periods;
    this.#every('resync', overdueMs, { what: 'overdue', graceMs: OVERDUE_GRACE_MS });
    this.#every('resync', heartbeatMs, { what: 'heartbeat' });
  }

  /** Invokes `authorize` and `api` from now on as the stack's rules do, so that their instances live on. */
  startWarming(): void {
    const event: WarmEvent = { what: 'warm' };
    for (const name of ['authorize', 'api'] as const) this.#every(name, FUNCTIONS[name].trigger.warmMs, event);
  }

  /** Invokes a function as EventBridge does: again after a while if it fails. */
  async trigger(name: FunctionName, event: object): Promise<InvokeOutcome> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.functions[name].invoke(event);
      if (outcome.status === 'returned' || attempt === SCHEDULE_RETRIES) return outcome;
      await this.#options.scheduler.wait(MS_PER_SCHEDULE_RETRY);
    }
  }

  /** All functions end in the middle of what they do, as at the worst deployment. */
  killAll(): void {
    for (const one of Object.values(this.functions)) one.killAll();
  }

  /** Opens what a process has that belongs to no function. */
  openProcess(process: Process, name: string): Cloud {
    const { hooks, dynamoDb, dynamoDbOf, sqsOf, seams, log } = this.#options;
    // A wake-up is stored with its key; what `enqueue` delays is not.
    const sqs = name.startsWith('sync-') ? this.#sqs.forgetful : this.#sqs;
    const observed = this.#atHand.observe(sqsOf?.(sqs, name) ?? sqs, name);
    const services = { dynamoDb: dynamoDbOf?.(dynamoDb, name) ?? dynamoDb, sqs: observed };
    const clients = modelClients(process, services, hooks);
    const ids = new SeededIds(this.#options.random.integer(0, 0xffffffff));
    const calls = new DynamoDbCalls({ client: clients.dynamoDb, clock: process, ids });
    const { composeDirectKeys } = this.#releaseOf(name);
    const loaded = { ...seams, ...this.#computing(process, name), composeDirectKeys };
    return { ...clients, calls, clock: process, ids, seams: loaded, log: (line) => log(name, line) };
  }

  /** Syncs take the time that is computed for them; those of one process one after the other. */
  #computing(process: Process, name: string): Pick<NonNullable<Cloud['seams']>, 'controller'> {
    const { latencies, random, seams } = this.#options;
    if (!latencies || !name.startsWith('sync-')) return {};
    const processor = new Processor(process);
    const controller = (created: Controller): Controller => {
      const observed = seams?.controller?.(created) ?? created;
      const sync: Controller['sync'] = async (...asked) => {
        await processor.compute(drawRecordsMs(latencies, 1, random));
        return await observed.sync(...asked);
      };
      return { ...observed, sync };
    };
    return { controller };
  }

  /** Opens the API as requests reach it. */
  openApi(process: Process, name: string): CloudApi {
    return composeApi(this.#environment(), this.openProcess(process, name));
  }

  openApiStore(process: Process, name: string): ApiStore {
    const release = this.#releaseOf(name);
    return {
      ...release.composeApiStore(this.#environment(), this.openProcess(process, name)),
      release,
      clock: process,
    };
  }

  #releaseOf(processName: string): Release {
    return this.#options.releaseOf?.(processName) ?? THIS_RELEASE;
  }

  #environment() {
    return modelEnvironment(this.#options.nodes, this.#options.config, this.#options.traceSampleRate);
  }

  /** The function as its trigger invokes it. */
  #target(name: 'record' | 'enqueue' | 'sync' | 'resync'): Pick<FunctionModel, 'invoke'> {
    const target = this.functions[name];
    const invoke = (event: unknown) => target.invoke(event);
    return { invoke: this.#options.invokeOf?.(name, invoke) ?? invoke };
  }

  #every(name: FunctionName, periodMs: number, event: object): void {
    this.#options.scheduler.setTimer(periodMs, () => {
      void this.trigger(name, event);
      this.#every(name, periodMs, event);
    });
  }

  #countSqs(operation: string, count: number): void {
    for (let request = 0; request < count; request += 1) this.meter.sqs(operation);
  }

  #createQueues(): CloudModel['queues'] {
    const { visibilityTimeoutMs, maxReceives } = WORK_QUEUE;
    const deadLetters = this.#sqs.createQueue({ url: MODEL_QUEUES.deadLetters, visibilityTimeoutMs: 30_000 });
    const redrive = { maxReceives, to: deadLetters };
    const work = this.#sqs.createQueue({ url: MODEL_QUEUES.work, visibilityTimeoutMs, redrive });
    const givenUpMs = 6 * FUNCTIONS.resync.timeoutMs;
    return {
      work,
      deadLetters,
      givenUp: this.#sqs.createQueue({ url: MODEL_QUEUES.givenUp, visibilityTimeoutMs: givenUpMs }),
    };
  }

  #createFunctions(): CloudModel['functions'] {
    const environment = this.#environment();
    const { scheduler, random, concurrencyLimit, coldStartMs, latencies } = this.#options;
    const parts: AccountParts = {
      scheduler,
      random,
      coldStartMs,
      latencies,
      account: { concurrencyLimit, inUse: 0 },
      onInvocation: (invocation) => this.meter.invocation({ ...invocation, streamedBytes: 0 }),
      onThrottled: (name) => this.throttled.set(name, (this.throttled.get(name) ?? 0) + 1),
    };
    const create = (name: FunctionName, compose: Compose) => {
      const start = (id: string, onDeath: () => void) => this.#startInstance(id, onDeath, compose);
      const { timeoutMs } = FUNCTIONS[name];
      const memoryMb = this.#options.memoryMb[name];
      const options = { name, timeoutMs, memoryMb, computesApart: name === 'sync', start };
      return new FunctionModel(options, parts);
    };
    return {
      record: create('record', (cloud, { composeRecord }) => composeRecord(environment, cloud)),
      enqueue: create('enqueue', (cloud, { composeEnqueue }) => composeEnqueue(environment, cloud)),
      sync: create('sync', (cloud, { composeSync }) => composeSync(environment, cloud, NO_METRICS)),
      resync: create('resync', (cloud, { composeResync }) =>
        composeResync(environment, cloud, this.#streamsOf(cloud.clock as Process)),
      ),
      api: create('api', (cloud, release) => {
        const store = { ...release.composeApiStore(environment, cloud), release, clock: cloud.clock as Process };
        return (event: WarmEvent | ((store: ApiStore) => Promise<unknown>)) =>
          isWarmEvent(event) ? warmStore(store) : event(store);
      }),
      authorize: create('authorize', (cloud) => modelAuthorizer(environment, cloud)),
    };
  }

  /** The client of the stream that `resync` has. */
  #streamsOf(process: Process): StreamsSender {
    const read = async (command: object) => {
      try {
        return { status: 'ok', output: this.#streams.execute(command) };
      } catch (error) {
        return { status: (error as Error).name, error };
      }
    };
    const send = async (command: object) => {
      const { output, error } = await process.call('stream', () => read(command));
      if (error !== undefined) throw error;
      return output;
    };
    return { send };
  }

  #startInstance(name: string, onDeath: () => void, compose: Compose): Instance {
    const end = () => this.#atHand.end(name);
    const process = this.#options.createProcess(name, () => {
      end();
      onDeath();
    });
    const handler = compose(this.openProcess(process, name), this.#releaseOf(name));
    return {
      name,
      handle: (event) => handler(event as never).finally(end),
      kill: () => {
        end();
        process.kill();
      },
      freeze: () => process.suspend(),
      thaw: () => process.resume(),
    };
  }

  #mapStream(name: StreamReader): StreamMapping {
    const { dynamoDb, scheduler, random, faults, latencies } = this.#options;
    const { batchSize, retries, maxAgeMs } = FUNCTIONS[name].trigger;
    const onGivenUp = (records: readonly TableRecord[], condition: GivenUp) => this.#giveUp(name, records, condition);
    return new StreamMapping({
      source: dynamoDb.stream('objects'),
      encode: this.#options.isRaw ? (record) => record : streamEventRecord,
      target: this.#target(name),
      batchSize,
      retries,
      maxAgeMs: this.#options.streamMaxAgeMs ?? maxAgeMs,
      scheduler,
      random,
      faults,
      pollMs: latencies?.streamPollMs,
      onGivenUp,
    });
  }

  /** A notice names the records' places, and not their contents. */
  #giveUp(name: string, records: readonly TableRecord[], condition: GivenUp): void {
    this.#options.onGivenUp?.(name, records);
    const sequences = [records[0], records.at(-1)].map((record) => record?.dynamodb.SequenceNumber);
    const [startSequenceNumber, endSequenceNumber] = sequences;
    const shardId = this.#streams.shardOf(startSequenceNumber ?? '');
    const place = { streamArn: 'objects', shardId, startSequenceNumber, endSequenceNumber };
    const body = JSON.stringify({
      requestContext: { condition, functionArn: name },
      DDBStreamBatchInfo: { ...place, batchSize: records.length },
    });
    const { random, faults } = this.#options;
    const delaySeconds = random.chance(faults().lateNotice) ? random.integer(...LATE_NOTICE_SECONDS) : 0;
    this.queues.givenUp.send({ body, delaySeconds, attributes: {} });
  }

  #mapQueues(): readonly QueueMapping[] {
    const { scheduler, random, latencies, syncMaxConcurrency, onReceive, onHandled } = this.#options;
    const bodiesOf = (records: readonly SQSRecord[]) => records.map(({ body }) => body);
    const onRequest = (operation: string, count: number) => this.#countSqs(operation, count);
    const shared = { scheduler, random, latencies, onRequest };
    return [
      new QueueMapping({
        ...shared,
        queue: this.queues.work,
        target: this.#target('sync'),
        batchSize: FUNCTIONS.sync.trigger.batchSize,
        maxConcurrency: syncMaxConcurrency,
        onReceive: (records) => onReceive?.(bodiesOf(records)),
        onHandled: (records) => onHandled?.(bodiesOf(records)),
      }),
      new QueueMapping({
        ...shared,
        queue: this.queues.givenUp,
        target: this.#target('resync'),
        batchSize: 10,
        maxConcurrency: QUEUE_TRIGGER.mostConcurrency,
      }),
    ];
  }
}

const NO_METRICS = {
  singleMetric: () => ({ addDimension: () => {}, addMetric: () => {} }),
} as unknown as Parameters<Release['composeSync']>[2];
