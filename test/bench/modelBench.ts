/**
 * Measures the stack over models of its services, in simulated time: how long rollouts take, what they cost, and what the tables bear.
 * `npm run bench -- --model --pods N --namespaces K --deployments D --watches M --shape full|requests|bare --knobs JSON`, or with `--target NAME` for one of MODEL_TARGETS. `--only-created` ends when all pods are available.
 * How long the services take, and the functions compute, is drawn as `publishedLatencies.ts` says. The price of computing is bounded by the CPU time of this whole process, models included, and is part of the dollars. So is what the functions' processors can compute, which is
 * printed beside the pods that are created a second: where it is less, it is the ceiling.
 */
import type { DriftlessStackProps } from '../../infra/cdk/DriftlessStackProps.ts';
import { type BillLine, billOf, totalOf, usedBetween } from '../../infra/emulation/bill/billOf.ts';
import { PRICES } from '../../infra/emulation/bill/prices.ts';
import type { PodShape } from './benchPods.ts';
import { idleMonth } from './idleMonth.ts';
import { ModelRollouts } from './ModelRollouts.ts';
import { ModelStack } from './ModelStack.ts';
import { ModelWatchers } from './ModelWatchers.ts';
import { PodArrivals } from './PodArrivals.ts';
import { rememberDecoded } from './rememberDecoded.ts';
import { warmingCharge } from './warmingCharge.ts';

type Phase = 'created' | 'rolled';

export interface ModelBenchOptions {
  readonly pods: number;
  readonly shape: PodShape;
  readonly watches: number;
  readonly namespaces: number;
  /** The Deployments of each namespace, which share its pods. */
  readonly deployments: number;
  /** How many pods a second must be created, without the first and the last tenth of them; absent: any number. */
  readonly podsPerSecond?: number;
  /** For how long a client waits after one Deployment before it creates the next, or rolls it; milliseconds. Absent: it does all at once. */
  readonly apartMs?: Readonly<Record<Phase, number>>;
  /** True to end when all pods are available, without a rollout and the expiry of events. */
  readonly isOnlyCreated: boolean;
  /** The stack's knobs. Those on watches, logs and protection have no effect here; `accountConcurrency` is 1,000 by default. */
  readonly knobs: DriftlessStackProps;
}

/** The highest acceptable cost of 1,000 pods that are created and rolled, everything included. */
const MOST_DOLLARS_PER_1000 = 0.05;
/** Nothing may be throttled for longer. */
const LONGEST_THROTTLED_MS = 1_000;
/** Events live for an hour, and DynamoDB deletes them some minutes later. */
const AGEING_MS = 75 * 60_000;
/** Lambda gives a function one virtual CPU for so many megabytes. */
const GB_PER_CPU = 1_769 / 1_024;

/** Prints the figures. Resolves to a line for each figure that misses its limit. */
export async function modelBench(options: ModelBenchOptions): Promise<readonly string[]> {
  rememberDecoded();
  Error.stackTraceLimit = 0;
  const { pods, namespaces, deployments, watches, shape } = options;
  console.log(
    `${pods} ${shape} pods of ${namespaces * deployments} Deployments in ${namespaces} namespaces, ${watches} watches; ${PRICES.region}'s list prices of ${PRICES.asOf}, without free allowances`,
  );
  const warming = warmingCharge(options.knobs.warmThroughput);
  if (warming > 0) console.log(`the tables are warmed for $${warming.toFixed(2)}, which is charged once`);
  return await new ModelBench(options).run();
}

class ModelBench {
  readonly #options: ModelBenchOptions;
  readonly #stack: ModelStack;
  readonly #rollouts: ModelRollouts;
  readonly #arrivals = new PodArrivals();
  readonly #watchers: ModelWatchers;
  readonly #wrong: string[] = [];

  constructor(options: ModelBenchOptions) {
    this.#options = options;
    this.#stack = new ModelStack(options.knobs, (change, atMs) => this.#arrivals.note(change, atMs));
    const { cloud, api, scheduler } = this.#stack;
    this.#rollouts = new ModelRollouts(api.registry, scheduler, options);
    this.#watchers = new ModelWatchers(cloud.functions.api, scheduler);
  }

  async run(): Promise<readonly string[]> {
    const { pods, knobs, watches, isOnlyCreated } = this.#options;
    await this.#stack.bootstrap(this.#rollouts.namespaces, knobs.nodes);
    await this.#stack.rest();
    this.#wrong.push(...(await idleMonth(this.#stack)));
    this.#watchers.start(watches);
    const created = await this.#measure('created', async () => await this.#rollOut('created'));
    if (isOnlyCreated) return this.#wrong;
    const rolled = await this.#measure('rolled', async () => await this.#rollOut('rolled'));
    this.#watchers.stop();
    const aged = await this.#measure('their events expired', async () => await this.#stack.pass(AGEING_MS));
    const dollars = ((created + rolled + aged) / pods) * 1_000;
    console.log(`1,000 pods created, rolled, and their events expired: $${dollars.toFixed(4)}`);
    if (dollars > MOST_DOLLARS_PER_1000) this.#wrong.push(`1,000 pods cost $${dollars.toFixed(4)}`);
    return this.#wrong;
  }

  async #rollOut(phase: Phase): Promise<void> {
    const image = phase === 'created' ? 'nginx:1' : 'nginx:2';
    const apartMs = this.#options.apartMs?.[phase] ?? 0;
    const { scheduler } = this.#stack;
    const beganMs = scheduler.now();
    await this.#stack.finish(async () => {
      await (phase === 'created' ? this.#rollouts.create(image, apartMs) : this.#rollouts.roll(image, apartMs));
      await this.#rollouts.complete(image);
    });
    const seconds = (scheduler.now() - beganMs) / 1_000;
    const rate = this.#arrivals.takeRate();
    console.log(`${phase}: available after ${seconds.toFixed(0)} s, ${Math.round(rate)} pods created a second`);
    const { podsPerSecond = 0 } = this.#options;
    if (phase === 'created' && rate < podsPerSecond)
      this.#wrong.push(`${Math.round(rate)} pods created a second, below ${podsPerSecond}`);
    await this.#stack.rest();
  }

  /** Prints what `act` used. Resolves to its price in dollars. */
  async #measure(phase: string, act: () => Promise<void>): Promise<number> {
    const [cpu, realMs] = [process.cpuUsage(), performance.now()];
    this.#stack.dynamoDb.usage.reset();
    const before = this.#stack.usage();
    await act();
    const usage = usedBetween(before, this.#stack.usage());
    const cpuSeconds = cpuSecondsSince(cpu);
    const bill = billOf({ ...usage, 'GB-seconds/computing, at most': cpuSeconds * GB_PER_CPU });
    const dollars = totalOf(bill);
    console.log(
      `${phase}: $${dollars.toFixed(4)} ($${((dollars / this.#options.pods) * 1_000).toFixed(4)} for 1,000 pods); ${((performance.now() - realMs) / 1_000).toFixed(0)} s of real time, ${cpuSeconds.toFixed(0)} s of CPU time`,
    );
    printBill(bill);
    this.#printComputing(cpuSeconds);
    this.#printStrain();
    return dollars;
  }

  #printComputing(cpuSeconds: number): void {
    const { pods, knobs } = this.#options;
    const batches = this.#stack.syncMaxConcurrency;
    const cpus = (batches * knobs.memoryMb.sync) / 1_024 / GB_PER_CPU;
    console.log(
      `  ${((cpuSeconds / pods) * 1_000).toFixed(1)} ms of a processor for each pod at most: ${batches} batches of keys at a time have the processors for ${Math.round((cpus * pods) / cpuSeconds)} pods a second`,
    );
  }

  #printStrain(): void {
    const { dynamoDb, cloud } = this.#stack;
    const { rows, longestThrottledMs } = dynamoDb.usage;
    console.log(
      `  deepest lag of the stream ${cloud.deepestLagMs} ms, changes seen by watches ${this.#watchers.changeCount}`,
    );
    console.log(`  the trigger of the keys handed out at most ${cloud.mostSyncs} batches at a time`);
    for (const { table, index = 'itself', operation, throttled, calls } of rows)
      if (throttled > 0)
        console.log(`  throttled: ${throttled} of ${calls + throttled} ${operation} calls of ${table} (${index})`);
    const longest = [...longestThrottledMs].sort(([, a], [, b]) => b - a)[0];
    if (longest) console.log(`  throttled for the longest time: ${longest[0]}, ${longest[1]} ms`);
    if (longest && longest[1] > LONGEST_THROTTLED_MS)
      this.#wrong.push(`${longest[0]} was throttled for ${longest[1]} ms`);
    for (const [name, count] of cloud.throttled)
      console.log(`  ${name} refused ${count} times by the account's concurrency`);
  }
}

/** Prints the larger lines, and the functions' time and the logs in any case. */
function printBill(bill: readonly BillLine[]): void {
  for (const { item, quantity, dollars } of bill) {
    if (dollars > totalOf(bill) / 100 || item.startsWith('GB-seconds/') || item === 'log bytes')
      console.log(`  ${item.padEnd(34)} ${Math.round(quantity).toString().padStart(12)}  $${dollars.toFixed(5)}`);
  }
}

function cpuSecondsSince(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
