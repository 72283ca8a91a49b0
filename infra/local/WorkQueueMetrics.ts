import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SyncMetrics } from '../../lambdas/functions/sync/SyncDependencies.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';

/** client-go's buckets: powers of ten from ten nanoseconds to a thousand seconds. */
const BUCKETS = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);

export interface WorkQueueMetricsOptions {
  readonly register: Registry;
  readonly clock: Clock;
  readonly controllers: readonly string[];
  /** The number of a controller's keys that wait to be synced. */
  readonly depth: (controller: string) => number;
}

/** The `workqueue_…` metrics of Kubernetes' component base, labelled with the controller's name. `register` may hold other metrics too. */
export class WorkQueueMetrics implements SyncMetrics {
  readonly #clock: Clock;
  readonly #running = new Map<string, Set<{ readonly beganAtMs: number }>>();
  readonly #adds: Counter;
  readonly #retries: Counter;
  readonly #alarms: Counter;
  readonly #waits: Histogram;
  readonly #works: Histogram;

  constructor({ register, clock, controllers, depth }: WorkQueueMetricsOptions) {
    this.#clock = clock;
    const common = { labelNames: ['name'], registers: [register] };
    const gauge = (name: string, help: string, value: (controller: string) => number) =>
      new Gauge({
        ...common,
        name,
        help,
        collect() {
          for (const controller of controllers) this.set({ name: controller }, value(controller));
        },
      });
    gauge('workqueue_depth', 'Keys that wait to be synced.', depth);
    gauge('workqueue_unfinished_work_seconds', 'Seconds that all running syncs together have taken so far.', (name) =>
      this.#runningSeconds(name).reduce((sum, seconds) => sum + seconds, 0),
    );
    gauge('workqueue_longest_running_processor_seconds', 'Seconds that the longest running sync has taken.', (name) =>
      Math.max(0, ...this.#runningSeconds(name)),
    );
    this.#adds = new Counter({ ...common, name: 'workqueue_adds_total', help: 'Keys added to the queue.' });
    this.#retries = new Counter({
      ...common,
      name: 'workqueue_retries_total',
      help: 'Keys queued again, to be retried or looked at later.',
    });
    this.#alarms = new Counter({
      ...common,
      name: 'driftless_failing_keys_total',
      help: 'Keys whose syncs have failed too often in a row.',
    });
    this.#waits = new Histogram({
      ...common,
      name: 'workqueue_queue_duration_seconds',
      help: 'Seconds from a key being due to its sync.',
      buckets: BUCKETS,
    });
    this.#works = new Histogram({
      ...common,
      name: 'workqueue_work_duration_seconds',
      help: 'Seconds that a sync took.',
      buckets: BUCKETS,
    });
    for (const name of controllers) {
      this.#adds.inc({ name }, 0);
      this.#retries.inc({ name }, 0);
    }
  }

  added(controller: string): void {
    this.#adds.inc({ name: controller });
  }

  began(controller: string, waitedMs: number): () => void {
    const sync = { beganAtMs: this.#clock.now() };
    const running = this.#running.get(controller) ?? new Set();
    this.#running.set(controller, running.add(sync));
    this.#waits.observe({ name: controller }, waitedMs / 1_000);
    return () => {
      running.delete(sync);
      this.#works.observe({ name: controller }, (this.#clock.now() - sync.beganAtMs) / 1_000);
    };
  }

  retried(controller: string): void {
    this.#retries.inc({ name: controller });
  }

  alarmed(key: WorkKey): void {
    this.#alarms.inc({ name: key.controller });
  }

  #runningSeconds(controller: string): number[] {
    const nowMs = this.#clock.now();
    return [...(this.#running.get(controller) ?? [])].map(({ beganAtMs }) => (nowMs - beganAtMs) / 1_000);
  }
}
