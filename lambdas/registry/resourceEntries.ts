import type { ResourceEntry } from './ResourceEntry.ts';
import { configMaps } from './resources/configMaps.ts';
import { cronJobs } from './resources/cronJobs.ts';
import { deployments } from './resources/deployments.ts';
import { endpoints } from './resources/endpoints.ts';
import { events } from './resources/events.ts';
import { horizontalPodAutoscalers } from './resources/horizontalPodAutoscalers.ts';
import { ingressClasses } from './resources/ingressClasses.ts';
import { ingresses } from './resources/ingresses.ts';
import { jobs } from './resources/jobs.ts';
import { leases } from './resources/leases.ts';
import { limitRanges } from './resources/limitRanges.ts';
import { namespaces } from './resources/namespaces.ts';
import { networkPolicies } from './resources/networkPolicies.ts';
import { nodes } from './resources/nodes.ts';
import { podDisruptionBudgets } from './resources/podDisruptionBudgets.ts';
import { pods } from './resources/pods.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './resources/rbac.ts';
import { replicaSets } from './resources/replicaSets.ts';
import { replicationControllers } from './resources/replicationControllers.ts';
import { resourceQuotas } from './resources/resourceQuotas.ts';
import { secrets } from './resources/secrets.ts';
import { accessReviews } from './resources/accessReviews.ts';
import { serviceAccounts } from './resources/serviceAccounts.ts';
import { services } from './resources/services.ts';

/** Every resource that Driftless serves. */
export const resourceEntries: readonly ResourceEntry[] = [
  configMaps,
  endpoints,
  events,
  limitRanges,
  namespaces,
  nodes,
  pods,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
  deployments,
  replicaSets,
  horizontalPodAutoscalers,
  cronJobs,
  jobs,
  ingresses,
  ingressClasses,
  networkPolicies,
  podDisruptionBudgets,
  leases,
  roles,
  roleBindings,
  clusterRoles,
  clusterRoleBindings,
  ...accessReviews,
];
