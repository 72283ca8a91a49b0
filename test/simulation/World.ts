import { controllerOf, type KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Pod,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '../../lambdas/objects/kinds.ts';
import { compileLabelSelector } from '../../lambdas/objects/selectors/labelSelector.ts';
import { templatesEqual } from '../../lambdas/objects/pods/podTemplateHash.ts';
import { isPodActive } from '../../lambdas/objects/pods/podState.ts';
import { type Change, subjectOf } from '../../lambdas/ports/ChangeLog.ts';

/** The store's content at this instant, for the checks: updated by every write, and read without waiting. */
export class World {
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #uids = new Map<string, KubernetesObject>();

  apply(change: Change): void {
    const subject = subjectOf(change);
    const place = placeOf(change.resource, subject);
    if (change.before) this.#uids.delete(change.before.metadata.uid);
    if (change.after) {
      this.#objects.set(place, change.after);
      this.#uids.set(change.after.metadata.uid, change.after);
    } else {
      this.#objects.delete(place);
    }
  }

  get<T = KubernetesObject>(resource: string, namespace: string, name: string): T | undefined {
    return this.#objects.get(`${resource}/${namespace}/${name}`) as T | undefined;
  }

  byUid(uid: string): KubernetesObject | undefined {
    return this.#uids.get(uid);
  }

  /** All objects, of every kind. */
  everything(): readonly KubernetesObject[] {
    return [...this.#objects.values()];
  }

  all<T = KubernetesObject>(kind: string): T[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind) as T[];
  }

  deployments(): Deployment[] {
    return this.all<Deployment>('Deployment');
  }

  replicaOwners(): (ReplicaSet | ReplicationController)[] {
    return [...this.all<ReplicaSet>('ReplicaSet'), ...this.all<ReplicationController>('ReplicationController')];
  }

  jobs(): Job[] {
    return this.all<Job>('Job');
  }

  cronJobs(): CronJob[] {
    return this.all<CronJob>('CronJob');
  }

  daemonSets(): DaemonSet[] {
    return this.all<DaemonSet>('DaemonSet');
  }

  statefulSets(): StatefulSet[] {
    return this.all<StatefulSet>('StatefulSet');
  }

  pods(): Pod[] {
    return this.all<Pod>('Pod');
  }

  /** The pods, of every state, whose controller has that UID. */
  podsOf(ownerUid: string): Pod[] {
    return this.pods().filter((pod) => controllerOf(pod)?.uid === ownerUid);
  }

  activePodsOf(ownerUid: string): Pod[] {
    return this.podsOf(ownerUid).filter(isPodActive);
  }

  replicaSetsOf({ metadata }: Deployment): ReplicaSet[] {
    return this.all<ReplicaSet>('ReplicaSet').filter((one) => controllerOf(one)?.uid === metadata.uid);
  }

  /**
   * The replicas, of every state, of the Deployment's ReplicaSets. A pod that its ReplicaSet does not select any more is none: while a ReplicaSet is being deleted it neither
   * counts nor releases such a pod, as in Kubernetes.
   */
  podsOfDeployment(deployment: Deployment): Pod[] {
    const owners = new Map(
      this.replicaSetsOf(deployment).map(({ metadata, spec }) => [metadata.uid, compileLabelSelector(spec?.selector)]),
    );
    return this.pods().filter((pod) => owners.get(controllerOf(pod)?.uid ?? '')?.(pod.metadata.labels) === true);
  }

  /** The Deployment that controls this ReplicaSet, if it exists with that UID. */
  deploymentOf(replicaSet: KubernetesObject): Deployment | undefined {
    const owner = this.byUid(controllerOf(replicaSet)?.uid ?? '');
    return owner?.kind === 'Deployment' ? owner : undefined;
  }

  /**
   * The ReplicaSet with the Deployment's template. Where two Deployments select the same labels, one may adopt what the other has left, and own two of one template: the oldest is the new
   * one then, as in Kubernetes' FindNewReplicaSet, and the others are old.
   */
  newReplicaSetOf(deployment: Deployment): ReplicaSet | undefined {
    const all = this.replicaSetsOf(deployment).filter(({ spec }) =>
      templatesEqual(spec?.template, deployment.spec?.template),
    );
    return all.toSorted((a, b) => (ageText(a) < ageText(b) ? -1 : 1))[0];
  }
}

export function placeOf(resource: string, { metadata }: KubernetesObject): string {
  return `${resource}/${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Sorts the oldest first; of one second, by name. */
function ageText({ metadata }: ReplicaSet): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}

/** `Pod default/web-x`, for messages. */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
