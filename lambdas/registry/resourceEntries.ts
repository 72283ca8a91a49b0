import type { ResourceEntry } from './ResourceEntry.ts';
import { accessReviews } from './resources/accessReviews.ts';
import { authenticationReviews } from './resources/authenticationReviews.ts';
import { apiServices } from './resources/apiServices.ts';
import { bindings } from './resources/bindings.ts';
import { certificateSigningRequests } from './resources/certificateSigningRequests.ts';
import { componentStatuses } from './resources/componentStatuses.ts';
import { configMaps } from './resources/configMaps.ts';
import { controllerRevisions } from './resources/controllerRevisions.ts';
import { cronJobs } from './resources/cronJobs.ts';
import { csiDrivers } from './resources/csiDrivers.ts';
import { csiNodes } from './resources/csiNodes.ts';
import { csiStorageCapacities } from './resources/csiStorageCapacities.ts';
import { customResourceDefinitions } from './resources/customResourceDefinitions.ts';
import { daemonSets } from './resources/daemonSets.ts';
import { deployments } from './resources/deployments.ts';
import { deviceClasses } from './resources/deviceClasses.ts';
import { endpoints } from './resources/endpoints.ts';
import { endpointSlices } from './resources/endpointSlices.ts';
import { events } from './resources/events.ts';
import { flowSchemas } from './resources/flowSchemas.ts';
import { horizontalPodAutoscalers } from './resources/horizontalPodAutoscalers.ts';
import { ingressClasses } from './resources/ingressClasses.ts';
import { ingresses } from './resources/ingresses.ts';
import { ipAddresses } from './resources/ipAddresses.ts';
import { jobs } from './resources/jobs.ts';
import { leases } from './resources/leases.ts';
import { limitRanges } from './resources/limitRanges.ts';
import { nodeMetrics, podMetrics } from './resources/metrics.ts';
import { namespaces } from './resources/namespaces.ts';
import { networkPolicies } from './resources/networkPolicies.ts';
import { nodes } from './resources/nodes.ts';
import { persistentVolumeClaims } from './resources/persistentVolumeClaims.ts';
import { persistentVolumes } from './resources/persistentVolumes.ts';
import { podDisruptionBudgets } from './resources/podDisruptionBudgets.ts';
import { pods } from './resources/pods.ts';
import { podTemplates } from './resources/podTemplates.ts';
import { priorityClasses } from './resources/priorityClasses.ts';
import { priorityLevelConfigurations } from './resources/priorityLevelConfigurations.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './resources/rbac.ts';
import { replicaSets } from './resources/replicaSets.ts';
import { replicationControllers } from './resources/replicationControllers.ts';
import { resourceClaims, resourceClaimTemplates } from './resources/resourceClaims.ts';
import { resourceQuotas } from './resources/resourceQuotas.ts';
import { resourceSlices } from './resources/resourceSlices.ts';
import { runtimeClasses } from './resources/runtimeClasses.ts';
import { secrets } from './resources/secrets.ts';
import { serviceAccounts } from './resources/serviceAccounts.ts';
import { serviceCidrs } from './resources/serviceCidrs.ts';
import { services } from './resources/services.ts';
import { statefulSets } from './resources/statefulSets.ts';
import { storageClasses } from './resources/storageClasses.ts';
import { validatingAdmissionPolicies } from './resources/validatingAdmissionPolicies.ts';
import { validatingAdmissionPolicyBindings } from './resources/validatingAdmissionPolicyBindings.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './resources/webhookConfigurations.ts';
import { volumeAttachments } from './resources/volumeAttachments.ts';
import { volumeAttributesClasses } from './resources/volumeAttributesClasses.ts';

/** Every resource that Driftless serves. */
export const resourceEntries: readonly ResourceEntry[] = [
  componentStatuses,
  configMaps,
  endpoints,
  events,
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podTemplates,
  pods,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  horizontalPodAutoscalers,
  cronJobs,
  jobs,
  ingresses,
  ingressClasses,
  ipAddresses,
  networkPolicies,
  serviceCidrs,
  podDisruptionBudgets,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
  volumeAttributesClasses,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  priorityClasses,
  runtimeClasses,
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
  endpointSlices,
  apiServices,
  nodeMetrics,
  podMetrics,
  bindings,
  certificateSigningRequests,
  priorityLevelConfigurations,
  flowSchemas,
  leases,
  roles,
  roleBindings,
  clusterRoles,
  clusterRoleBindings,
  customResourceDefinitions,
  ...authenticationReviews,
  ...accessReviews,
];
