import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { WorkloadView } from '../views/PageViews.ts';
import { viewDaemonSet, viewDeployment, viewStatefulSet } from '../views/viewWorkload.ts';
import type { ClusterMirror } from './ClusterMirror.ts';
import type { PageTopic, Shown } from './PageTopic.ts';
import type { SharedWatch } from './SharedWatch.ts';

/** All workloads of the cluster. */
export function overviewTopic(mirror: ClusterMirror): PageTopic {
  const { deployments, statefulSets, daemonSets, replicaSets } = mirror;
  const ofDeployment = (one: Deployment) => viewDeployment(one, replicaSets.ownedBy(one.metadata.uid));
  return {
    watches: [deployments, statefulSets, daemonSets, replicaSets] as readonly SharedWatch[],
    all: () =>
      new Map(
        [
          ...[...deployments.all()].map(ofDeployment),
          ...[...statefulSets.all()].map(viewStatefulSet),
          ...[...daemonSets.all()].map(viewDaemonSet),
        ].map(shown),
      ),
    changed: (object) => {
      const { kind, metadata } = object as Deployment | StatefulSet | DaemonSet | ReplicaSet;
      switch (kind) {
        case 'Deployment':
          return one(
            deployments.byUid(metadata.uid),
            ofDeployment,
            `deployment/${metadata.namespace}/${metadata.name}`,
          );
        case 'StatefulSet':
          return one(
            statefulSets.byUid(metadata.uid),
            viewStatefulSet,
            `statefulset/${metadata.namespace}/${metadata.name}`,
          );
        case 'DaemonSet':
          return one(daemonSets.byUid(metadata.uid), viewDaemonSet, `daemonset/${metadata.namespace}/${metadata.name}`);
        default: {
          const owner = deployments.byUid(controllerOf(object as ReplicaSet)?.uid ?? '');
          return new Map(owner ? [shown(ofDeployment(owner))] : []);
        }
      }
    },
  };
}

function one<T>(found: T | undefined, view: (found: T) => WorkloadView, id: string): Map<string, Shown | undefined> {
  return new Map([found === undefined ? [id, undefined] : shown(view(found))]);
}

function shown(view: WorkloadView): [string, Shown] {
  return [view.id, { list: 'workloads', view }];
}
