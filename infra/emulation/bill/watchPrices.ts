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

/** How the API function holds watches. */
export interface FunctionWatches {
  readonly memoryMb: number;
  /** How long a watch lasts before its client resumes it. */
  readonly watchSeconds: number;
}

/** The dollars a month for one watch that is always open, over the function. Pure. */
export function functionWatchMonth({ memoryMb, watchSeconds }: FunctionWatches): number {
  const running = (memoryMb / 1024) * PRICES.lambdaGbSecond;
  const resuming = PRICES.apiRequest + PRICES.lambdaRequest + SLOT_WRITES * PRICES.dynamoDbWriteUnit;
  return SECONDS_A_MONTH * (running + POLLING_A_SECOND + resuming / watchSeconds);
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
