import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import { allow, CORE, READ, WRITE } from './allow.ts';

/** Kubernetes' cluster roles for users of a namespace: what they add to each other, and the sums. */

const READ_WRITE = `${READ} ${WRITE}`;

const ADDED_TO_VIEW: readonly PolicyRule[] = [
  allow(
    READ,
    CORE,
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
  ),
  allow(
    READ,
    CORE,
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  allow(READ, CORE, 'namespaces'),
  allow(READ, 'discovery.k8s.io', 'endpointslices'),
  allow(
    READ,
    'apps',
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  ),
  allow(READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  allow(READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  allow(
    READ,
    'extensions',
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
  ),
  allow(READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  allow(READ, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
];

const ADDED_TO_EDIT: readonly PolicyRule[] = [
  // Reading secrets, and reaching into pods, is for those who may edit; view does not include it.
  allow(READ, CORE, 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
  allow('impersonate', CORE, 'serviceaccounts'),
  allow(WRITE, CORE, 'pods pods/attach pods/exec pods/portforward pods/proxy'),
  allow('create', CORE, 'pods/eviction'),
  allow(
    WRITE,
    CORE,
    'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
  ),
  allow('create', CORE, 'serviceaccounts/token'),
  allow(
    WRITE,
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
  ),
  allow(WRITE, 'autoscaling', 'horizontalpodautoscalers'),
  allow(WRITE, 'batch', 'cronjobs jobs'),
  allow(
    WRITE,
    'extensions',
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  allow(WRITE, 'policy', 'poddisruptionbudgets'),
  allow(WRITE, 'networking.k8s.io', 'ingresses networkpolicies'),
  allow(READ_WRITE, 'coordination.k8s.io', 'leases'),
];

const ADDED_TO_ADMIN: readonly PolicyRule[] = [
  allow('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
  allow(READ_WRITE, 'rbac.authorization.k8s.io', 'rolebindings roles'),
];

/** As metrics-server adds it. */
const METRICS: readonly PolicyRule[] = [allow('get list', 'metrics.k8s.io', 'nodes pods')];

const VIEW = [...ADDED_TO_VIEW, ...METRICS];
const EDIT = [...ADDED_TO_EDIT, ...VIEW];

/** The cluster roles for users of a namespace, with their rules written out. */
export const USER_ROLES: Readonly<Record<string, readonly PolicyRule[]>> = {
  admin: [...ADDED_TO_ADMIN, ...EDIT],
  edit: EDIT,
  view: VIEW,
  'system:aggregate-to-admin': ADDED_TO_ADMIN,
  'system:aggregate-to-edit': ADDED_TO_EDIT,
  'system:aggregate-to-view': ADDED_TO_VIEW,
  'system:aggregated-metrics-reader': METRICS,
};

/** The roles that each of the roles is added to. */
export const ADDED_TO: Readonly<Record<string, readonly string[]>> = {
  'system:aggregate-to-admin': ['admin'],
  'system:aggregate-to-edit': ['edit'],
  'system:aggregate-to-view': ['view'],
  'system:aggregated-metrics-reader': ['admin', 'edit', 'view'],
  edit: ['admin'],
  view: ['edit'],
};

/** The roles that other roles are added to, by their labels. */
export const AGGREGATING_ROLES: readonly string[] = ['admin', 'edit', 'view'];
