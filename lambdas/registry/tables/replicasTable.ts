import type { ReplicaSet, ReplicationController } from '../../objects/kinds.ts';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, templateCells, templateColumns } from './columns.ts';
import { ageOf } from './humanDuration.ts';

/** The table of replica sets and replication controllers. Their selectors have different types; `selectorCell` prints them. */
export function replicasTable<T extends ReplicaSet | ReplicationController>(
  selectorCell: (owner: T) => string,
): TableRules {
  return {
    columns: [
      nameColumn,
      column('Desired', 'How many pods are wanted.', 'integer'),
      column('Current', 'How many pods there are.', 'integer'),
      column('Ready', 'How many pods are ready.', 'integer'),
      ageColumn,
      ...templateColumns,
    ],
    cells(object, nowMs) {
      const { metadata, spec, status } = object as T;
      return [
        metadata.name,
        spec?.replicas ?? 0,
        status?.replicas ?? 0,
        status?.readyReplicas ?? 0,
        ageOf(metadata.creationTimestamp, nowMs),
        ...templateCells(spec?.template),
        selectorCell(object as T),
      ];
    },
  };
}
