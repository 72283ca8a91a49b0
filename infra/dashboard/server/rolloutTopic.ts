import { findNewReplicaSet } from '../../../lambdas/controllers/deployment/Rollout.ts';
import type { Deployment, Event, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf, type KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodActive, isPodAvailable } from '../../../lambdas/objects/podState.ts';
import type { CountSample } from '../views/PageViews.ts';
import { viewEvent, viewPod, viewReplicaSet } from '../views/viewPod.ts';
import { viewDeployment } from '../views/viewWorkload.ts';
import type { ClusterMirror } from './ClusterMirror.ts';
import type { PageTopic, Shown } from './PageTopic.ts';
import type { SharedWatch } from './SharedWatch.ts';

/** One Deployment with its ReplicaSets, pods and events. */
export function rolloutTopic(mirror: ClusterMirror, namespace: string, name: string): PageTopic {
  const { deployments, replicaSets, pods, events } = mirror;
  const found = () => deployments.named(namespace, name);
  const setsOf = (one: Deployment) => replicaSets.ownedBy(one.metadata.uid);
  const podsOf = (one: Deployment) => setsOf(one).flatMap(({ metadata }) => pods.ownedBy(metadata.uid));
  const id = `deployment/${namespace}/${name}`;

  const heads = (): Map<string, Shown | undefined> => {
    const deployment = found();
    if (!deployment) return new Map([[id, undefined]]);
    const sets = setsOf(deployment);
    const newest = findNewReplicaSet(deployment, sets);
    const views = sets.map((one) => viewReplicaSet(one, one === newest));
    return new Map<string, Shown>([
      [id, { list: 'workloads', view: viewDeployment(deployment, sets) }],
      ...views.map((view): [string, Shown] => [view.id, { list: 'replicaSets', view }]),
    ]);
  };
  const ofPod = (pod: Pod): [string, Shown] => {
    const view = viewPod(pod, found()?.spec?.minReadySeconds ?? 0, mirror.nowMs());
    return [view.id, { list: 'pods', view }];
  };
  const ofEvent = (event: Event): [string, Shown] => [event.metadata.uid, { list: 'events', view: viewEvent(event) }];
  const isAbout = ({ involvedObject }: Event, deployment: Deployment) => {
    const { uid = '' } = involvedObject;
    if (uid === deployment.metadata.uid) return true;
    const set = replicaSets.get(uid) ?? replicaSets.get(controllerOf(pods.get(uid) ?? NOBODY)?.uid ?? '');
    return set !== undefined && controllerOf(set)?.uid === deployment.metadata.uid;
  };

  return {
    watches: [deployments, replicaSets, pods, events] as readonly SharedWatch[],
    all: () => {
      const deployment = found();
      if (!deployment) return new Map();
      const about = [...events.all()].filter((event) => isAbout(event, deployment));
      const rest = [...podsOf(deployment).map(ofPod), ...about.map(ofEvent)];
      return new Map([...heads(), ...rest].filter((entry): entry is [string, Shown] => entry[1] !== undefined));
    },
    changed: (object) => {
      const { kind, metadata } = object as KubernetesObject;
      const deployment = found();
      switch (kind) {
        case 'Deployment':
          return metadata.name === name && metadata.namespace === namespace ? heads() : new Map();
        case 'ReplicaSet': {
          if (controllerOf(object as ReplicaSet)?.uid !== deployment?.metadata.uid) return new Map();
          if (!replicaSets.get(metadata.uid)) return new Map([[metadata.uid, undefined]]);
          return new Map([...heads(), ...pods.ownedBy(metadata.uid).map(ofPod)]);
        }
        case 'Pod': {
          const set = replicaSets.get(controllerOf(object as Pod)?.uid ?? '');
          if (!set || !deployment || controllerOf(set)?.uid !== deployment.metadata.uid) return new Map();
          const pod = pods.get(metadata.uid);
          return new Map<string, Shown | undefined>([pod ? ofPod(pod) : [metadata.uid, undefined]]);
        }
        case 'Event':
          if (!deployment || !isAbout(object as Event, deployment)) return new Map();
          return new Map<string, Shown | undefined>(
            events.get(metadata.uid) ? [ofEvent(object as Event)] : [[metadata.uid, undefined]],
          );
        default:
          return new Map();
      }
    },
    sample: () => {
      const deployment = found();
      return deployment && countsNow(deployment, podsOf(deployment), mirror.nowMs());
    },
  };
}

const NOBODY = { metadata: {} };

/** How many pods there are, and what they must keep to. Pure. */
export function countsNow(deployment: Deployment, pods: readonly Pod[], nowMs: number): CountSample {
  const { bounds } = viewDeployment(deployment, []);
  const active = pods.filter(isPodActive);
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  return {
    atMs: nowMs,
    pods: active.length,
    available: active.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length,
    ceiling: bounds?.ceiling ?? 0,
    floor: bounds?.floor ?? 0,
  };
}
