import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { KubernetesApi } from './KubernetesApi.ts';

/** The lowest number of available pods and the highest number of pods in the namespace since `begin`. */
export interface Extremes {
  lowestAvailable: number;
  highestPods: number;
}

/** Watches the Deployments and pods of a namespace, as a client does, and finds out when all Deployments are complete. */
export class RolloutObserver {
  readonly #deployments = new Map<string, Deployment>();
  readonly #pods = new Map<string, { ready: boolean; deleting: boolean }>();
  readonly #abort = new AbortController();
  readonly #waiting = new Set<() => void>();
  #extremes: Extremes = { lowestAvailable: 0, highestPods: 0 };
  #ready = 0;
  #deleting = 0;

  constructor(api: KubernetesApi, namespace: string) {
    void this.#follow(
      api.watch<Deployment>(`/apis/apps/v1/namespaces/${namespace}/deployments`, this.#abort.signal),
      (type, object) => this.#seeDeployment(type, object),
    );
    void this.#follow(api.watch<Pod>(`/api/v1/namespaces/${namespace}/pods`, this.#abort.signal), (type, object) =>
      this.#seePod(type, object),
    );
  }

  begin(): void {
    this.#extremes = { lowestAvailable: this.#ready, highestPods: this.#pods.size - this.#deleting };
  }

  get extremes(): Extremes {
    return { ...this.#extremes };
  }

  get podCount(): number {
    return this.#pods.size;
  }

  /** Resolves when `test` returns true; it is called for each event. Rejects after `limitMs`. */
  until(what: string, test: () => boolean, limitMs = 300_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!test()) return;
        this.#waiting.delete(look);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => reject(new Error(`never: ${what}`)), limitMs);
      this.#waiting.add(look);
      look();
    });
  }

  /** True if `count` Deployments exist and each has rolled out `image` to all its replicas. */
  complete(count: number, image: string): boolean {
    return (
      this.#deployments.size === count &&
      [...this.#deployments.values()].every((deployment) => isComplete(deployment, image))
    );
  }

  get deploymentCount(): number {
    return this.#deployments.size;
  }

  stop(): void {
    this.#abort.abort();
  }

  async #follow<T>(events: AsyncGenerator<{ type: string; object: T }>, see: (type: string, object: T) => void) {
    try {
      for await (const { type, object } of events) {
        see(type, object);
        for (const look of this.#waiting) look();
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }

  #seeDeployment(type: string, deployment: Deployment): void {
    const name = deployment.metadata?.name ?? '';
    if (type === 'DELETED') this.#deployments.delete(name);
    else this.#deployments.set(name, deployment);
  }

  #seePod(type: string, pod: Pod): void {
    const name = pod.metadata?.name ?? '';
    const before = this.#pods.get(name);
    if (before?.ready) this.#ready -= 1;
    if (before?.deleting) this.#deleting -= 1;
    this.#pods.delete(name);
    if (type !== 'DELETED') {
      const deleting = pod.metadata?.deletionTimestamp !== undefined;
      const ready =
        !deleting && pod.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
      this.#pods.set(name, { ready, deleting });
      if (ready) this.#ready += 1;
      if (deleting) this.#deleting += 1;
    }
    const { lowestAvailable, highestPods } = this.#extremes;
    this.#extremes = {
      lowestAvailable: Math.min(lowestAvailable, this.#ready),
      highestPods: Math.max(highestPods, this.#pods.size - this.#deleting),
    };
  }
}

function isComplete({ metadata, spec, status }: Deployment, image: string): boolean {
  const replicas = spec?.replicas ?? 1;
  return (
    spec?.template.spec?.containers[0]?.image === image &&
    status?.observedGeneration === metadata?.generation &&
    (status?.replicas ?? 0) === replicas &&
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas
  );
}
