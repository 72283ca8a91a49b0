import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { benchDeployment, patchImage } from './benchDeployment.ts';
import type { PodShape } from './benchPods.ts';
import { createNamespace } from './createCompanions.ts';
import { fitPower } from './fitPower.ts';
import { IdleWatch } from './IdleWatch.ts';
import { KubernetesApi } from './KubernetesApi.ts';
import { MeasuredServer, type Usage } from './MeasuredServer.ts';
import { RolloutObserver } from './RolloutObserver.ts';
import { percentile } from './percentile.ts';
import { writeFlameGraphs } from './writeFlameGraphs.ts';

export interface LoadBenchOptions {
  /** Each size is measured on a server of its own. */
  readonly sizes: readonly number[];
  /** The pods are those of so many Deployments. */
  readonly deployments: number;
  readonly shape: PodShape;
  /** Watches on the pods, besides that of the bench itself. */
  readonly watchers: number;
  /** The directory for CPU profiles of our server. */
  readonly profileInto?: string | undefined;
  /** Another API server, which is measured the same way. */
  readonly peerUrl?: string | undefined;
}

const LIMIT_MS = 3_600_000;
const ASK_EVERY_MS = 10;
const KIB = 1024;
const PHASES = ['created', 'rolled', 'deleted'] as const;
type Phase = (typeof PHASES)[number];

interface Measured {
  readonly size: number;
  readonly phase: Phase;
  readonly seconds: number;
  /** The time of a small request meanwhile: 99 of 100 took less. */
  readonly p99RequestMs: number;
  readonly usage?: Usage;
}

/** Creates, rolls and deletes so many pods, and shows what that took: time, CPU and memory a pod, how late the server's timers and answers were, and how the cost grows with the size. */
export async function loadBench(options: LoadBenchOptions): Promise<void> {
  const ours: Measured[] = [];
  for (const size of options.sizes) {
    const server = await MeasuredServer.start(options.profileInto);
    try {
      const idle = await server.look();
      console.log(`${size} pods: started in ${server.startMs.toFixed(0)} ms, idle ${idle.rssMiB.toFixed(0)} MiB`);
      for await (const measured of measure(server.baseUrl, size, options, () => server.look())) {
        console.log(`  ${describeMeasured(measured, idle)}`);
        ours.push(measured);
      }
    } finally {
      await server.dispose();
    }
    if (options.peerUrl === undefined) continue;
    for await (const peer of measure(options.peerUrl, size, options)) {
      const mine = ours.find((one) => one.size === size && one.phase === peer.phase);
      const ratio = mine && `, ${(peer.seconds / mine.seconds).toFixed(1)} times ours`;
      console.log(`  peer: ${describeMeasured(peer)}${ratio}`);
    }
  }
  if (options.sizes.length > 1) for (const phase of PHASES) console.log(describeGrowth(phase, ours));
  if (options.profileInto !== undefined)
    for (const page of writeFlameGraphs(options.profileInto)) console.log(`flame graph: ${page}`);
}

async function* measure(
  baseUrl: string,
  size: number,
  { deployments, watchers, shape }: LoadBenchOptions,
  look?: () => Promise<Usage>,
): AsyncGenerator<Measured> {
  const api = new KubernetesApi(baseUrl);
  const namespace = `load-${randomUUID().slice(0, 8)}`;
  await createNamespace(api, namespace);
  const collection = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const names = Array.from({ length: deployments }, (_, index) => `web-${index}`);
  const replicas = names.map((_, index) => Math.floor((size + index) / deployments));
  const observer = new RolloutObserver(api, namespace);
  const watch = `/api/v1/namespaces/${namespace}/pods?watch=true&timeoutSeconds=3600`;
  const watches: IdleWatch[] = [];
  while (watches.length < watchers) watches.push(await IdleWatch.open(baseUrl, watch));
  const acts: Readonly<
    Record<Phase, { act: (name: string, index: number) => Promise<unknown>; isDone: () => boolean }>
  > = {
    created: {
      act: (name, index) => api.call('POST', collection, benchDeployment(name, replicas[index] ?? 0, 'nginx:1', shape)),
      isDone: () => observer.complete(deployments, 'nginx:1'),
    },
    rolled: {
      act: (name) => patchImage(api, `${collection}/${name}`, 'nginx:2'),
      isDone: () => observer.complete(deployments, 'nginx:2'),
    },
    deleted: {
      act: (name) => api.call('DELETE', `${collection}/${name}`),
      isDone: () => observer.deploymentCount + observer.podCount === 0,
    },
  };
  try {
    for (const phase of PHASES) {
      const { act, isDone } = acts[phase];
      const asking = new AbortController();
      const times = askAgain(baseUrl, asking.signal);
      const begunMs = performance.now();
      await Promise.all(names.map(act));
      await observer.until(`${size} pods ${phase}`, isDone, LIMIT_MS);
      const seconds = (performance.now() - begunMs) / 1_000;
      asking.abort();
      const p99RequestMs = percentile(await times, 0.99);
      yield { size, phase, seconds, p99RequestMs, ...(look && { usage: await look() }) };
    }
  } finally {
    observer.stop();
    for (const one of watches) one.close();
    await api.call('DELETE', `/api/v1/namespaces/${namespace}`);
  }
}

/** Sends a small request again and again. Resolves to how long each took, in milliseconds, once the signal is aborted. */
async function askAgain(baseUrl: string, signal: AbortSignal): Promise<readonly number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const begunMs = performance.now();
    await (await fetch(`${baseUrl}/api/v1/namespaces/default`)).text();
    times.push(performance.now() - begunMs);
    await pause(ASK_EVERY_MS);
  }
  return times;
}

function describeMeasured({ size, phase, seconds, p99RequestMs, usage }: Measured, idle?: Usage): string {
  const each = (value: number) => ((value * 1_000) / size).toFixed(2);
  const outside = `${phase.padEnd(7)} ${seconds.toFixed(2)} s (${each(seconds)} ms a pod), a request ${p99RequestMs.toFixed(0)} ms (99 %)`;
  if (!usage) return outside;
  const { cpuSeconds, p99DelayMs, longestDelayMs, heapBytes, rssMiB } = usage;
  const kibEach = (heapBytes - (idle?.heapBytes ?? 0)) / KIB / size;
  const loop = `timers late by ${p99DelayMs.toFixed(0)} ms (99 %), ${longestDelayMs.toFixed(0)} ms (most)`;
  return `${outside}; CPU ${cpuSeconds.toFixed(1)} s (${each(cpuSeconds)} ms a pod); ${loop}; ${kibEach.toFixed(1)} KiB of heap a pod, ${rssMiB.toFixed(0)} MiB`;
}

function describeGrowth(phase: Phase, all: readonly Measured[]): string {
  const points = all.filter((one) => one.phase === phase);
  const fitOf = (costOf: (one: Measured) => number) =>
    fitPower(points.map((one) => ({ size: one.size, cost: costOf(one) }))).exponent.toFixed(2);
  return `${phase}: seconds grow with the size to the power of ${fitOf(({ seconds }) => seconds)}, CPU to that of ${fitOf(({ usage }) => usage?.cpuSeconds ?? 0)}`;
}
