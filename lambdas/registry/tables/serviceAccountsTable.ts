import type { ServiceAccount } from 'kubernetes-types/core/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

export const serviceAccountsTable: TableRules = {
  columns: [nameColumn, column('Secrets', 'How many secrets its pods may mount.'), ageColumn],
  cells(object, nowMs) {
    const { secrets = [] } = object as ServiceAccount;
    return [object.metadata.name, secrets.length, ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};
