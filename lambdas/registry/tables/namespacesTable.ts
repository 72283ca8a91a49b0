import type { Namespace } from '../../objects/kinds.ts';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

export const namespacesTable: TableRules = {
  columns: [nameColumn, column('Status', 'Whether the namespace is in use or being deleted.'), ageColumn],
  cells(object, nowMs) {
    const { metadata, status } = object as Namespace;
    return [metadata.name, status?.phase ?? '', ageOf(metadata.creationTimestamp, nowMs)];
  },
};
