import type { ControllerRoom } from './ControllerRoom.ts';
import { bootstrapSignerRoom } from './bootstrapsigner/bootstrapSignerRoom.ts';
import { claimProtectionRoom } from './pvcprotection/claimProtectionRoom.ts';
import { cronJobRoom } from './cronjob/cronJobRoom.ts';
import { csrApprovingRoom } from './csrapproving/csrApprovingRoom.ts';
import { csrCleanerRoom } from './csrcleaner/csrCleanerRoom.ts';
import { csrSigningRoom } from './csrsigning/csrSigningRoom.ts';
import { customResourceDefinitionRoom } from './customresourcedefinition/customResourceDefinitionRoom.ts';
import { daemonSetRoom } from './daemonset/daemonSetRoom.ts';
import { deploymentRoom } from './deployment/deploymentRoom.ts';
import { disruptionRoom } from './disruption/disruptionRoom.ts';
import { endpointRoom } from './endpoint/endpointRoom.ts';
import { endpointSliceMirroringRoom } from './endpointslicemirroring/endpointSliceMirroringRoom.ts';
import { endpointSliceRoom } from './endpointslice/endpointSliceRoom.ts';
import { garbageCollectorRoom } from './garbagecollector/garbageCollectorRoom.ts';
import { jobRoom } from './job/jobRoom.ts';
import { namespaceRoom } from './namespace/namespaceRoom.ts';
import { nodeLeaseRoom } from './nodelease/nodeLeaseRoom.ts';
import { nodeLifecycleRoom } from './nodelifecycle/nodeLifecycleRoom.ts';
import { persistentVolumeRoom } from './persistentvolume/persistentVolumeRoom.ts';
import { podAutoscalerRoom } from './podautoscaler/podAutoscalerRoom.ts';
import { podGcRoom } from './podgc/podGcRoom.ts';
import { podRoom } from './pod/podRoom.ts';
import { policyStatusRoom } from './validatingadmissionpolicystatus/policyStatusRoom.ts';
import { replicaSetRoom } from './replicaset/replicaSetRoom.ts';
import { replicationControllerRoom } from './replicationcontroller/replicationControllerRoom.ts';
import { resourceQuotaRoom } from './resourcequota/resourceQuotaRoom.ts';
import { schedulerRoom } from './scheduler/schedulerRoom.ts';
import { serviceAccountRoom } from './serviceaccount/serviceAccountRoom.ts';
import { statefulSetRoom } from './statefulset/statefulSetRoom.ts';
import { taintEvictionRoom } from './tainteviction/taintEvictionRoom.ts';
import { tokenCleanerRoom } from './tokencleaner/tokenCleanerRoom.ts';
import { ttlAfterFinishedRoom } from './ttlafterfinished/ttlAfterFinishedRoom.ts';
import { volumeProtectionRoom } from './pvprotection/volumeProtectionRoom.ts';

/** All controllers, in the order in which help and errors name them. To add one is to add its room here: everything else that is said of a controller follows from this list. */
export const controllerRooms = [
  deploymentRoom,
  replicaSetRoom,
  replicationControllerRoom,
  jobRoom,
  ttlAfterFinishedRoom,
  cronJobRoom,
  daemonSetRoom,
  podAutoscalerRoom,
  statefulSetRoom,
  podRoom,
  schedulerRoom,
  garbageCollectorRoom,
  namespaceRoom,
  serviceAccountRoom,
  resourceQuotaRoom,
  customResourceDefinitionRoom,
  endpointRoom,
  endpointSliceRoom,
  endpointSliceMirroringRoom,
  disruptionRoom,
  claimProtectionRoom,
  volumeProtectionRoom,
  persistentVolumeRoom,
  policyStatusRoom,
  nodeLifecycleRoom,
  nodeLeaseRoom,
  taintEvictionRoom,
  podGcRoom,
  csrApprovingRoom,
  csrSigningRoom,
  csrCleanerRoom,
  bootstrapSignerRoom,
  tokenCleanerRoom,
] as const satisfies readonly ControllerRoom[];

/** As queues, metrics and the configuration write it. */
export type ControllerName = (typeof controllerRooms)[number]['name'];

export const CONTROLLER_NAMES: readonly ControllerName[] = controllerRooms.map(({ name }) => name);

const ROOMS = new Map<string, ControllerRoom>(controllerRooms.map((room) => [room.name, room]));

/** Returns the room of a controller; `undefined` for a name that only another release knows. */
export function roomNamed(name: string): ControllerRoom | undefined {
  return ROOMS.get(name);
}
