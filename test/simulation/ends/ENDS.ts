import type { ControllerName } from '../../../lambdas/controllers/controllerRooms.ts';
import type { World } from '../World.ts';
import { unsignedClusterInfo } from './bootstrapsigner.ts';
import { unfinishedCronJob } from './cronjob.ts';
import { undecidedRequest } from './csrapproving.ts';
import { oldRequest } from './csrcleaner.ts';
import { unsignedRequest } from './csrsigning.ts';
import { unfinishedDefinition } from './customresourcedefinition.ts';
import { unfinishedDaemonSet } from './daemonset.ts';
import { unmetDeployment } from './deployment.ts';
import { uncountedBudget } from './disruption.ts';
import { unmetEndpoints } from './endpoint.ts';
import { unmetEndpointSlices } from './endpointslice.ts';
import { unmirroredEndpoints } from './endpointslicemirroring.ts';
import { uncollectedGarbage } from './garbagecollector.ts';
import { unmetAutoscaler } from './horizontalpodautoscaler.ts';
import { unfinishedJob } from './job.ts';
import { unfinishedNamespace } from './namespace.ts';
import { silentNode } from './nodelease.ts';
import { unjudgedNode } from './nodelifecycle.ts';
import { unboundClaim } from './persistentvolume.ts';
import { unfinishedPod } from './pod.ts';
import { strandedPod } from './podgc.ts';
import { unprotectedClaim } from './pvcprotection.ts';
import { unprotectedVolume } from './pvprotection.ts';
import { unmetReplicaSet } from './replicaset.ts';
import { unmetReplicationController } from './replicationcontroller.ts';
import { uncountedQuota } from './resourcequota.ts';
import { waitingPod } from './scheduler.ts';
import { unfurnishedNamespace } from './serviceaccount.ts';
import { unmetStatefulSet } from './statefulset.ts';
import { intolerantPod } from './tainteviction.ts';
import { endedToken } from './tokencleaner.ts';
import { outlivedJob } from './ttlafterfinished.ts';
import { uncheckedPolicy } from './validatingadmissionpolicystatus.ts';

/**
 * What a controller has brought about once nobody changes anything any more, from whatever state it began in, and what then stays: eventually stable reconciliation. Returns the first thing that is
 * otherwise, as a sentence.
 */
export type End = (world: World, nowMs: number) => string | undefined;

/** The end of each controller's work. A new controller cannot do without one. */
export const ENDS: Readonly<Record<ControllerName, End>> = {
  deployment: unmetDeployment,
  replicaset: unmetReplicaSet,
  replicationcontroller: unmetReplicationController,
  job: unfinishedJob,
  ttlafterfinished: outlivedJob,
  cronjob: unfinishedCronJob,
  daemonset: unfinishedDaemonSet,
  horizontalpodautoscaler: unmetAutoscaler,
  statefulset: unmetStatefulSet,
  pod: unfinishedPod,
  scheduler: waitingPod,
  garbagecollector: uncollectedGarbage,
  namespace: unfinishedNamespace,
  serviceaccount: unfurnishedNamespace,
  resourcequota: uncountedQuota,
  customresourcedefinition: unfinishedDefinition,
  endpoint: unmetEndpoints,
  endpointslice: unmetEndpointSlices,
  endpointslicemirroring: unmirroredEndpoints,
  disruption: uncountedBudget,
  pvcprotection: unprotectedClaim,
  pvprotection: unprotectedVolume,
  persistentvolume: unboundClaim,
  validatingadmissionpolicystatus: uncheckedPolicy,
  nodelifecycle: unjudgedNode,
  nodelease: silentNode,
  tainteviction: intolerantPod,
  podgc: strandedPod,
  csrapproving: undecidedRequest,
  csrsigning: unsignedRequest,
  csrcleaner: oldRequest,
  bootstrapsigner: unsignedClusterInfo,
  tokencleaner: endedToken,
};
