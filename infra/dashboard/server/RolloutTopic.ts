import { findNewReplicaSet } from '../../../lambdas/controllers/deployment/replicaSets.ts';
import type { Deployment, Event, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf, type KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { CountSample } from '../views/PageViews.ts';
import { viewEvent } from '../views/viewEvent.ts';
import { viewReplicaSet } from '../views/viewReplicaSet.ts';
import { boundsOf, viewDeployment } from '../views/viewWorkload.ts';
import type { ClusterMirror } from './ClusterMirror.ts';
import type { PageTopic, Shown } from './PageTopic.ts';
import { RolloutPods } from './RolloutPods.ts';

type Changes = ReadonlyMap<string, Shown | undefined>;

const NOTHING: Changes = new Map();
const NOBODY = { metadata: {} };

/** One Deployment with its ReplicaSets, pods and events. */
export class RolloutTopic implements PageTopic {
  readonly #mirror: ClusterMirror;
  readonly #namespace: string;
  readonly #name: string;
  readonly #shownSets = new Set<string>();
  readonly #pods = new RolloutPods();
  #minReadySeconds = 0;

  constructor(mirror: ClusterMirror, namespace: string, name: string) {
    this.#mirror = mirror;
    this.#namespace = namespace;
    this.#name = name;
  }

  get watches(): PageTopic['watches'] {
    const { deployments, replicaSets, pods, events } = this.#mirror;
    return [deployments, replicaSets, pods, events];
  }

  all(): Map<string, Shown> {
    const deployment = this.#deployment();
    this.#pods.clear();
    this.#shownSets.clear();
    if (!deployment) return new Map();
    const about = [...this.#mirror.events.all()].filter((event) => this.#isAbout(event, deployment));
    return new Map([...this.#heads(deployment), ...this.#putAll(deployment), ...about.map(shownEvent)]);
  }

  changed(object: object): Changes {
    switch ((object as KubernetesObject).kind) {
      case 'Deployment':
        return this.#changedDeployment(object as Deployment);
      case 'ReplicaSet':
        return this.#changedReplicaSet(object as ReplicaSet);
      case 'Pod':
        return this.#changedPod(object as Pod);
      case 'Event':
        return this.#changedEvent(object as Event);
      default:
        return NOTHING;
    }
  }

  sample(): CountSample | undefined {
    const deployment = this.#deployment();
    const { active, available } = this.#pods;
    return deployment && { atMs: this.#mirror.nowMs(), pods: active, available, ...boundsOf(deployment) };
  }

  #changedDeployment({ metadata }: Deployment): Changes {
    if (metadata.name !== this.#name || metadata.namespace !== this.#namespace) return NOTHING;
    const deployment = this.#deployment();
    if (!deployment) return new Map([[`deployment/${this.#namespace}/${this.#name}`, undefined]]);
    const isSame = (deployment.spec?.minReadySeconds ?? 0) === this.#minReadySeconds;
    return new Map([...this.#heads(deployment), ...(isSame ? this.#putDue(deployment) : this.#putAll(deployment))]);
  }

  #changedReplicaSet(replicaSet: ReplicaSet): Changes {
    const { uid } = replicaSet.metadata;
    const { replicaSets } = this.#mirror;
    // What is gone is told even if the Deployment went before it.
    if (!replicaSets.byUid(uid)) return this.#shownSets.delete(uid) ? new Map([[uid, undefined]]) : NOTHING;
    const deployment = this.#deployment();
    // One that another controller has adopted, or none, is no part of this rollout any more.
    if (!deployment || controllerOf(replicaSet)?.uid !== deployment.metadata.uid)
      return this.#shownSets.delete(uid) ? new Map([[uid, undefined]]) : NOTHING;
    return new Map([...this.#heads(deployment), ...this.#putDue(deployment)]);
  }

  #changedPod({ metadata: { uid } }: Pod): Changes {
    const pod = this.#mirror.pods.byUid(uid);
    if (!pod) return this.#pods.drop(uid) ? new Map([[uid, undefined]]) : NOTHING;
    const owner = this.#mirror.replicaSets.byUid(controllerOf(pod)?.uid ?? '');
    const deployment = this.#deployment();
    const isOurs = owner && deployment && controllerOf(owner)?.uid === deployment.metadata.uid;
    if (isOurs) return new Map(this.#put(pod));
    return this.#pods.drop(uid) ? new Map([[uid, undefined]]) : NOTHING;
  }

  #changedEvent(event: Event): Changes {
    const deployment = this.#deployment();
    if (!deployment || !this.#isAbout(event, deployment)) return NOTHING;
    const { uid } = event.metadata;
    return new Map(this.#mirror.events.byUid(uid) ? [shownEvent(event)] : [[uid, undefined]]);
  }

  #deployment(): Deployment | undefined {
    return this.#mirror.deployments.named(this.#namespace, this.#name);
  }

  /** The Deployment and its ReplicaSets. */
  #heads(deployment: Deployment): [string, Shown][] {
    const sets = this.#mirror.replicaSets.ownedBy(deployment.metadata.uid);
    const newest = findNewReplicaSet(deployment, sets);
    const workload = viewDeployment(deployment, sets);
    const views = sets.map((one) => viewReplicaSet(one, one === newest));
    for (const { uid } of views) this.#shownSets.add(uid);
    return [
      [workload.id, { list: 'workloads', view: workload }],
      ...views.map((view): [string, Shown] => [view.id, { list: 'replicaSets', view }]),
    ];
  }

  #putAll(deployment: Deployment): [string, Shown][] {
    this.#pods.clear();
    this.#minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
    return this.#putDue(deployment);
  }

  /** Each kind is watched apart, so pods may be seen before their ReplicaSet, or that before the Deployment. And time makes pods available, which shows when a controller counts them. */
  #putDue(deployment: Deployment): [string, Shown][] {
    const { replicaSets, pods } = this.#mirror;
    const owned = replicaSets.ownedBy(deployment.metadata.uid).flatMap(({ metadata }) => pods.ownedBy(metadata.uid));
    return owned.filter((pod) => this.#pods.isDue(pod.metadata.uid)).flatMap((pod) => this.#put(pod));
  }

  #put(pod: Pod): [string, Shown][] {
    const view = this.#pods.put(pod, this.#minReadySeconds, this.#mirror.nowMs());
    return view ? [[view.id, { list: 'pods', view }]] : [];
  }

  #isAbout({ involvedObject }: Event, deployment: Deployment): boolean {
    const { uid = '' } = involvedObject;
    if (uid === deployment.metadata.uid) return true;
    const { replicaSets, pods } = this.#mirror;
    const set = replicaSets.byUid(uid) ?? replicaSets.byUid(controllerOf(pods.byUid(uid) ?? NOBODY)?.uid ?? '');
    return set !== undefined && controllerOf(set)?.uid === deployment.metadata.uid;
  }
}

function shownEvent(event: Event): [string, Shown] {
  return [event.metadata.uid, { list: 'events', view: viewEvent(event) }];
}
