/** Computes what watches cost in a month, over the function and over the container, at list prices; and, with emulators, what an abandoned watch costs. */
import { setTimeout as pause } from 'node:timers/promises';
import { TASK } from '../../infra/cdk/createApiService.ts';
import { DEFAULT_STACK_PROPS } from '../../infra/cdk/DriftlessStackProps.ts';
import { billOf, totalOf, type BillLine, usedBetween } from '../../infra/emulation/bill/billOf.ts';
import { CountingMeter } from '../../infra/emulation/bill/Meter.ts';
import { PRICES } from '../../infra/emulation/bill/prices.ts';
import {
  clientDollars,
  containerMonth,
  crossing,
  functionWatchMonth,
  machineMonth,
  type WatchLifetimes,
} from '../../infra/emulation/bill/watchPrices.ts';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';

const WATCHES = { memoryMb: DEFAULT_STACK_PROPS.memoryMb.api, watchSeconds: DEFAULT_STACK_PROPS.watchSeconds.resumed };
const CONTAINER = { vcpu: TASK.cpu / 1024, memoryGb: TASK.memoryMiB / 1024 };
const PODS = '/api/v1/namespaces/default/pods';
const ABANDONED_LIMIT = 0.0006;
/** What a watch of the API function causes. */
const OF_A_WATCH = /^(?:invocations|GB-seconds)\/ApiFunction|^api requests|^bytes out|\/(?:LogTable|VersionsTable)$/;

/** Prints the figures. Resolves to a line for each figure above its limit. */
export async function watchBench(): Promise<readonly string[]> {
  console.log(`a month at ${PRICES.region}'s list prices of ${PRICES.asOf}, without free allowances`);
  const [one, container, { machine, eks }] = [functionWatchMonth(WATCHES), containerMonth(CONTAINER), machineMonth()];
  console.log(`  one watch that is always open, over the function: $${one.toFixed(2)}`);
  console.log(`  the container with its load balancer and address: $${container.toFixed(2)}`);
  console.log(`  the container is cheaper from ${crossing(WATCHES, CONTAINER).toFixed(2)} watches on`);
  console.log(
    `  a t4g.small with disk and address: $${machine.toFixed(2)}; the control plane of EKS: $${eks.toFixed(2)}`,
  );
  printLifetimes();
  const meter = new CountingMeter();
  const emulation = await startEmulation({ meter, accountConcurrency: 1000 });
  try {
    return [
      ...(await abandon(emulation, meter, 'without timeoutSeconds', '')),
      ...(await abandon(emulation, meter, 'with timeoutSeconds', '&timeoutSeconds=500')),
    ];
  } finally {
    await emulation.stop();
  }
}

/** Watches that grow while their client resumes them, beside those of one length: what clients cost that stay for a while and leave without a word. */
function printLifetimes(): void {
  const lifetimes: Readonly<Record<string, WatchLifetimes>> = {
    '20 s each': { first: 20, growth: 1, most: 20 },
    [`${WATCHES.watchSeconds} s each`]: { first: WATCHES.watchSeconds, growth: 1, most: WATCHES.watchSeconds },
    '20 s, then twice as long, up to 840 s': { first: 20, growth: 2, most: 840 },
    '840 s each': { first: 840, growth: 1, most: 840 },
  };
  const stays = { '5 s': 5, '90 s': 90, 'an hour': 3_610, 'a day': 86_410 };
  console.log(
    `  ${'a client that stays for'.padEnd(40)}${Object.keys(stays)
      .map((stay) => stay.padStart(12))
      .join('')}`,
  );
  for (const [name, lifetime] of Object.entries(lifetimes)) {
    const costs = Object.values(stays).map((seconds) => clientDollars(lifetime, WATCHES.memoryMb, seconds));
    console.log(`  ${name.padEnd(40)}${costs.map((cost) => `$${cost.toFixed(6)}`.padStart(12)).join('')}`);
  }
}

async function abandon(
  emulation: Emulation,
  meter: CountingMeter,
  what: string,
  query: string,
): Promise<readonly string[]> {
  const ask = (path: string, signal?: AbortSignal) =>
    fetch(emulation.url + path, {
      headers: { authorization: `Bearer ${emulation.token()}` },
      ...(signal && { signal }),
    });
  const count = () => meter.usage()['invocations/ApiFunction'] ?? 0;
  // The authorizer's answer is cached then. A function is billed a moment after its answer.
  const warm = count();
  await (await ask(PODS)).text();
  while (count() === warm) await pause(100);
  const before = meter.usage();
  const leave = new AbortController();
  await ask(`${PODS}?watch=true${query}`, leave.signal);
  await pause(1_000);
  leave.abort();
  const begun = before['invocations/ApiFunction'] ?? 0;
  while (count() === begun) await pause(500);
  const lines: readonly BillLine[] = billOf(usedBetween(before, meter.usage())).filter(({ item }) =>
    OF_A_WATCH.test(item),
  );
  const dollars = totalOf(lines);
  console.log(`an abandoned watch ${what}: $${dollars.toFixed(6)}`);
  for (const { item, quantity, dollars: cost } of lines) {
    console.log(`  ${item.padEnd(28)} ${quantity.toFixed(2).padStart(10)}  $${cost.toFixed(7)}`);
  }
  return dollars < ABANDONED_LIMIT
    ? []
    : [`an abandoned watch ${what}: $${dollars.toFixed(6)}, above $${ABANDONED_LIMIT}`];
}
