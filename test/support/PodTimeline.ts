import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import { SimulatedPodRuntime } from '../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import type { Node, Pod } from '../../lambdas/objects/kinds.ts';
import { podConditionOf } from '../../lambdas/objects/pods/podState.ts';
import { formatTime } from '../../lambdas/ports/Clock.ts';
import type { PodStep } from '../../lambdas/ports/PodRuntime.ts';

const NODES: readonly Node[] = ['node-1', 'node-2'].map((name, index) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { disk: `disk-${index}` },
  },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: [{ type: 'InternalIP', address: `10.0.0.${index + 1}` }],
  },
}));

/** One pod, its binding and the simulated runtime's writes to it over time, a line for each, such as `12s Running 0/1 main:CrashLoopBackOff(2)`. */
export class PodTimeline {
  readonly startMs = Date.parse('2026-01-01T00:00:00Z');
  readonly lines: string[] = [];
  pod: Pod;
  nodes: readonly Node[] = NODES;
  onStep: (before: Pod, after: Pod) => void = () => {};
  #nowMs = this.startMs;
  readonly #runtime = new SimulatedPodRuntime();
  #removed = false;

  constructor(annotations: Readonly<Record<string, string>> = {}, spec: Partial<NonNullable<Pod['spec']>> = {}) {
    const named = Object.entries(annotations).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]);
    this.pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web',
        namespace: 'default',
        uid: 'u-1',
        resourceVersion: '1',
        creationTimestamp: formatTime(this.startMs),
        annotations: Object.fromEntries(named) as Record<string, string>,
      },
      spec: { restartPolicy: 'Always', containers: [{ name: 'main', image: 'nginx:1.27' }], ...spec },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    };
  }

  /** Lets this many seconds pass; returns all lines so far. */
  async run(seconds: number): Promise<readonly string[]> {
    const untilMs = this.#nowMs + seconds * 1000;
    for (let steps = 0; steps < 10_000 && !this.#removed; steps++) {
      if (!this.pod.spec?.nodeName) {
        if (this.pod.spec?.schedulerName !== undefined) break;
        this.#bind();
        continue;
      }
      const step = await this.#runtime.next(this.pod, this.node, this.#nowMs);
      if (step.step === 'wait') {
        if (step.nextAtMs === undefined || step.nextAtMs > untilMs) break;
        if (step.nextAtMs <= this.#nowMs) throw new Error('it waits for the past');
        this.#nowMs = step.nextAtMs;
        continue;
      }
      this.take(step);
      if (step.step === 'status' && step.isSettled) await this.#mustWait();
    }
    this.#nowMs = untilMs;
    return this.lines;
  }

  /** Throws if the runtime has called the pod settled and would do something now. */
  async #mustWait(): Promise<void> {
    const { step, ...rest } = await this.#runtime.next(this.pod, this.node, this.#nowMs);
    if (step !== 'wait' || Object.keys(rest).length > 0) throw new Error(`the pod is not settled: ${step}`);
  }

  /** Writes what the runtime asked for, as the pod controller does. */
  take(step: PodStep): void {
    const before = this.pod;
    if (step.step === 'status') {
      this.pod = { ...this.pod, status: structuredClone(step.status) };
    } else {
      this.#removed = this.pod.metadata.finalizers === undefined;
      this.pod = { ...this.pod, metadata: { ...this.pod.metadata, deletionGracePeriodSeconds: 0 } };
    }
    this.onStep(before, this.pod);
    this.lines.push(`${this.#seconds()} ${step.step === 'status' ? describe(this.pod) : step.step}`);
  }

  /** The pod's own node. */
  get node(): Node | undefined {
    return this.nodes.find(({ metadata }) => metadata.name === this.pod.spec?.nodeName);
  }

  /** Gives the pod a node, as a scheduler does. */
  #bind(): void {
    const before = this.pod;
    this.pod = { ...before, spec: { containers: [], ...before.spec, nodeName: 'node-1' } };
    this.onStep(before, this.pod);
    this.lines.push(`${this.#seconds()} bind`);
  }

  /** Marks the pod for deletion as the registry does. */
  delete(graceSeconds: number, finalizers?: string[]): void {
    const metadata = {
      ...this.pod.metadata,
      deletionTimestamp: formatTime(this.#nowMs + graceSeconds * 1000),
      deletionGracePeriodSeconds: graceSeconds,
      ...(finalizers && { finalizers }),
    };
    this.pod = { ...this.pod, metadata };
  }

  #seconds(): string {
    return `${(this.#nowMs - this.startMs) / 1000}s`;
  }
}

function describe(pod: Pod): string {
  const { phase, containerStatuses = [], initContainerStatuses = [], reason } = pod.status ?? {};
  const ready = `${containerStatuses.filter((status) => status.ready).length}/${containerStatuses.length}`;
  const isReady = podConditionOf(pod, 'Ready')?.status === 'True' ? ['Ready'] : [];
  const containers = [...initContainerStatuses, ...containerStatuses].map(describeContainer);
  return [phase, ready, ...isReady, ...(reason === undefined ? [] : [reason]), ...containers].join(' ');
}

function describeContainer({ name, state, restartCount }: ContainerStatus): string {
  const { waiting, running, terminated } = state ?? {};
  const what = running ? 'running' : (waiting?.reason ?? `${terminated?.reason}=${terminated?.exitCode}`);
  return `${name}:${what}${restartCount > 0 ? `(${restartCount})` : ''}`;
}
