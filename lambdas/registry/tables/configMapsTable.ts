import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

export const configMapsTable: TableRules = {
  columns: [nameColumn, column('Data', 'How many entries it holds, text and binary.'), ageColumn],
  cells(object, nowMs) {
    const { data = {}, binaryData = {} } = object as ConfigMap;
    const entries = Object.keys(data).length + Object.keys(binaryData).length;
    return [object.metadata.name, entries, ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};
