import type { Scale } from 'kubernetes-types/autoscaling/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

/** The columns of an autoscaling/v1 Scale. */
export const scaleTable: TableRules = {
  columns: [
    nameColumn,
    column('Desired', 'How many pods are wanted.', 'integer'),
    column('Available', 'How many pods there are.', 'integer'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const { spec, status } = object as Scale;
    const { name, creationTimestamp } = object.metadata;
    return [name, spec?.replicas ?? 0, status?.replicas ?? 0, ageOf(creationTimestamp, nowMs)];
  },
};
