import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

export const leasesTable: TableRules = {
  columns: [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
  cells(object, nowMs) {
    const { spec } = object as Lease;
    return [object.metadata.name, spec?.holderIdentity ?? '', ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};
