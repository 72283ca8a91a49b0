import { createDisruptionController } from '../../../lambdas/controllers/disruption/createDisruptionController.ts';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { DefinedResources } from '../../../lambdas/registry/customresources/DefinedResources.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

export type Members = Record<string, unknown>;

export const BUDGETS = 'poddisruptionbudgets.policy';
export const LABELS = { app: 'web' };
export const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };

/** The disruption controller over a store in memory, with the events that it has recorded. */
export class DisruptionBench extends ControllerBench {
  readonly events: EventToRecord[] = [];

  /** Starts the controller and creates the namespace. */
  async start(): Promise<void> {
    const record = async (more: readonly EventToRecord[]) => void this.events.push(...more);
    const { objectStore, clock } = this;
    const catalog = createResourceCatalog(resourceEntries, new DefinedResources({ objectStore, clock }));
    this.add(createDisruptionController({ objectStore, catalog, events: { record } }));
    await this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  }

  createBudget(spec: Members, name = 'web'): Promise<KubernetesObject> {
    return this.create(BUDGETS, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: 'default' },
      spec: { selector: { matchLabels: LABELS }, ...spec },
    });
  }

  async createPod(name: string, owner?: Members, status: Members = READY): Promise<void> {
    const pod = await this.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: LABELS, ...(owner && { ownerReferences: [owner as never] }) },
      spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
    });
    await this.setStatus(pod, status);
  }

  /** Creates a workload for the pods. Returns the reference to it as their controller. */
  async createWorkload(resource: string, kind: string, spec: Members, owner?: Members): Promise<Members> {
    const apiVersion = resource.includes('.') ? `${resource.slice(resource.indexOf('.') + 1)}/v1` : 'v1';
    const { metadata } = await this.create<KubernetesObject>(resource, {
      apiVersion,
      kind,
      metadata: { name: 'web', namespace: 'default', ...(owner && { ownerReferences: [owner as never] }) },
      spec: { template: TEMPLATE, ...spec },
    });
    return { apiVersion, kind, name: 'web', uid: metadata.uid, controller: true };
  }

  createReplicaSet(replicas: number, owner?: Members): Promise<Members> {
    const spec = { replicas, selector: { matchLabels: LABELS } };
    return this.createWorkload('replicasets.apps', 'ReplicaSet', spec, owner);
  }

  async setStatus(pod: KubernetesObject, status: Members): Promise<void> {
    await this.registry.update('pods', { ...pod, status }, { subresource: 'status' });
  }

  async budgetStatus(name = 'web'): Promise<Members | undefined> {
    return (await this.get(BUDGETS, 'default', name))?.['status'] as Members | undefined;
  }

  async pod(name: string): Promise<Pod> {
    const pod = await this.get<Pod & KubernetesObject>('pods', 'default', name);
    if (!pod) throw new Error(`the pod ${name} is gone`);
    return pod;
  }

  /** The texts of the events with that reason. */
  messages(reason: string): string[] {
    return this.events.filter((event) => event.reason === reason).map(({ message }) => message);
  }
}
