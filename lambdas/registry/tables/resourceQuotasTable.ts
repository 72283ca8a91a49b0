import type { ResourceQuota } from 'kubernetes-types/core/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

export const resourceQuotasTable: TableRules = {
  columns: [
    nameColumn,
    column('Request', 'What is used and allowed of everything but limits.'),
    column('Limit', 'What is used and allowed of the containers\u2019 limits.'),
    ageColumn,
  ],
  cells(object, nowMs) {
    const { status } = object as ResourceQuota;
    const hard = Object.entries(status?.hard ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    const usage = hard.map(([name, allowed]) => ({ name, text: `${name}: ${status?.used?.[name] ?? 0}/${allowed}` }));
    const textOf = (limits: boolean) =>
      usage
        .filter(({ name }) => name.includes('limits') === limits)
        .map(({ text }) => text)
        .join(', ');
    return [object.metadata.name, textOf(false), textOf(true), ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};
