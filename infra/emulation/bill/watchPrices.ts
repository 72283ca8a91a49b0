import { lookEveryMs } from '../../../lambdas/adapters/aws/log/chooseSlot.ts';
import { DEFAULT_POLLING } from '../../../lambdas/adapters/aws/log/LogTail.ts';
import { RENEW_MS } from '../../../lambdas/adapters/aws/log/WatchedLogs.ts';
import { PRICES } from './prices.ts';

const HOURS_A_MONTH = 730;
const SECONDS_A_MONTH = HOURS_A_MONTH * 3600;

/** What a watch waits with: reads of the log's end, half a unit each, five a second while nothing changes. */
const POLLS_A_SECOND = (1_000 / DEFAULT_POLLING.slowestMs) * (PRICES.dynamoDbReadUnit / 2);
/** Marking the log as watched. */
const MARKS_A_SECOND = (1_000 / RENEW_MS) * (PRICES.dynamoDbReadUnit / 2 + PRICES.dynamoDbWriteUnit);
const POLLING_A_SECOND = POLLS_A_SECOND + MARKS_A_SECOND;
/** Claiming a slot and releasing it. */
const SLOT_WRITES = 2;
/** Looking whether the slot is still its own: reads that are not strong, of an item of a new account's size. */
const LOOKS_A_SECOND = (1_000 / lookEveryMs(0)) * (PRICES.dynamoDbReadUnit / 2);

/** How the API function holds watches. */
export interface FunctionWatches {
  readonly memoryMb: number;
  /** How long a watch lasts before its client resumes it. */
  readonly watchSeconds: number;
}

/** The dollars a month for one watch that is always open, over the function. Pure. */
export function functionWatchMonth({ memoryMb, watchSeconds }: FunctionWatches): number {
  return SECONDS_A_MONTH * (runningASecond(memoryMb) + RESUMING / watchSeconds);
}

/** The request that resumes a watch. */
const RESUMING = PRICES.apiRequest + PRICES.lambdaRequest + SLOT_WRITES * PRICES.dynamoDbWriteUnit;

function runningASecond(memoryMb: number): number {
  return (memoryMb / 1024) * PRICES.lambdaGbSecond + POLLING_A_SECOND + LOOKS_A_SECOND;
}

/** How long the watches of one client last, one after the other, in seconds: the first, each later one so many times as long, and at most so long. */
export interface WatchLifetimes {
  readonly first: number;
  readonly growth: number;
  readonly most: number;
}

/** The dollars for a client that watches for so many seconds and then leaves without a word: its watches, and what the last one goes on for nobody. Pure. */
export function clientDollars({ first, growth, most }: WatchLifetimes, memoryMb: number, seconds: number): number {
  let [endedAt, watches] = [0, 0];
  for (let lasts = first; endedAt < seconds; lasts = Math.min(most, lasts * growth)) {
    endedAt += lasts;
    watches += 1;
  }
  return endedAt * runningASecond(memoryMb) + watches * RESUMING;
}

/** The size of the container. */
export interface ContainerSize {
  readonly vcpu: number;
  readonly memoryGb: number;
}

/** The dollars a month for the container with its load balancer and address, whether anybody watches or not. Pure. */
export function containerMonth({ vcpu, memoryGb }: ContainerSize): number {
  const task = vcpu * PRICES.fargateArmVcpuHour + memoryGb * PRICES.fargateArmGbHour;
  return HOURS_A_MONTH * (task + PRICES.loadBalancerHour + PRICES.publicIpv4Hour);
}

/** The dollars a month for the polling of one resource's log, which all watches of the container share. Pure. */
export function containerPollingMonth(): number {
  return SECONDS_A_MONTH * POLLING_A_SECOND;
}

/** The number of watches, always open, from which the container costs less than the function. Pure. */
export function crossing(watches: FunctionWatches, container: ContainerSize): number {
  return containerMonth(container) / (functionWatchMonth(watches) - containerPollingMonth());
}

/** The dollars a month for a small machine of one's own (t4g.small, with 8 GB of disk and an address), and for the control plane of EKS. Pure. */
export function machineMonth(): { readonly machine: number; readonly eks: number } {
  const machine = HOURS_A_MONTH * (PRICES.t4gSmallHour + PRICES.publicIpv4Hour) + 8 * PRICES.gp3GbMonth;
  return { machine, eks: HOURS_A_MONTH * PRICES.eksHour };
}
