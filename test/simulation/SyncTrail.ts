import { AsyncLocalStorage } from 'node:async_hooks';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';

/** The resource that the keys of these controllers name. */
const OWN_RESOURCE: Readonly<Record<string, string>> = {
  deployment: 'deployments.apps',
  replicaset: 'replicasets.apps',
  replicationcontroller: 'replicationcontrollers',
  job: 'jobs.batch',
  cronjob: 'cronjobs.batch',
  statefulset: 'statefulsets.apps',
  disruption: 'poddisruptionbudgets.policy',
  daemonset: 'daemonsets.apps',
  horizontalpodautoscaler: 'horizontalpodautoscalers.autoscaling',
};

/** What one sync has read and planned so far, so that each of its writes is judged by what the sync could know. */
export class SyncTrail {
  readonly key: WorkKey;
  readonly beganMs: number;
  /** The intent that an earlier sync left behind. */
  readonly inherited: Intent | undefined;
  /** The key's own object as the sync read it first. */
  subject: KubernetesObject | undefined;
  /** What an autoscaler's sync read of its target, each time. */
  readonly scaled: (KubernetesObject | undefined)[] = [];
  /** The place among all writes of the sync's last list of orphans: adoptions follow from that. */
  listedOrder: number | undefined;
  /** UIDs of the pods that this sync itself planned to delete. */
  readonly plannedDeletes = new Set<string>();

  constructor(key: WorkKey, beganMs: number, inherited: Intent | undefined) {
    this.key = key;
    this.beganMs = beganMs;
    this.inherited = inherited;
  }

  isOwn({ resource, namespace, name }: ObjectKey): boolean {
    const isOwnResource = OWN_RESOURCE[this.key.controller] === resource;
    return isOwnResource && this.key.namespace === namespace && this.key.name === name;
  }

  noteRead(key: ObjectKey, object: KubernetesObject | undefined): void {
    if (this.isOwn(key)) this.subject ??= object;
    else if (this.key.controller === 'horizontalpodautoscaler' && key.resource === 'deployments.apps')
      this.scaled.push(object);
  }
}

/** The trail of the sync that is running, wherever its promises lead. */
export const currentTrail = new AsyncLocalStorage<SyncTrail>();
