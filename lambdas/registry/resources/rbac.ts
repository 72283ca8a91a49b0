import type { ClusterRoleBinding, Subject } from 'kubernetes-types/rbac/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isPathSegmentName } from '../../objects/nameFormats.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, defaultTable, nameColumn, wideColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { validateRoleBinding, validateRoleBindingUpdate, validateRules } from '../validation/access/validateRbac.ts';
import { STANDARD_VERBS } from './standardRules.ts';

type Binding = Stored<ClusterRoleBinding>;

const roleStrategy = (namespaced: boolean): Strategy => ({
  nameErrors: isPathSegmentName,
  validate: (object) => validateRules(object, namespaced),
  validateUpdate: (object) => validateRules(object, namespaced),
});

const bindingStrategy = (namespaced: boolean): Strategy => ({
  nameErrors: isPathSegmentName,
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

/** Shows the rules of a role that has none: their Go field lacks `omitempty`, and storing them has turned an empty list into none. */
function showRules(role: KubernetesObject): void {
  if (Array.isArray(role['rules']) && role['rules'].length === 0) delete role['rules'];
  role['rules'] ??= null;
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';

function entry(kind: string, namespaced: boolean, strategy: Strategy, table: TableRules): ResourceEntry {
  const singular = kind.toLowerCase();
  const conversion = kind.endsWith('Binding') ? { applyDefaults: applyBindingDefaults } : { fromStorage: showRules };
  return {
    groupResource: `${singular}s.${RBAC_GROUP}`,
    group: RBAC_GROUP,
    plural: `${singular}s`,
    singular,
    kind,
    namespaced,
    verbs: STANDARD_VERBS,
    storageVersion: 'v1',
    versions: [{ version: 'v1', ...conversion }],
    strategy,
    table,
  };
}

/** The table of both role bindings and cluster role bindings. */
const roleBindingsTable: TableRules = {
  columns: [
    nameColumn,
    column('Role', 'The kind and name of the role that it gives.'),
    ageColumn,
    wideColumn('Users', 'The users that get the role.'),
    wideColumn('Groups', 'The groups whose members get the role.'),
    wideColumn('ServiceAccounts', 'The service accounts that get the role, with their namespaces.'),
  ],
  cells(object, nowMs) {
    const { roleRef, subjects = [] } = object as unknown as ClusterRoleBinding;
    const named = (kind: string) => subjects.filter((subject) => subject.kind === kind);
    return [
      object.metadata.name,
      `${roleRef.kind}/${roleRef.name}`,
      ageOf(object.metadata.creationTimestamp, nowMs),
      named('User')
        .map(({ name }) => name)
        .join(', '),
      named('Group')
        .map(({ name }) => name)
        .join(', '),
      named('ServiceAccount')
        .map(({ namespace = '', name }) => `${namespace}/${name}`)
        .join(', '),
    ];
  },
};

export const roles = entry('Role', true, roleStrategy(true), defaultTable);
export const clusterRoles = entry('ClusterRole', false, roleStrategy(false), defaultTable);
export const roleBindings = entry('RoleBinding', true, bindingStrategy(true), roleBindingsTable);
export const clusterRoleBindings = entry('ClusterRoleBinding', false, bindingStrategy(false), roleBindingsTable);
