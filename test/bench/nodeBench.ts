/** Measures what a node with a kubelet costs a month: its leases, its status, and the looks at whether it is alive. Over models of AWS' services, in simulated time. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import { billOf, totalOf, usedBetween } from '../../infra/emulation/bill/billOf.ts';
import type { Usage } from '../../infra/emulation/bill/Meter.ts';
import { PRICES } from '../../infra/emulation/bill/prices.ts';
import { functionWatchMonth } from '../../infra/emulation/bill/watchPrices.ts';
import { LEASE_NAMESPACE, LEASES } from '../../lambdas/controllers/nodelifecycle/keysForChange.ts';
import type { Stored } from '../../lambdas/objects/KubernetesObject.ts';
import type { Node } from '../../lambdas/objects/kinds.ts';
import { formatMicroTime, formatTime } from '../../lambdas/ports/Clock.ts';
import type { ApiStore } from '../model/cloud/CloudModel.ts';
import { ModelStack } from './ModelStack.ts';

const HOUR_MS = 3_600_000;
const HOURS_A_MONTH = 730;
const NODES = 5;
/** A kubelet renews its lease after a quarter of its time, which is 40 s unless its configuration says otherwise. */
const RENEWALS_MS = [10_000, 25_000];
/** Without changes a kubelet reports its status every five minutes. */
const STATUS_MS = 300_000;
/** What an answer of a lease or a node measures, about. */
const ANSWER_BYTES = 1_000;
/** What a kubelet watches at least: its node, its pods, services, CSI drivers and runtime classes. */
const WATCHES = 5;
/** The highest acceptable price of a node that renews its lease every ten seconds, over the container. */
const MOST_DOLLARS = 3;

/** Prints the figures. Resolves to a line for each figure above its limit. */
export async function nodeBench(): Promise<readonly string[]> {
  console.log(`a node a month at ${PRICES.region}'s list prices of ${PRICES.asOf}, without free allowances`);
  const wrong: string[] = [];
  for (const renewalMs of RENEWALS_MS) {
    const month = await nodeMonth(renewalMs);
    const dollars = totalOf(billOf(overContainer(month)));
    console.log(
      `  a lease renewed every ${renewalMs / 1_000} s: $${dollars.toFixed(2)} over the container, $${totalOf(billOf(directly(month))).toFixed(2)} at its own address, $${totalOf(billOf(month)).toFixed(2)} over the function`,
    );
    for (const { item, quantity, dollars: price } of billOf(month))
      if (price > 0.005)
        console.log(`    ${item.padEnd(34)} ${Math.round(quantity).toString().padStart(10)}  $${price.toFixed(3)}`);
    if (dollars > MOST_DOLLARS) wrong.push(`a node costs $${dollars.toFixed(2)} a month, above $${MOST_DOLLARS}`);
  }
  const { memoryMb, watchSeconds } = parseStackProps();
  const watch = functionWatchMonth({ memoryMb: memoryMb.api, watchSeconds: watchSeconds.resumed });
  console.log(`  and over the function, its ${WATCHES} watches: $${(WATCHES * watch).toFixed(2)}`);
  return wrong;
}

/** What one node adds to a month without changes, from an hour of several. */
async function nodeMonth(renewalMs: number): Promise<Usage> {
  const stack = new ModelStack(parseStackProps({ nodes: 0 }), () => {});
  await stack.bootstrap([], 0);
  await stack.rest();
  const idle = await stack.used(async () => await stack.pass(HOUR_MS));
  const names = Array.from({ length: NODES }, (_, at) => `node-${at + 1}`);
  for (const name of names) await stack.finish(async () => await register(stack, name));
  await stack.rest();
  const hour = await stack.used(async () => await stack.finish(async () => await live(stack, names, renewalMs)));
  const factor = HOURS_A_MONTH / NODES;
  return Object.fromEntries(
    Object.entries(usedBetween(idle, hour)).map(([item, quantity]) => [item, quantity * factor]),
  );
}

/** A container costs the same whatever it answers. */
function overContainer(month: Usage): Usage {
  return Object.fromEntries(Object.entries(month).filter(([item]) => !/^(?:invocations|GB-seconds)\/api$/.test(item)));
}

/** What does not pass through API Gateway stays in the network of the nodes. */
function directly(month: Usage): Usage {
  return Object.fromEntries(
    Object.entries(overContainer(month)).filter(([item]) => item !== 'api requests' && item !== 'bytes out'),
  );
}

/** All nodes live for an hour, at times that are apart. */
async function live(stack: ModelStack, names: readonly string[], renewalMs: number): Promise<void> {
  const every = async (periodMs: number, first: number, act: () => Promise<void>) => {
    await stack.scheduler.wait(first);
    for (let passedMs = first; passedMs < HOUR_MS; passedMs += periodMs) {
      await act();
      await stack.scheduler.wait(Math.min(periodMs, HOUR_MS - passedMs));
    }
  };
  await Promise.all(
    names.flatMap((name, at) => [
      every(renewalMs, (at * renewalMs) / NODES, async () => await renew(stack, name)),
      every(STATUS_MS, (at * STATUS_MS) / NODES, async () => await reportStatus(stack, name)),
    ]),
  );
}

const leaseOf = (name: string) => ({ resource: LEASES, namespace: LEASE_NAMESPACE, name });
const nodeOf = (name: string) => ({ resource: 'nodes', namespace: '', name });

async function register(stack: ModelStack, name: string): Promise<void> {
  await ask(stack, async ({ registry, clock }) => {
    const [now, micro] = [formatTime(clock.now()), formatMicroTime(clock.now())];
    const capacity = { cpu: '2', memory: '4Gi', pods: '110' };
    const conditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
      type,
      status: type === 'Ready' ? 'True' : 'False',
      lastHeartbeatTime: now,
      lastTransitionTime: now,
    }));
    const status = { capacity, allocatable: capacity, conditions };
    await registry.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, status });
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: micro };
    const metadata = { name, namespace: LEASE_NAMESPACE };
    await registry.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  });
}

async function renew(stack: ModelStack, name: string): Promise<void> {
  await ask(stack, async ({ registry, clock }) => {
    const lease = await registry.get<Stored<Lease>>(leaseOf(name));
    if (!lease) throw new Error(`${name} has no lease`);
    const spec = { ...lease.spec, renewTime: formatMicroTime(clock.now()) };
    await registry.update(LEASES, { ...lease, spec }, { from: lease });
  });
}

async function reportStatus(stack: ModelStack, name: string): Promise<void> {
  await ask(stack, async ({ registry, clock }) => {
    const node = await registry.get<Node>(nodeOf(name));
    if (!node) throw new Error(`${name} is gone`);
    const lastHeartbeatTime = formatTime(clock.now());
    const conditions = (node.status?.conditions ?? []).map((condition) => ({ ...condition, lastHeartbeatTime }));
    const status = { ...node.status, conditions };
    await registry.update('nodes', { ...node, status }, { from: node, subresource: 'status' });
  });
}

/** One request of a kubelet. */
async function ask(stack: ModelStack, act: (store: ApiStore) => Promise<void>): Promise<void> {
  const outcome = await stack.cloud.functions.api.invoke(act);
  if (outcome.status !== 'returned') throw new Error(`the API ${outcome.status}`);
  stack.cloud.meter.request(ANSWER_BYTES);
}
