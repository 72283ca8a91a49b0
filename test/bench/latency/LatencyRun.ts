import { parseStackProps } from '../../../infra/cdk/parseStackProps.ts';
import { FUNCTIONS } from '../../../infra/topology.ts';
import { isPodReady } from '../../../lambdas/objects/pods/podState.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';
import { Random } from '../../simulation/Random.ts';
import { benchDeployment } from '../benchDeployment.ts';
import type { PodShape } from '../benchPods.ts';
import { isComplete } from '../ModelRollouts.ts';
import { ModelStack } from '../ModelStack.ts';
import { FirstRequests } from './FirstRequests.ts';
import { LatencyWatch } from './LatencyWatch.ts';
import { TableMirror } from './TableMirror.ts';

const NAMESPACE = 'bench';
const NAME = 'web';
const OLD_IMAGE = 'nginx:1';
const NEW_IMAGE = 'nginx:2';
const WATCHED = ['pods', 'deployments.apps'] as const;
/** Between two steps: everything has ended by then that follows from one, and nothing has fallen asleep. */
const PAUSE_MS = 15_000;
/** After so long the functions have no instance left, but for those that are kept warm. */
const LONG_PAUSE_MS = 10 * 60_000;
/** The pauses differ by up to so much: from one warming request to the next. */
const WARM_PERIOD_MS = FUNCTIONS.api.trigger.warmMs;

export interface LatencyRunOptions {
  readonly seed: number;
  readonly replicas: number;
  readonly shape: PodShape;
}

/** What was measured, in milliseconds of the model's time, by the name of the row. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** A person with one Deployment: how long each step takes, from the acknowledgement of the write that asks for it until the table shows its end. Everything is warm unless said otherwise. */
export class LatencyRun {
  readonly #options: LatencyRunOptions;
  readonly #mirror = new TableMirror(NAMESPACE);
  readonly #stack: ModelStack;
  readonly #samples = new Map<string, number[]>();

  constructor(options: LatencyRunOptions) {
    this.#options = options;
    this.#stack = new ModelStack(parseStackProps({}), (change, atMs) => this.#mirror.note(change, atMs), options.seed);
  }

  /** The steps of a small Deployment's life, with open watches, and a first request at the end. */
  async life(): Promise<Samples> {
    await this.#open();
    const watches = WATCHED.map((resource) => this.#watch(resource));
    await this.#stack.pass(PAUSE_MS);
    const { replicas } = this.#options;
    await this.#create();
    await this.#roll();
    await this.#step(() => this.#edit((spec) => ({ ...spec, replicas: replicas + Math.ceil(replicas / 2) })), {
      'scaled by half, available': () => this.#isComplete(NEW_IMAGE),
    });
    await this.#step(() => this.#delete('Background'), { 'deleted, background': () => this.#mirror.isEmpty });
    await this.#apply();
    await this.#step(() => this.#delete('Foreground'), { 'deleted, foreground': () => this.#mirror.isEmpty });
    for (const watch of watches) watch.stop();
    await this.#request();
    return this.#samples;
  }

  /** A rollout without a watch. */
  async rollout(): Promise<Samples> {
    await this.#open();
    await this.#apply();
    await this.#roll();
    return this.#samples;
  }

  /** The first Deployment after the start finds every function cold, so it is not measured. */
  async #open(): Promise<void> {
    await this.#stack.bootstrap([NAMESPACE], 3);
    await this.#stack.rest();
    await this.#apply();
    await this.#step(() => this.#delete('Background'), {});
  }

  async #create(): Promise<void> {
    const { replicas } = this.#options;
    const isReady = () => this.#mirror.livePods.filter(isPodReady).length === replicas;
    await this.#step(() => this.#post(), { Ready: isReady, available: () => this.#isComplete(OLD_IMAGE) });
  }

  async #roll(): Promise<void> {
    const image = (spec: Spec) => ({ ...spec, template: this.#deployment(NEW_IMAGE).spec.template });
    await this.#step(() => this.#edit(image), { rolled: () => this.#isComplete(NEW_IMAGE) });
  }

  async #apply(): Promise<void> {
    await this.#stack.finish(async () => {
      await this.#post();
      await this.#mirror.until(() => this.#isComplete(OLD_IMAGE));
    });
    await this.#stack.pass(PAUSE_MS);
  }

  /** Carries out one write and notes when each of the ends is reached. */
  async #step(act: () => Promise<void>, ends: Readonly<Record<string, () => boolean>>): Promise<void> {
    const { scheduler } = this.#stack;
    await this.#stack.finish(async () => {
      await act();
      const beganMs = scheduler.now();
      const reached = Object.entries(ends).map(async ([row, end]) => {
        await this.#mirror.until(end);
        this.#note(row, scheduler.now() - beganMs);
      });
      await Promise.all(reached);
    });
    await this.#stack.pass(PAUSE_MS);
  }

  /** What the first request after a pause takes beyond the next one. */
  async #request(): Promise<void> {
    const requests = new FirstRequests(this.#stack);
    const send = async () => {
      const beganMs = this.#stack.scheduler.now();
      await requests.send({ resource: 'namespaces', namespace: '', name: NAMESPACE });
      return this.#stack.scheduler.now() - beganMs;
    };
    await this.#stack.finish(send);
    await this.#stack.pass(LONG_PAUSE_MS + new Random(this.#options.seed).integer(0, WARM_PERIOD_MS));
    await this.#stack.finish(async () => {
      const first = await send();
      this.#note('first request after a pause, beyond a warm one', first - (await send()));
    });
  }

  #watch(resource: string): LatencyWatch {
    const { cloud, scheduler } = this.#stack;
    const watch = new LatencyWatch(cloud.functions.api, scheduler, resource, (change) => {
      const writtenAtMs = this.#mirror.writtenAtMs(change);
      if (writtenAtMs !== undefined) this.#note('a change seen by a watcher', scheduler.now() - writtenAtMs);
    });
    watch.start();
    return watch;
  }

  #note(row: string, ms: number): void {
    this.#samples.set(row, [...(this.#samples.get(row) ?? []), ms]);
  }

  #isComplete(image: string): boolean {
    const deployment = this.#mirror.deployments.get(NAME);
    return deployment !== undefined && isComplete(deployment, image);
  }

  #deployment(image: string) {
    const { replicas, shape } = this.#options;
    const { spec, ...made } = benchDeployment(NAME, replicas, image, shape);
    // Pods end with the grace period that they have by default, as a user's do.
    const { terminationGracePeriodSeconds: _, ...podSpec } = spec.template.spec;
    const template = { ...spec.template, spec: podSpec };
    return { ...made, metadata: { name: NAME, namespace: NAMESPACE }, spec: { ...spec, template } };
  }

  async #post(): Promise<void> {
    const created = await this.#stack.api.registry.create('deployments.apps', this.#deployment(OLD_IMAGE));
    if (created.status === 'refused') throw created.error;
  }

  async #delete(propagationPolicy: 'Background' | 'Foreground'): Promise<void> {
    const place = { resource: 'deployments.apps', namespace: NAMESPACE, name: NAME };
    const deleted = await this.#stack.api.registry.delete(place, { propagationPolicy });
    if (deleted.status === 'refused') throw deleted.error;
  }

  /** Reads the object and replaces it, and begins again if another writer was quicker. */
  async #edit(change: (spec: Spec) => object): Promise<void> {
    const { registry } = this.#stack.api;
    for (;;) {
      const found = await registry.get<Deployment>({ resource: 'deployments.apps', namespace: NAMESPACE, name: NAME });
      if (!found?.spec) throw new Error('the Deployment is gone');
      const edited = { ...found, spec: change(found.spec) };
      if ((await registry.update('deployments.apps', edited as Deployment)).status !== 'refused') return;
    }
  }
}

type Spec = NonNullable<Deployment['spec']>;
