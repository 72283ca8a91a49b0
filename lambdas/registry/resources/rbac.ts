import type { ClusterRoleBinding, Subject } from 'kubernetes-types/rbac/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { defaultTable } from '../tables/defaultTable.ts';
import { roleBindingsTable } from '../tables/roleBindingsTable.ts';
import { validateRoleBinding, validateRoleBindingUpdate, validateRules } from '../validation/validateRbac.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

type Binding = Stored<ClusterRoleBinding>;

/** Names of roles may be nearly anything that fits into a path: `system:discovery`. */
function pathSegmentErrors(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((mark) => name.includes(mark)).map((mark) => `may not contain '${mark}'`);
}

const roleStrategy = (namespaced: boolean): Strategy => ({
  nameErrors: pathSegmentErrors,
  validate: (object) => validateRules(object, namespaced),
  validateUpdate: (object) => validateRules(object, namespaced),
});

const bindingStrategy = (namespaced: boolean): Strategy => ({
  nameErrors: pathSegmentErrors,
  validate: (object) => validateRoleBinding(object, namespaced),
  validateUpdate: (object, old) => validateRoleBindingUpdate(object, old, namespaced),
});

/** Fills in the API groups that a subject and a role reference leave out. */
function applyBindingDefaults(draft: KubernetesObject): void {
  const binding = draft as Binding;
  if (binding.roleRef && !binding.roleRef.apiGroup) binding.roleRef.apiGroup = RBAC_GROUP;
  for (const subject of binding.subjects ?? []) applySubjectDefaults(subject);
}

function applySubjectDefaults(subject: Subject): void {
  if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = RBAC_GROUP;
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';

function entry(kind: string, namespaced: boolean, strategy: Strategy, table: TableRules): ResourceEntry {
  const singular = kind.toLowerCase();
  const defaults = kind.endsWith('Binding') ? { applyDefaults: applyBindingDefaults } : {};
  return {
    groupResource: `${singular}s.${RBAC_GROUP}`,
    group: RBAC_GROUP,
    plural: `${singular}s`,
    singular,
    kind,
    namespaced,
    verbs: STANDARD_VERBS,
    storageVersion: 'v1',
    versions: [{ version: 'v1', ...defaults }],
    strategy,
    table,
  };
}

export const roles = entry('Role', true, roleStrategy(true), defaultTable);
export const clusterRoles = entry('ClusterRole', false, roleStrategy(false), defaultTable);
export const roleBindings = entry('RoleBinding', true, bindingStrategy(true), roleBindingsTable);
export const clusterRoleBindings = entry('ClusterRoleBinding', false, bindingStrategy(false), roleBindingsTable);
