import type { Deployment } from '../../lambdas/objects/kinds.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { Scheduler } from '../simulation/Scheduler.ts';
import { benchDeployment } from './benchDeployment.ts';
import type { PodShape } from './benchPods.ts';

const POLL_MS = 1_000;
const LIMIT_MS = 24 * 3_600_000;

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** A client with some Deployments, which share a number of pods. */
export class ModelRollouts {
  readonly namespaces: readonly string[];
  readonly #registry: Registry;
  readonly #scheduler: Scheduler;
  readonly #places: readonly Place[];
  readonly #replicas: number;
  readonly #shape: PodShape;

  constructor(
    registry: Registry,
    scheduler: Scheduler,
    load: {
      readonly pods: number;
      readonly namespaces: number;
      readonly deployments: number;
      readonly shape: PodShape;
    },
  ) {
    this.#registry = registry;
    this.#scheduler = scheduler;
    this.#shape = load.shape;
    this.namespaces = Array.from({ length: load.namespaces }, (_, at) => `bench-${at}`);
    const names = Array.from({ length: load.deployments }, (_, at) => (at === 0 ? 'web' : `web-${at}`));
    this.#places = this.namespaces.flatMap((namespace) => names.map((name) => ({ namespace, name })));
    this.#replicas = load.pods / this.#places.length;
    if (!Number.isInteger(this.#replicas)) throw new RangeError('the Deployments cannot share the pods equally');
  }

  /** Creates one Deployment each `apartMs` milliseconds. */
  async create(image: string, apartMs: number): Promise<void> {
    await this.#forEach(apartMs, async (metadata) => {
      const deployment = { ...benchDeployment(metadata.name, this.#replicas, image, this.#shape), metadata };
      const created = await this.#registry.create('deployments.apps', deployment);
      if (created.status === 'refused') throw created.error;
    });
  }

  /** Rolls one Deployment each `apartMs` milliseconds. */
  async roll(image: string, apartMs: number): Promise<void> {
    await this.#forEach(apartMs, async (place) => await this.#setImage(place, image));
  }

  /** Resolves when every Deployment is complete. */
  async complete(image: string): Promise<void> {
    const endMs = this.#scheduler.now() + LIMIT_MS;
    for (let left = this.#places; left.length > 0; ) {
      const complete = await Promise.all(left.map(async (place) => isComplete(await this.#deployment(place), image)));
      left = left.filter((_, at) => !complete[at]);
      await this.#scheduler.wait(POLL_MS);
      if (this.#scheduler.now() > endMs) throw new Error('it takes more than a day');
    }
  }

  async #forEach(apartMs: number, act: (place: Place) => Promise<void>): Promise<void> {
    const acting = this.#places.map(async (place, at) => {
      if (apartMs > 0) await this.#scheduler.wait(at * apartMs);
      await act(place);
    });
    await Promise.all(acting);
  }

  async #setImage(place: Place, image: string): Promise<void> {
    for (;;) {
      const deployment = await this.#deployment(place);
      const { template } = deployment.spec ?? {};
      const [web, ...others] = template?.spec?.containers ?? [];
      const containers = [{ ...web, image }, ...others];
      const spec = { ...deployment.spec, template: { ...template, spec: { ...template?.spec, containers } } };
      const updated = await this.#registry.update('deployments.apps', { ...deployment, spec } as Deployment);
      if (updated.status !== 'refused') return;
    }
  }

  async #deployment(place: Place): Promise<Deployment> {
    const found = await this.#registry.get<Deployment>({ resource: 'deployments.apps', ...place });
    if (!found) throw new Error(`the Deployment ${place.namespace}/${place.name} is gone`);
    return found;
  }
}

/** True once the Deployment has rolled out that image to all its replicas. Pure. */
export function isComplete({ spec, status, metadata }: Deployment, image: string): boolean {
  const replicas = spec?.replicas ?? 1;
  const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
  const isObserved = status?.observedGeneration === metadata.generation;
  return (
    isObserved && spec?.template?.spec?.containers[0]?.image === image && counts.every((count) => count === replicas)
  );
}
