import type { Secret } from 'kubernetes-types/core/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

export const secretsTable: TableRules = {
  columns: [
    nameColumn,
    column('Type', 'What the secret is for.'),
    column('Data', 'How many entries it holds.'),
    ageColumn,
  ],
  cells(object, nowMs) {
    const { type = '', data = {} } = object as Secret;
    return [object.metadata.name, type, Object.keys(data).length, ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};
