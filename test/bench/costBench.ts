/**
 * Counts the cost of rollouts in the cloud: runs the stack on emulators and computes the bill at list prices. `PODS=100,1000,2000` sets the numbers of pods;
 * `DETAIL=1` prints every line.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { billOf, totalOf, usedBetween } from '../../infra/emulation/bill/billOf.ts';
import { CountingMeter, type Usage } from '../../infra/emulation/bill/Meter.ts';
import { PRICES } from '../../infra/emulation/bill/prices.ts';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import { IDLE_POLLS } from '../model/publishedLimits.ts';
import { benchDeployment, patchImage } from './benchDeployment.ts';
import type { PodShape } from './benchPods.ts';
import { createNamespace } from './createCompanions.ts';
import { KubernetesApi } from './KubernetesApi.ts';
import { RolloutObserver } from './RolloutObserver.ts';

const LIMIT_MS = 1_800_000;
const MONTH_MS = 730 * 3_600_000;
const IDLE_MS = 120_000;
const IDLE_LIMIT = 1;
/** The bench itself holds two watches, each of which keeps a function running. They are billed when they end, outside the measured steps. */
const WATCHES_GB = 2 * 0.5;
const QUIET_MS = 3_000;
const POLL_MS = 250;

interface CostRow {
  readonly scenario: string;
  readonly pods: number;
  readonly seconds: number;
  readonly usage: Usage;
  readonly dollars: number;
}

/** The highest acceptable cost of 1,000 pods, in dollars. */
const LIMITS: Readonly<Record<string, number>> = { created: 0.05, rolled: 0.1 };
const LIMITS_ARE_FOR = 1_000;

/** Prints the figures. Resolves to a line for each figure above its limit. */
export async function costBench(podCounts: readonly number[], shape: PodShape): Promise<readonly string[]> {
  console.log(
    `at ${PRICES.region}'s list prices of ${PRICES.asOf}, without free allowances; milliseconds are this machine's`,
  );
  const meter = new CountingMeter();
  const emulation = await startEmulation({ meter, onLog: showErrors, accountConcurrency: 1000 });
  try {
    const rows: CostRow[] = [];
    for (const pods of podCounts) rows.push(...(await measure(emulation, meter, pods, shape)));
    return [...aboveLimit(rows), ...(await idleMonth(meter))];
  } finally {
    await emulation.stop();
  }
}

async function measure(emulation: Emulation, meter: CountingMeter, pods: number, shape: PodShape): Promise<CostRow[]> {
  const api = new KubernetesApi(emulation.url, () => ({ authorization: `Bearer ${emulation.token()}` }));
  const namespace = `cost-${pods}`;
  await createNamespace(api, namespace);
  const observer = new RolloutObserver(api, namespace);
  await quiet(meter);
  const rows: CostRow[] = [];
  const step = async (scenario: string, act: () => Promise<unknown>, test: () => boolean) => {
    const before = meter.usage();
    const begunMs = performance.now();
    await act();
    await observer.until(scenario, test, LIMIT_MS);
    const seconds = (performance.now() - begunMs) / 1000;
    await quiet(meter);
    const usage = usedBetween(before, meter.usage());
    rows.push({ scenario, pods, seconds, usage, dollars: totalOf(billOf(usage)) });
    print(rows.at(-1) as CostRow);
  };
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await step(
    'created',
    () => api.call('POST', path, benchDeployment('big', pods, 'nginx:1', shape)),
    () => observer.complete(1, 'nginx:1'),
  );
  await step(
    'rolled',
    () => patchImage(api, `${path}/big`, 'nginx:2'),
    () => observer.complete(1, 'nginx:2'),
  );
  await step(
    'deleted',
    () => api.call('DELETE', `${path}/big`),
    () => observer.deploymentCount + observer.podCount === 0,
  );
  observer.stop();
  return rows;
}

/**
 * Computes the cost of a month without changes from the usage of two minutes. The emulation polls less than Lambda, so polling is computed.
 * CloudWatch's alarms and dashboard are within the free allowances of every account.
 */
async function idleMonth(meter: CountingMeter): Promise<readonly string[]> {
  await quiet(meter);
  const before = meter.usage();
  await pause(IDLE_MS);
  const used = Object.entries(usedBetween(before, meter.usage())).filter(([item]) => !item.endsWith('/ReceiveMessage'));
  const usage: Usage = {
    ...Object.fromEntries(used.map(([item, quantity]) => [item, quantity * (MONTH_MS / IDLE_MS)])),
    'sqs requests/ReceiveMessage': (IDLE_POLLS.open * MONTH_MS) / IDLE_POLLS.eachMs,
  };
  const dollars = totalOf(billOf(usage));
  console.log(`an idle month: $${dollars.toFixed(2)}`);
  printLines(usage, dollars);
  return dollars > IDLE_LIMIT ? [`an idle month: $${dollars.toFixed(2)}, above $${IDLE_LIMIT}`] : [];
}

/** Resolves when no function has been invoked for a while. */
async function quiet(meter: CountingMeter): Promise<void> {
  const invocations = () =>
    Object.entries(meter.usage()).reduce((sum, [item, n]) => sum + (item.startsWith('invocations/') ? n : 0), 0);
  let seen = -1;
  let sinceMs = performance.now();
  while (performance.now() - sinceMs < QUIET_MS) {
    const now = invocations();
    if (now !== seen) sinceMs = performance.now();
    seen = now;
    await pause(POLL_MS);
  }
}

function print({ scenario, pods, seconds, usage, dollars }: CostRow): void {
  const watches = seconds * WATCHES_GB * PRICES.lambdaGbSecond;
  console.log(
    `${pods} ${scenario}: $${dollars.toFixed(5)} in ${seconds.toFixed(1)} s (and $${watches.toFixed(5)} for two open watches)`,
  );
  printLines(usage, dollars);
}

function printLines(usage: Usage, dollars: number): void {
  const isDetailed = process.env['DETAIL'] === '1';
  for (const { item, quantity, dollars: cost } of billOf(usage)) {
    if (isDetailed || cost >= dollars / 50) {
      console.log(`  ${item.padEnd(34)} ${Math.round(quantity).toString().padStart(10)}  $${cost.toFixed(6)}`);
    }
  }
  if (!isDetailed) return;
  for (const [item, quantity] of Object.entries(usage).filter(
    ([name]) => name.includes('requests/') || name.startsWith('units by') || name.startsWith('milli'),
  )) {
    console.log(`    ${item.padEnd(50)} ${Math.round(quantity)}`);
  }
}

function aboveLimit(rows: readonly CostRow[]): string[] {
  return rows.flatMap(({ scenario, pods, dollars }) => {
    const limit = ((LIMITS[scenario] ?? Number.POSITIVE_INFINITY) * pods) / LIMITS_ARE_FOR;
    return pods >= LIMITS_ARE_FOR && dollars > limit
      ? [`${pods} ${scenario}: $${dollars.toFixed(4)}, above $${limit.toFixed(2)}`]
      : [];
  });
}

function showErrors(functionName: string, text: string): void {
  for (const line of text.split('\n')) if (/"level":"ERROR"/.test(line)) console.error(`${functionName}: ${line}`);
}
