import type { HorizontalPodAutoscaler as AutoscalingHpa } from 'kubernetes-types/autoscaling/v2.js';
import type { CronJob as BatchCronJob, Job as BatchJob } from 'kubernetes-types/batch/v1.js';
import type {
  ControllerRevision as AppsControllerRevision,
  DaemonSet as AppsDaemonSet,
  Deployment as AppsDeployment,
  ReplicaSet as AppsReplicaSet,
  StatefulSet as AppsStatefulSet,
} from 'kubernetes-types/apps/v1.js';
import type {
  Event as CoreEvent,
  Namespace as CoreNamespace,
  Node as CoreNode,
  PersistentVolumeClaim as CorePersistentVolumeClaim,
  Pod as CorePod,
  ReplicationController as CoreReplicationController,
  Service as CoreService,
} from 'kubernetes-types/core/v1.js';
import type { Stored } from './KubernetesObject.ts';

/** The kinds that controllers work on, in their storage version. */
export type Deployment = Stored<AppsDeployment>;
export type DaemonSet = Stored<AppsDaemonSet>;
export type ControllerRevision = Stored<AppsControllerRevision>;
export type ReplicaSet = Stored<AppsReplicaSet>;
export type StatefulSet = Stored<AppsStatefulSet>;
export type ReplicationController = Stored<CoreReplicationController>;
export type Job = Stored<BatchJob>;
export type CronJob = Stored<BatchCronJob>;
export type HorizontalPodAutoscaler = Stored<AutoscalingHpa>;
export type Pod = Stored<CorePod>;
export type PersistentVolumeClaim = Stored<CorePersistentVolumeClaim>;
export type Node = Stored<CoreNode>;
export type Service = Stored<CoreService>;
export type Namespace = Stored<CoreNamespace>;
export type Event = Stored<CoreEvent>;
