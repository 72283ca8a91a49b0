import type { Deployment } from '../../objects/kinds.ts';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { formatSelector } from './formatSelector.ts';
import { ageOf } from './humanDuration.ts';
import { templateCells, templateColumns } from './templateColumns.ts';

export const deploymentsTable: TableRules = {
  columns: [
    nameColumn,
    column('Ready', 'How many of the wanted pods are ready.'),
    column('Up-to-date', 'How many pods have the template that is wanted now.'),
    column('Available', 'How many pods have been ready for minReadySeconds.'),
    ageColumn,
    ...templateColumns,
  ],
  cells(object, nowMs) {
    const { metadata, spec, status } = object as Deployment;
    return [
      metadata.name,
      `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      ageOf(metadata.creationTimestamp, nowMs),
      ...templateCells(spec?.template),
      formatSelector(spec?.selector, ''),
    ];
  },
};
