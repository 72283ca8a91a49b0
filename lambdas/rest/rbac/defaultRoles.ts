import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from 'kubernetes-types/rbac/v1.js';
import { account, COMPONENT_RULES, COMPONENT_SUBJECTS } from './componentRoles.ts';
import { CONTROLLER_MANAGER_RULES } from './controllerManagerRoles.ts';
import { type BoundRole, JOIN_BINDINGS, JOIN_CLUSTER_ROLES, JOIN_ROLES, NAMESPACE_ROLES } from './namespaceRoles.ts';
import { SMOKE_TEST_ROLE } from './smokeTestRole.ts';
import { ADDED_TO, AGGREGATING_ROLES, USER_ROLES } from './userRoles.ts';

/** The roles and bindings of a cluster, as far as they belong together. */
export interface Policy {
  readonly clusterRoles: readonly ClusterRole[];
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
  readonly roles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const CONTROLLER_PREFIX = 'system:controller:';
const apiVersion = `${RBAC_GROUP}/v1`;

const aggregateTo = (role: string) => ({ [`${RBAC_GROUP}/aggregate-to-${role}`]: 'true' });

/** Kubernetes' marks of default roles and bindings, which are reconciled at each start unless someone sets the annotation to false. */
const metadata = (name: string, namespace?: string) => ({
  name,
  ...(namespace !== undefined && { namespace }),
  labels: Object.assign({ 'kubernetes.io/bootstrapping': 'rbac-defaults' }, ...(ADDED_TO[name] ?? []).map(aggregateTo)),
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
});

const clusterRoles = (rules: Readonly<Record<string, readonly PolicyRule[]>>): ClusterRole[] =>
  Object.entries(rules).map(([name, some]) => ({
    apiVersion,
    kind: 'ClusterRole',
    metadata: metadata(name),
    rules: [...some],
    ...(AGGREGATING_ROLES.includes(name) && {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] },
    }),
  }));

const clusterRoleBinding = (name: string, role: string, subjects: readonly Subject[]): ClusterRoleBinding => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: metadata(name),
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
  ...(subjects.length > 0 && { subjects: [...subjects] }),
});

const roles = (bound: readonly BoundRole[]): Role[] =>
  bound.map(({ name, namespace, rules }) => ({
    apiVersion,
    kind: 'Role',
    metadata: metadata(name, namespace),
    rules: [...rules],
  }));

const roleBindings = (bound: readonly BoundRole[]): RoleBinding[] =>
  bound.map(({ name, namespace, subjects, binding = name }) => ({
    apiVersion,
    kind: 'RoleBinding',
    metadata: metadata(binding, namespace),
    roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name },
    subjects: [...subjects],
  }));

/** What every cluster has: Kubernetes' roles for users and components. The rules that Kubernetes' controller adds to admin, edit and view are written out. */
export const defaultPolicy = (): Policy => ({
  clusterRoles: clusterRoles({ ...USER_ROLES, ...COMPONENT_RULES }),
  clusterRoleBindings: Object.entries(COMPONENT_SUBJECTS).map(([name, subjects]) =>
    clusterRoleBinding(name, name, subjects),
  ),
  roles: roles(NAMESPACE_ROLES),
  roleBindings: roleBindings(NAMESPACE_ROLES),
});

/** The roles of Kubernetes' controllers, for a kube-controller-manager that runs beside us with an account for each of them. */
export const controllerPolicy = (): Policy => ({
  clusterRoles: clusterRoles(
    Object.fromEntries(
      Object.entries(CONTROLLER_MANAGER_RULES).map(([name, rules]) => [CONTROLLER_PREFIX + name, rules]),
    ),
  ),
  clusterRoleBindings: Object.keys(CONTROLLER_MANAGER_RULES).map((name) =>
    clusterRoleBinding(CONTROLLER_PREFIX + name, CONTROLLER_PREFIX + name, [account(name)]),
  ),
  roles: [],
  roleBindings: [],
});

/** What machines need to become nodes of a cluster that signs their certificates. */
export const joinPolicy = (): Policy => ({
  clusterRoles: clusterRoles(JOIN_CLUSTER_ROLES),
  clusterRoleBindings: JOIN_BINDINGS.map(([name, role, subject]) => clusterRoleBinding(name, role, [subject])),
  roles: roles(JOIN_ROLES),
  roleBindings: roleBindings(JOIN_ROLES),
});

/** What the smoke test of the AWS stack needs: rights in its own namespace. */
export const smokeTestPolicy = (): Policy => ({
  clusterRoles: [],
  clusterRoleBindings: [],
  roles: roles([SMOKE_TEST_ROLE]),
  roleBindings: roleBindings([SMOKE_TEST_ROLE]),
});
