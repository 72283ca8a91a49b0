import type { ReplicaSet } from '../../objects/kinds.ts';
import type { TableRules } from '../ResourceEntry.ts';
import { formatSelector } from './formatSelector.ts';
import { ageOf } from './humanDuration.ts';
import { replicaColumns } from './replicaColumns.ts';
import { templateCells } from './templateColumns.ts';

export const replicaSetsTable: TableRules = {
  columns: replicaColumns,
  cells(object, nowMs) {
    const { metadata, spec, status } = object as ReplicaSet;
    return [
      metadata.name,
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      ageOf(metadata.creationTimestamp, nowMs),
      ...templateCells(spec?.template),
      formatSelector(spec?.selector),
    ];
  },
};
