import { createDeploymentController } from '../../lambdas/controllers/deployment/createDeploymentController.ts';
import type { EventToRecord } from '../../lambdas/controllers/EventRecorder.ts';
import { createReplicaSetController } from '../../lambdas/controllers/replicaset/createReplicaSetController.ts';
import type { Deployment, Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import { ControllerBench } from './ControllerBench.ts';

type Spec = NonNullable<Deployment['spec']>;

/** Deployments, ReplicaSets and simulated pods over a store in memory, in the namespace `default`. */
export class DeploymentBench extends ControllerBench {
  /** The Deployment controller's syncs. */
  readonly events: EventToRecord[] = [];

  constructor() {
    super();
    const { registry, ids } = this;
    const events = { record: async (recorded: readonly EventToRecord[]) => void this.events.push(...recorded) };
    const silent = { record: async () => {} };
    this.add(createDeploymentController({ registry, ids, events }));
    this.add(createReplicaSetController({ registry, ids, events: silent }));
    this.addPodControllers();
  }

  async bootstrap(): Promise<void> {
    await this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    await this.createNode('node-1');
  }

  async deploy(spec: Partial<Spec>, annotations?: Record<string, string>): Promise<void> {
    await this.create('deployments.apps', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default', ...(annotations && { annotations }) },
      spec: { selector: { matchLabels: { app: 'web' } }, template: templateWith('nginx:1'), ...spec },
    });
    await this.settle();
  }

  /** Changes the Deployment as a client would, and runs until nothing is left to do. */
  async change(spec: Partial<Spec>, annotations?: Record<string, string>): Promise<void> {
    const current = await this.deployment();
    const metadata = { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } };
    const changed = { ...current, metadata, spec: { ...(current.spec as Spec), ...spec } };
    const outcome = await this.registry.update('deployments.apps', changed);
    if (outcome.status === 'refused') throw outcome.error;
    await this.settle();
  }

  async deployment(): Promise<Deployment> {
    const found = await this.get<Deployment>('deployments.apps', 'default', 'web');
    if (!found) throw new Error('the deployment is gone');
    return found;
  }

  /** Oldest revision first. */
  async replicaSets(): Promise<readonly ReplicaSet[]> {
    const { items } = await this.objectStore.list<ReplicaSet>('replicasets.apps', { namespace: 'default' });
    return items.toSorted((a, b) => Number(revisionOf(a)) - Number(revisionOf(b)));
  }

  /** `revision image: replicas` of each, such as `2 nginx:2: 3`. */
  async sizes(): Promise<string[]> {
    return (await this.replicaSets()).map(
      (one) => `${revisionOf(one)} ${one.spec?.template?.spec?.containers[0]?.image}: ${one.spec?.replicas}`,
    );
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.objectStore.list<Pod>('pods', { namespace: 'default' })).items;
  }

  /** `reason: message` of each event about the Deployment so far. */
  eventTexts(): string[] {
    return this.events.map(({ reason, message }) => `${reason}: ${message}`);
  }

  async conditions(): Promise<string[]> {
    const { status } = await this.deployment();
    return (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
  }
}

export function revisionOf({ metadata }: ReplicaSet | Deployment): string | undefined {
  return metadata.annotations?.['deployment.kubernetes.io/revision'];
}

/** A pod template with that image, and annotations for the simulated kubelet. */
export function templateWith(image: string, annotations?: Record<string, string>): Spec['template'] {
  return {
    metadata: { labels: { app: 'web' }, ...(annotations && { annotations }) },
    spec: { containers: [{ name: 'main', image }] },
  };
}
