import type { ClusterRoleBinding } from 'kubernetes-types/rbac/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, wideColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

/** Of role bindings and cluster role bindings alike. */
export const roleBindingsTable: TableRules = {
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
